// SchemaTeller: which members a record may have, as JSON Schema (draft 2020-12). It is told of a record that
// has nothing in it, and looks at names, types and sentences alone (member.h). A member is required where the
// function for members that are always there told of it, outside of any part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "frame.h"
#include "report/files.h"
#include "report/names.h"
#include "report/record/member.h"
#include "rpcrdma/xchar.h"
#include "track/connection_number.h"

namespace steertag::report::record {

class SchemaTeller {
 public:
  // `indent`: columns in front of the object's braces.
  explicit SchemaTeller(size_t indent) { objects_.push_back({.indent = indent}); }

  // The schema of the object whose members it was told of, without its braces. No sentence: empty.
  std::string schema(std::string_view says);
  void type(std::string_view record);  // the member that says what kind of record it is

  // Members that are always there ...
  void number(const Member& m, uint64_t /*value*/) { always(m); }
  void hex(const Member& m, uint64_t /*value*/, int /*digits*/) { always(m); }
  void seconds(const Member& m, int64_t /*ns*/) { always(m); }
  void microseconds(const Member& m, int64_t /*ns*/) { always(m); }
  void duration(const Member& m, int64_t /*ns*/) { always(m); }
  void boolean(const Member& m, bool /*value*/) { always(m, R"("type": "boolean")"); }
  void text(const Member& m, std::string_view /*value*/) { always(m); }
  void prose(const Member& m, std::string_view /*value*/) { always(m); }
  template <typename Enum>
  void choice(const Member& m, Enum /*value*/) {
    always(m, one_of<Enum>());
  }
  void connection(const Member& m, track::ConnectionNumber /*number*/) { always(m); }
  void frame(const FrameMember& m, const Stamp& /*at*/) {
    frame(m);
    require(m.name);
    m.file_always ? require(m.file_name) : void();
  }
  void frames(const FramesMember& m, std::span<const Stamp> /*frames*/, uint32_t /*home*/);
  template <typename Range, typename In, typename Tell>
  void list(const Member& m, const Range& range, const In& in, const Tell& tell) {
    list_if(m, true, range, in, tell);
    require(m.name);
  }
  template <typename Range, typename In, typename Group, typename Tell>
  void groups(const Member& m, const Range& /*range*/, const In& /*in*/, const Group& /*group_of*/,
              const Tell& /*tell*/) {
    always(m);
  }
  template <typename Range>
  void texts(const Member& m, const Range& /*values*/) {
    always(m);
  }
  template <typename Range>
  void numbers(const Member& m, const Range& /*values*/) {
    always(m);
  }

  // ... and those that may be left out.
  template <typename T>
  void number(const Member& m, const std::optional<T>& /*value*/) {
    member(m);
  }
  template <typename T>
  void hex(const Member& m, const std::optional<T>& /*value*/, int /*digits*/) {
    member(m);
  }
  void seconds(const Member& m, const std::optional<int64_t>& /*ns*/) { member(m); }
  void microseconds(const Member& m, const std::optional<int64_t>& /*ns*/) { member(m); }
  void duration(const Member& m, const std::optional<int64_t>& /*ns*/) { member(m); }
  void boolean(const Member& m, const std::optional<bool>& /*value*/) { member(m, R"("type": "boolean")"); }
  template <typename Enum>
  void choice(const Member& m, const std::optional<Enum>& /*value*/) {
    member(m, one_of<Enum>());
  }
  void frame(const FrameMember& m, const std::optional<Stamp>& /*at*/) { frame(m); }
  void frame(const FrameMember& m, const std::optional<Stamp>& /*at*/, const Files& /*files*/) {
    frame(m);
    m.file_always ? needs(m.name, {m.file_name}) : void();
  }
  void stretch(const Member& m, int64_t /*begin_ns*/, int64_t /*end_ns*/) { member(m); }
  void some(const Member& m, uint64_t /*value*/) { member(m); }
  void truth(const Member& m, bool /*value*/) { member(m, R"("const": true)"); }
  void text_if(const Member& m, std::string_view /*value*/) { member(m); }
  template <typename Enum>
  void choice_if(const Member& m, Enum /*value*/) {
    member(m, one_of<Enum>());
  }
  void bytes(const Member& m, const std::optional<Bytes>& /*value*/) { member(m); }
  void xdr_bool(const Member& m, const std::optional<rpcrdma::XdrBool>& /*value*/) { member(m); }
  template <typename Range>
  void numbers_if(const Member& m, bool /*there*/, const Range& /*values*/) {
    member(m);
  }
  template <typename Range>
  void texts_if(const Member& m, const Range& /*values*/) {
    member(m);
  }
  void moments(const Member& m, std::span<const Stamp> /*frames*/) { member(m); }
  template <typename Tell>
  void variant(bool /*is*/, const Tell& tell) {
    part(true, tell);
  }
  template <typename Tell>
  void part(bool /*there*/, const Tell& tell) {
    ++optional_;
    tell();
    --optional_;
  }
  template <typename Tell>
  void object(const Member& m, const Tell& tell) {
    object_if(m, true, tell);
    require(m.name);
  }
  template <typename Tell>
  void object_if(const Member& m, bool /*there*/, const Tell& tell) {
    m.type.empty() || m.type.starts_with(R"("minProperties")") ? nest(m, 0, tell) : member(m);
  }
  template <typename Range, typename In, typename Tell>
  void list_if(const Member& m, bool /*there*/, const Range& /*range*/, const In& /*in*/, const Tell& tell) {
    if (m.type.empty() || m.type.starts_with(R"("minItems")")) {
      using Element = typename Range::value_type;
      return nest(m, 2, [&] { tell(Element{}); });
    }
    member(m);
  }

  template <typename Range, typename Within, typename Tell>
  void lists_if(const Member& m, bool /*there*/, const Range& /*range*/, const Within& /*within*/,
                const Tell& /*tell*/) {
    member(m);
  }

  void rule(std::string_view text) { objects_.back().rules.emplace_back(text); }
  void needs(std::string_view name, std::initializer_list<std::string_view> others);

 private:
  struct Object {
    size_t indent = 0;
    std::vector<std::string> names = {};
    std::string members = {};
    std::vector<std::string> required = {};
    std::vector<std::string> rules = {};
    std::vector<std::pair<std::string, std::vector<std::string>>> needs = {};
  };

  // The names of all values.
  template <typename Enum>
  static std::string one_of() {
    constexpr unsigned kMost = 32;
    std::string words;
    for (unsigned value = 0; value < kMost; ++value) {
      if (const std::string_view word = name(static_cast<Enum>(value)); !word.empty()) {
        words += (words.empty() ? "\"" : ", \"") + std::string(word) + '"';
      }
    }
    return "\"enum\": [" + words + "]";
  }

  void always(const Member& m, std::string_view type = {}) {
    member(m, type);
    require(m.name);
  }
  // `type`: where the Member has none.
  void member(const Member& m, std::string_view type = {});
  void frame(const FrameMember& m);
  void require(std::string_view name);
  // Of one that two parts have, what is said first counts.
  void add(std::string_view name, std::string_view schema);
  // A member that is an object, or a list of objects, with these members.
  template <typename Tell>
  void nest(const Member& m, size_t deeper, const Tell& tell) {
    const size_t optional = std::exchange(optional_, 0);
    objects_.push_back({.indent = objects_.back().indent + 4 + deeper});
    tell();
    optional_ = optional;
    close(m, deeper != 0);
  }
  void close(const Member& m, bool list);
  static std::string text(const Object& object);

  std::vector<Object> objects_;  // from the outermost to the one that is open
  size_t optional_ = 0;          // parts that are open, and may be left out
};

}  // namespace steertag::report::record
