// own(): the struct of include/steertag that has what a record has. An OwnTeller is told of the record, as
// what prints it is (report/record/member.h), and finds each member by its name, in each() of members.h. So
// the structs and what fills them follow from the record: nothing is spelled twice.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "frame.h"
#include "library/members.h"
#include "report/files.h"
#include "report/names.h"
#include "report/record/member.h"
#include "rpcrdma/xchar.h"
#include "track/connection_number.h"

namespace steertag::library {

// A value of a member; of an enum its number, which is the same on both sides.
using Value = std::variant<uint64_t, int64_t, double, bool, std::string_view, Bytes>;

template <typename T>
inline constexpr bool kList = false;
template <typename T>
inline constexpr bool kList<std::vector<T>> = true;
template <typename T>
inline constexpr bool kOptional = false;
template <typename T>
inline constexpr bool kOptional<std::optional<T>> = true;
// A struct of include/steertag.
template <typename T>
concept Owned = requires(T& of) {
  each(of, [](std::string_view, auto&) {});
};

// A value that the member cannot have never comes.
template <typename Field, typename From>
void assign(Field& field, const From& from) {
  if constexpr (std::is_same_v<Field, std::vector<uint8_t>> && std::is_same_v<From, Bytes>) {
    field.assign(from.begin(), from.end());
  } else if constexpr (std::is_same_v<Field, std::string> && std::is_same_v<From, std::string_view>) {
    field = from;
  } else if constexpr ((std::is_arithmetic_v<Field> || std::is_enum_v<Field>)&&std::is_arithmetic_v<From>) {
    field = static_cast<Field>(from);
  } else if constexpr (kOptional<Field>) {
    assign(field.emplace(), from);
  } else if constexpr (kList<Field>) {
    assign(field.emplace_back(), from);
  }
}

// An object that is filled in, of whatever type.
class Into {
 public:
  virtual ~Into() = default;
  virtual void set(std::string_view name, const Value& value) = 0;
  virtual void begin_list(std::string_view name) = 0;             // one more list in a list of lists
  virtual std::unique_ptr<Into> open(std::string_view name) = 0;  // an object; in a list, one more
};

template <typename Struct>
class IntoStruct final : public Into {
 public:
  explicit IntoStruct(Struct& into) : into_(into) {}

  void set(std::string_view name, const Value& value) override {
    each(into_, [&](std::string_view own, auto& field) {
      if (own == name) {
        std::visit([&](const auto& from) { assign(field, from); }, value);
      }
    });
  }
  void begin_list(std::string_view name) override {
    each(into_, [&](std::string_view own, auto& field) {
      if constexpr (kList<std::remove_cvref_t<decltype(field)>>) {
        own == name ? static_cast<void>(field.emplace_back()) : void();
      }
    });
  }
  std::unique_ptr<Into> open(std::string_view name) override {
    std::unique_ptr<Into> opened;
    each(into_, [&](std::string_view own, auto& field) {
      if (own == name) {
        opened = into(field);
      }
    });
    return opened;
  }

 private:
  template <typename Field>
  static std::unique_ptr<Into> into(Field& field) {
    if constexpr (Owned<Field>) {
      return std::make_unique<IntoStruct<Field>>(field);
    } else if constexpr (kOptional<Field>) {
      return into(field.emplace());
    } else if constexpr (kList<Field>) {
      if constexpr (kList<typename Field::value_type>) {
        return into(field.back());
      } else {
        return into(field.emplace_back());
      }
    }
    return nullptr;
  }

  Struct& into_;
};

class OwnTeller {
 public:
  using Member = report::record::Member;

  explicit OwnTeller(Into& into) : into_(&into) {}

  void number(const Member& m, uint64_t value) { into_->set(m.name, value); }
  void hex(const Member& m, uint64_t value, int /*digits*/) { into_->set(m.name, value); }
  void seconds(const Member& m, int64_t ns) { into_->set(m.name, ns); }
  void microseconds(const Member& m, int64_t ns) { into_->set(m.name, static_cast<double>(ns) / 1000); }
  void duration(const Member& m, int64_t ns) { into_->set(m.name, static_cast<uint64_t>(ns) / 1000); }
  void stretch(const Member& m, int64_t begin_ns, int64_t end_ns) {
    into_->set(m.name, static_cast<uint64_t>(end_ns / 1000 - begin_ns / 1000));
  }
  void boolean(const Member& m, bool value) { into_->set(m.name, value); }
  void truth(const Member& m, bool value) { into_->set(m.name, value); }
  void some(const Member& m, uint64_t value) { into_->set(m.name, value); }
  void text(const Member& m, std::string_view value) { into_->set(m.name, value); }
  void prose(const Member& m, std::string_view value) { text(m, value); }
  void text_if(const Member& m, std::string_view value) { text(m, value); }
  template <typename Enum>
  void choice(const Member& m, Enum value) {
    into_->set(m.name, static_cast<uint64_t>(value));
  }
  template <typename Enum>
  void choice_if(const Member& m, Enum value) {
    text(m, report::name(value));
  }
  void connection(const Member& m, track::ConnectionNumber number) { into_->set(m.name, uint64_t{number}); }
  void frame(const report::record::FrameMember& m, const Stamp& at) { into_->set(m.name, at.number); }
  void frames(const report::record::FramesMember& m, std::span<const Stamp> frames, uint32_t /*home*/) {
    for (const Stamp& at : frames) {
      into_->set(m.name, at.number);
    }
  }

  template <typename T>
  void number(const Member& m, const std::optional<T>& value) {
    value ? number(m, static_cast<uint64_t>(*value)) : void();
  }
  template <typename T>
  void hex(const Member& m, const std::optional<T>& value, int digits) {
    value ? hex(m, static_cast<uint64_t>(*value), digits) : void();
  }
  void seconds(const Member& m, const std::optional<int64_t>& ns) { ns ? seconds(m, *ns) : void(); }
  void microseconds(const Member& m, const std::optional<int64_t>& ns) { ns ? microseconds(m, *ns) : void(); }
  void duration(const Member& m, const std::optional<int64_t>& ns) { ns ? duration(m, *ns) : void(); }
  void boolean(const Member& m, const std::optional<bool>& value) { value ? boolean(m, *value) : void(); }
  template <typename Enum>
  void choice(const Member& m, const std::optional<Enum>& value) {
    value ? choice(m, *value) : void();
  }
  void frame(const report::record::FrameMember& m, const std::optional<Stamp>& at) {
    at ? frame(m, *at) : void();
  }
  void bytes(const Member& m, const std::optional<Bytes>& value) {
    value ? into_->set(m.name, *value) : void();
  }
  void xdr_bool(const Member& m, const std::optional<rpcrdma::XdrBool>& value) {
    value ? number(m, static_cast<uint64_t>(*value)) : void();
  }
  void numbers(const Member& m, const auto& values) { numbers_if(m, true, values); }
  template <typename Range>
  void numbers_if(const Member& m, bool there, const Range& values) {
    for (const auto value : values) {
      there ? number(m, static_cast<uint64_t>(value)) : void();
    }
  }
  void texts(const Member& m, const auto& values) { texts_if(m, values); }
  template <typename Range>
  void texts_if(const Member& m, const Range& values) {
    for (const auto& value : values) {
      text(m, value);
    }
  }
  void moments(const Member& m, std::span<const Stamp> frames) {
    for (const Stamp& at : frames) {
      seconds(m, at.time_ns);
    }
  }

  template <typename Tell>
  void part(bool there, const Tell& tell) {
    there ? tell() : void();
  }
  template <typename Tell>
  void variant(bool is, const Tell& tell) {
    part(is, tell);
  }
  template <typename Tell>
  void object(const Member& m, const Tell& tell) {
    if (const std::unique_ptr<Into> opened = into_->open(m.name)) {  // else it is left out
      Into* const outer = std::exchange(into_, opened.get());
      tell();
      into_ = outer;
    }
  }
  template <typename Tell>
  void object_if(const Member& m, bool there, const Tell& tell) {
    there ? object(m, tell) : void();
  }
  template <typename Range, typename In, typename Tell>
  void list(const Member& m, const Range& range, const In& in, const Tell& tell) {
    for (const auto& element : range) {
      in(element) ? object(m, [&] { tell(element); }) : void();
    }
  }
  template <typename Range, typename In, typename Tell>
  void list_if(const Member& m, bool there, const Range& range, const In& in, const Tell& tell) {
    there ? list(m, range, in, tell) : void();
  }
  template <typename Range, typename In, typename Group, typename Tell>
  void groups(const Member& m, const Range& range, const In& in, const Group& group_of, const Tell& tell) {
    uint32_t opened = 0;
    for (const auto& element : range) {
      if (in(element)) {
        for (; opened <= group_of(element); ++opened) {
          into_->begin_list(m.name);
        }
        object(m, [&] { tell(element); });
      }
    }
  }
  template <typename Range, typename Within, typename Tell>
  void lists_if(const Member& m, bool there, const Range& range, const Within& within, const Tell& tell) {
    for (const auto& element : range) {
      there ? into_->begin_list(m.name) : void();
      list_if(m, there, within(element), report::record::kEvery, tell);
    }
  }
  void rule(std::string_view /*text*/) {}
  void needs(std::string_view /*name*/, std::initializer_list<std::string_view> /*others*/) {}

 private:
  Into* into_;
};

template <Owned Struct, typename Told>
Struct own(const Told& told) {
  Struct owned;
  IntoStruct<Struct> into(owned);
  OwnTeller to(into);
  tell(to, told);
  return owned;
}

}  // namespace steertag::library
