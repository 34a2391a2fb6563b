// FlatTeller: a record as names and values in one row: those of an object in it have its name in front of
// theirs, lists of objects are left out. A Sink has put(name, value) for numbers, text and numbers of
// connections, and nothing(name) for what could be there and is not.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "frame.h"
#include "report/files.h"
#include "report/names.h"
#include "report/record/member.h"
#include "rpcrdma/xchar.h"

namespace steertag::report::record {

template <typename Sink>
class FlatTeller {
 public:
  // `all`: also what a trace shows otherwise.
  FlatTeller(Sink& sink, const Files& files, bool all) : sink_(sink), files_(files), all_(all) {}

  void number(const Member& m, uint64_t value) { put(m, value); }
  void hex(const Member& m, uint64_t value, int digits) {
    put(m, fmt::format("{:#0{}x}", value, digits + 2));
  }
  void seconds(const Member& m, int64_t ns) {
    put(m, fmt::format("{}.{:09}", ns / 1'000'000'000, ns % 1'000'000'000));
  }
  void microseconds(const Member& m, int64_t ns) {
    put(m, fmt::format("{}", static_cast<double>(ns) / 1000));
  }
  void duration(const Member& m, int64_t ns) { put(m, static_cast<uint64_t>(ns) / 1000); }
  void stretch(const Member& m, int64_t begin_ns, int64_t end_ns) {
    number(m, end_ns != begin_ns ? std::optional(end_ns / 1000 - begin_ns / 1000) : std::nullopt);
  }
  void boolean(const Member& m, bool value) { put(m, value ? "true" : "false"); }
  void text(const Member& m, std::string_view value) {
    value.empty() ? nothing(m.name, m.traced) : put(m, value);
  }
  void prose(const Member& m, std::string_view value) { text(m, value); }
  void choice(const Member& m, auto value) { text(m, name(value)); }
  void connection(const Member& m, track::ConnectionNumber number) { put(m, number); }
  void frame(const FrameMember& m, const std::optional<Stamp>& at) { frame(m, at, files_); }
  void frame(const FrameMember& m, const std::optional<Stamp>& at, const Files& files) {
    number({m.name, {}}, at ? std::optional(at->number) : std::nullopt);
    if (files.several()) {
      text({m.file_name, {}}, at ? files.name(at->file) : std::string_view());
    }
  }

  template <typename T>
  void number(const Member& m, const std::optional<T>& value) {
    value ? number(m, static_cast<uint64_t>(*value)) : nothing(m.name, m.traced);
  }
  template <typename T>
  void hex(const Member& m, const std::optional<T>& value, int digits) {
    value ? hex(m, *value, digits) : nothing(m.name, m.traced);
  }
  void seconds(const Member& m, const std::optional<int64_t>& ns) {
    ns ? seconds(m, *ns) : nothing(m.name, m.traced);
  }
  void microseconds(const Member& m, const std::optional<int64_t>& ns) {
    ns ? microseconds(m, *ns) : nothing(m.name, m.traced);
  }
  void duration(const Member& m, const std::optional<int64_t>& ns) {
    ns ? duration(m, *ns) : nothing(m.name, m.traced);
  }
  void boolean(const Member& m, const std::optional<bool>& value) {
    value ? boolean(m, *value) : nothing(m.name, m.traced);
  }
  template <typename Enum>
  void choice(const Member& m, const std::optional<Enum>& value) {
    text(m, value ? name(*value) : std::string_view());
  }
  void some(const Member& m, uint64_t value) { value != 0 ? number(m, value) : nothing(m.name, m.traced); }
  void truth(const Member& m, bool value) { value ? boolean(m, true) : nothing(m.name, m.traced); }
  void text_if(const Member& m, std::string_view value) { text(m, value); }
  void choice_if(const Member& m, auto value) { text(m, name(value)); }
  void bytes(const Member& m, const std::optional<Bytes>& value) {
    std::string digits;
    for (const uint8_t byte : value.value_or(Bytes())) {
      digits += fmt::format("{:02x}", byte);
    }
    text(m, digits);
  }
  void xdr_bool(const Member& m, const std::optional<rpcrdma::XdrBool>& value) {
    if (value && rpcrdma::text(*value).empty()) {
      number(m, static_cast<uint64_t>(*value));  // not an XDR bool: what was sent
    } else {
      boolean(m, value ? std::optional(*value == rpcrdma::XdrBool::yes) : std::nullopt);
    }
  }
  void numbers(const Member& m, const auto& values) { numbers_if(m, true, values); }
  void numbers_if(const Member& m, bool there, const auto& values) {
    std::string joined;
    for (const auto value : values) {
      joined += fmt::format("{}{}", joined.empty() ? "" : ", ", value);
    }
    text(m, there ? joined : std::string());
  }
  void texts(const Member& m, const auto& values) {
    std::string joined;
    for (const auto& value : values) {
      joined += joined.empty() ? std::string(value) : ", " + std::string(value);
    }
    text(m, joined);
  }
  void texts_if(const Member& m, const auto& values) { texts(m, values); }
  void moments(const Member& /*m*/, std::span<const Stamp> /*frames*/) {}
  // The first and the last of them, and how many there are.
  void frames(const FramesMember& m, std::span<const Stamp> frames, uint32_t /*home*/) {
    if (!all_ && !m.traced) {
      return;
    }
    const auto [first, last] = std::minmax_element(frames.begin(), frames.end(), captured_before);
    const bool any = first != frames.end();
    frame({"first_frame", "first_file"}, any ? std::optional(*first) : std::nullopt);
    frame({"last_frame", "last_file"}, any ? std::optional(*last) : std::nullopt);
    some({m.name, {}}, frames.size());
  }

  void variant(bool is, const auto& tell) {
    if (is) {
      tell();
    }
  }
  void part(bool there, const auto& tell) {
    const bool before = std::exchange(there_, there_ && there);
    tell();
    there_ = before;
  }
  void object(const Member& m, const auto& tell) { object_if(m, true, tell); }
  void object_if(const Member& m, bool there, const auto& tell) {
    const std::string before = std::exchange(prefix_, fmt::format("{}{}_", prefix_, m.name));
    const bool all = std::exchange(shown_, shown_ && (all_ || m.traced));
    part(there, tell);
    prefix_ = before;
    shown_ = all;
  }
  void list(const Member& /*m*/, const auto&... /*rest*/) {}
  void list_if(const Member& /*m*/, const auto&... /*rest*/) {}
  void groups(const Member& /*m*/, const auto&... /*rest*/) {}
  void lists_if(const Member& /*m*/, const auto&... /*rest*/) {}
  void rule(std::string_view /*text*/) {}
  void needs(std::string_view /*name*/, std::initializer_list<std::string_view> /*others*/) {}

 private:
  void put(const Member& m, const auto& value) {
    if (!there_) {
      nothing(m.name, m.traced);
    } else if (shown_ && (all_ || m.traced)) {
      sink_.put(prefix_.empty() ? std::string(m.name) : prefix_ + std::string(m.name), value);
    }
  }
  void nothing(std::string_view name, bool traced) {
    if (shown_ && (all_ || traced)) {
      sink_.nothing(prefix_.empty() ? std::string(name) : prefix_ + std::string(name));
    }
  }

  Sink& sink_;
  const Files& files_;
  bool all_ = false;
  bool there_ = true;  // what is told is not only possible
  bool shown_ = true;  // the object that is told is one of those that are
  std::string prefix_;
};

}  // namespace steertag::report::record
