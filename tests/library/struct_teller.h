// StructTeller: the struct that owns what a record has, as C++, for the headers of include/steertag. Like the
// schema it is told of a record that has nothing in it, and looks at names, types and sentences alone
// (report/record/member.h). Beside the struct it makes the function each(), which lists its members by the
// names that they have in the record. Names of files are left out: a program has one capture at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "frame.h"
#include "report/files.h"
#include "report/names.h"
#include "report/record/member.h"
#include "rpcrdma/xchar.h"
#include "track/connection_number.h"

namespace steertag::library {

class StructTeller {
 public:
  using Member = report::record::Member;
  using FrameMember = report::record::FrameMember;
  using FramesMember = report::record::FramesMember;

  // `left_out`: members that never come to a program.
  explicit StructTeller(std::string record, std::vector<std::string_view> left_out = {})
      : record_(std::move(record)), left_out_(std::move(left_out)) {
    objects_.push_back({record_});
  }

  // What was told: enums that records share, which are not declared twice; the struct, with this comment
  // above it; and each() of it and of the structs in it.
  std::string shared(std::string_view declared) const;
  std::string text(std::string_view says) const;
  std::string each() const;

  template <typename T>
  void number(const Member& m, const T& value) {
    field(m, number_type(m), optional(value));
  }
  template <typename T>
  void hex(const Member& m, const T& value, int digits) {
    field(m, digits > 8 ? "uint64_t" : "uint32_t", optional(value));
  }
  template <typename T>
  void seconds(const Member& m, const T& ns) {
    const std::string says = comment(m.says.empty() ? describe(m.type) : m.says);
    declare(m.name, std::string(m.name) + "_ns", optional(ns) ? "std::optional<int64_t>" : "int64_t",
            says + " Nanoseconds since the epoch.");
  }
  template <typename T>
  void microseconds(const Member& m, const T& ns) {
    field(m, "double", optional(ns));
  }
  template <typename T>
  void duration(const Member& m, const T& ns) {
    field(m, "uint64_t", optional(ns));
  }
  void stretch(const Member& m, int64_t /*begin_ns*/, int64_t /*end_ns*/) { field(m, "uint64_t", false); }
  template <typename T>
  void boolean(const Member& m, const T& value) {
    field(m, "bool", optional(value));
  }
  void truth(const Member& m, bool /*value*/) { field(m, "bool", false); }
  void some(const Member& m, uint64_t /*value*/) { field(m, "uint64_t", false); }
  void text(const Member& m, std::string_view /*value*/) { field(m, "std::string", false); }
  void prose(const Member& m, std::string_view value) { text(m, value); }
  void text_if(const Member& m, std::string_view value) { text(m, value); }
  template <typename Enum>
  void choice(const Member& m, Enum /*value*/) {
    field(m, enumeration<Enum>(m), depth_ != 0);
  }
  template <typename Enum>
  void choice(const Member& m, const std::optional<Enum>& /*value*/) {
    field(m, enumeration<Enum>(m), true);
  }
  template <typename Enum>
  void choice_if(const Member& m, Enum /*value*/) {
    field(m, "std::string", false);
  }
  void connection(const Member& m, track::ConnectionNumber /*number*/) { field(m, "uint32_t", false); }
  template <typename T>
  void frame(const FrameMember& m, const T& at, const report::Files& /*files*/ = {}) {
    field({m.name, "frame", m.says}, "uint64_t", optional(at));
  }
  void frames(const FramesMember& m, std::span<const Stamp> /*frames*/, uint32_t /*home*/) {
    field({m.name, m.type, m.says}, "std::vector<uint64_t>", false);
  }
  void bytes(const Member& m, const std::optional<Bytes>& /*value*/) {
    field(m, "std::vector<uint8_t>", true);
  }
  void xdr_bool(const Member& m, const std::optional<rpcrdma::XdrBool>& /*value*/) {
    field(m, "uint32_t", true);
  }
  void numbers(const Member& m, const auto& values) { numbers_if(m, true, values); }
  template <typename Range>
  void numbers_if(const Member& m, bool /*there*/, const Range& /*values*/) {
    field(m, "std::vector<uint32_t>", false);
  }
  void texts(const Member& m, const auto& values) { texts_if(m, values); }
  template <typename Range>
  void texts_if(const Member& m, const Range& /*values*/) {
    field(m, "std::vector<std::string>", false);
  }
  void moments(const Member& m, std::span<const Stamp> /*frames*/) {
    field(m, "std::vector<int64_t>", false);
  }

  template <typename Tell>
  void variant(bool is, const Tell& tell) {
    is ? tell() : void();
  }
  template <typename Tell>
  void part(bool /*there*/, const Tell& tell) {
    ++depth_;
    tell();
    --depth_;
  }
  template <typename Tell>
  void object(const Member& m, const Tell& tell) {
    field(m, nested(m, tell), depth_ != 0);
  }
  template <typename Tell>
  void object_if(const Member& m, bool /*there*/, const Tell& tell) {
    field(m, nested(m, tell), true);
  }
  template <typename Range, typename In, typename Tell>
  void list(const Member& m, const Range& /*range*/, const In& /*in*/, const Tell& tell) {
    field(m,
          "std::vector<" +
              nested(
                  m, [&] { tell(typename Range::value_type{}); }, true) +
              ">",
          false);
  }
  template <typename Range, typename In, typename Tell>
  void list_if(const Member& m, bool /*there*/, const Range& range, const In& in, const Tell& tell) {
    list(m, range, in, tell);
  }
  template <typename Range, typename In, typename Group, typename Tell>
  void groups(const Member& m, const Range& /*range*/, const In& /*in*/, const Group& /*group_of*/,
              const Tell& tell) {
    lists(m, [&] { tell(typename Range::value_type{}); });
  }
  template <typename Range, typename Within, typename Tell>
  void lists_if(const Member& m, bool /*there*/, const Range& /*range*/, const Within& within,
                const Tell& tell) {
    using Inner = std::remove_cvref_t<decltype(within(std::declval<const typename Range::value_type&>()))>;
    lists(m, [&] { tell(typename Inner::value_type{}); });
  }
  void rule(std::string_view /*text*/) {}
  void needs(std::string_view /*name*/, std::initializer_list<std::string_view> /*others*/) {}

 private:
  struct Object {
    std::string name;
    std::string fields = {};
    std::vector<std::string> visits = {};
    std::vector<std::string> names = {};
  };

  template <typename T>
  bool optional(const T& /*value*/) const {
    return depth_ != 0;
  }
  template <typename T>
  bool optional(const std::optional<T>& /*value*/) const {
    return true;
  }
  static std::string number_type(const Member& m);
  // What the schema says of a type.
  static std::string describe(std::string_view type);
  static std::string comment(std::string_view says);
  // "Flow" of what is a "flow", or of a list of "flows"; else of the member.
  static std::string type_name(const Member& m, bool list = false);

  void field(const Member& m, const std::string& type, bool optional);
  void declare(std::string_view name, const std::string& as, const std::string& type, const std::string& says,
               bool always = false);
  template <typename Tell>
  std::string nested(const Member& m, const Tell& tell, bool list = false) {
    objects_.push_back({type_name(m, list)});
    const size_t depth = std::exchange(depth_, 0);
    tell();
    depth_ = depth;
    if (left_out(m.name)) {
      objects_.pop_back();
      return {};
    }
    return close();
  }
  template <typename Tell>
  void lists(const Member& m, const Tell& tell) {
    field(m, "std::vector<std::vector<" + nested(m, tell, true) + ">>", false);
  }
  bool left_out(std::string_view name) const {
    return std::find(left_out_.begin(), left_out_.end(), name) != left_out_.end();
  }
  std::string close();
  std::string each_of(const Object& object, const std::string& name) const;

  // Enum values are those of the engine.
  template <typename Enum>
  std::string enumeration(const Member& m) {
    constexpr unsigned kMost = 32;
    std::vector<std::pair<unsigned, std::string>> words;
    for (unsigned value = 0; value < kMost; ++value) {
      using report::name;
      if (const std::string_view word = name(static_cast<Enum>(value)); !word.empty()) {
        words.emplace_back(value, word);
      }
    }
    return enumeration(m, words);
  }
  std::string enumeration(const Member& m, const std::vector<std::pair<unsigned, std::string>>& words);

  std::string record_;
  std::vector<std::string_view> left_out_;
  std::vector<Object> objects_;                             // from the outermost to the one that is open
  std::vector<std::pair<std::string, std::string>> types_;  // of its members, in the order of their ends
  std::map<std::string, std::string> shared_;               // enums of several records
  std::set<std::string> enums_;
  std::string each_;
  size_t depth_ = 0;  // parts that are open, and may be left out
};

}  // namespace steertag::library
