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

  // Members that are always there, unless they are told of by an optional value ...
  void number(const Member& m, const auto& value) { told(m, value); }
  void hex(const Member& m, const auto& value, int /*digits*/) { told(m, value); }
  void seconds(const Member& m, const auto& ns) { told(m, ns); }
  void microseconds(const Member& m, const auto& ns) { told(m, ns); }
  void duration(const Member& m, const auto& ns) { told(m, ns); }
  void boolean(const Member& m, const auto& value) { told(m, value, R"("type": "boolean")"); }
  void text(const Member& m, std::string_view /*value*/) { always(m); }
  void prose(const Member& m, std::string_view /*value*/) { always(m); }
  void choice(const Member& m, const auto& value) { told(m, value, one_of(value)); }
  void connection(const Member& m, track::ConnectionNumber /*number*/) { always(m); }
  void frame(const FrameMember& m, const Stamp& /*at*/) {
    frame(m);
    require(m.name);
    m.file_always ? require(m.file_name) : void();
  }
  void frame(const FrameMember& m, const std::optional<Stamp>& /*at*/) { frame(m); }
  void frame(const FrameMember& m, const std::optional<Stamp>& /*at*/, const Files& /*files*/) {
    frame(m);
    m.file_always ? needs(m.name, {m.file_name}) : void();
  }
  void frames(const FramesMember& m, std::span<const Stamp> /*frames*/, uint32_t /*home*/);
  void list(const Member& m, const auto& range, const auto& in, const auto& tell) {
    list_if(m, true, range, in, tell);
    require(m.name);
  }
  void groups(const Member& m, const auto&... /*rest*/) { always(m); }
  void texts(const Member& m, const auto& /*values*/) { always(m); }
  void numbers(const Member& m, const auto& /*values*/) { always(m); }

  // ... and those that may be left out.
  void stretch(const Member& m, int64_t /*begin_ns*/, int64_t /*end_ns*/) { member(m); }
  void some(const Member& m, uint64_t /*value*/) { member(m); }
  void truth(const Member& m, bool /*value*/) { member(m, R"("const": true)"); }
  void text_if(const Member& m, std::string_view /*value*/) { member(m); }
  void choice_if(const Member& m, const auto& value) { member(m, one_of(value)); }
  void bytes(const Member& m, const std::optional<Bytes>& /*value*/) { member(m); }
  void xdr_bool(const Member& m, const std::optional<rpcrdma::XdrBool>& /*value*/) { member(m); }
  void numbers_if(const Member& m, bool /*there*/, const auto& /*values*/) { member(m); }
  void texts_if(const Member& m, const auto& /*values*/) { member(m); }
  void moments(const Member& m, std::span<const Stamp> /*frames*/) { member(m); }
  void variant(bool /*is*/, const auto& tell) { part(true, tell); }
  void part(bool /*there*/, const auto& tell) {
    ++optional_;
    tell();
    --optional_;
  }
  void object(const Member& m, const auto& tell) {
    object_if(m, true, tell);
    require(m.name);
  }
  void object_if(const Member& m, bool /*there*/, const auto& tell) {
    m.type.empty() || m.type.starts_with(R"("minProperties")") ? nest(m, 0, tell) : member(m);
  }
  template <typename Range>
  void list_if(const Member& m, bool /*there*/, const Range& /*range*/, const auto& /*in*/,
               const auto& tell) {
    if (m.type.empty() || m.type.starts_with(R"("minItems")")) {
      using Element = typename Range::value_type;
      return nest(m, 2, [&] { tell(Element{}); });
    }
    member(m);
  }
  void lists_if(const Member& m, bool /*there*/, const auto&... /*rest*/) { member(m); }

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
  static std::string one_of(Enum /*of*/) {
    constexpr unsigned kMost = 32;
    std::string words;
    for (unsigned value = 0; value < kMost; ++value) {
      if (const std::string_view word = name(static_cast<Enum>(value)); !word.empty()) {
        words += (words.empty() ? "\"" : ", \"") + std::string(word) + '"';
      }
    }
    return "\"enum\": [" + words + "]";
  }

  template <typename Enum>
  static std::string one_of(const std::optional<Enum>& /*of*/) {
    return one_of(Enum{});
  }

  // Whether it is optional says whether the member may be left out.
  void told(const Member& m, const auto& /*value*/, std::string_view type = {}) { always(m, type); }
  template <typename T>
  void told(const Member& m, const std::optional<T>& /*value*/, std::string_view type = {}) {
    member(m, type);
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
  void nest(const Member& m, size_t deeper, const auto& tell) {
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
