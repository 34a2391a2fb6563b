// JsonTeller: a record as JSON, member by member in the order in which they are told (member.h). It adds
// nothing to what JsonWriter costs: a member is a call, and its type and sentence are not looked at. print()
// makes a whole line of a record.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/bytes.h"
#include "frame.h"
#include "report/files.h"
#include "report/json_writer.h"
#include "report/names.h"
#include "report/record/member.h"
#include "rpcrdma/xchar.h"

namespace steertag::report::record {

class JsonTeller {
 public:
  JsonTeller(JsonWriter& json, const Files& files) : json_(json), files_(files) {}

  void number(const Member& m, uint64_t value) { json_.number(m.name, value); }
  void hex(const Member& m, uint64_t value, int digits) { json_.hex(m.name, value, digits); }
  void seconds(const Member& m, int64_t ns) { json_.seconds(m.name, ns); }
  void microseconds(const Member& m, int64_t ns) { json_.microseconds(m.name, ns); }
  void duration(const Member& m, int64_t ns) { json_.number(m.name, static_cast<uint64_t>(ns) / 1000); }
  void stretch(const Member& m, int64_t begin_ns, int64_t end_ns) {
    end_ns != begin_ns ? number(m, static_cast<uint64_t>(end_ns / 1000 - begin_ns / 1000)) : void();
  }
  void boolean(const Member& m, bool value) { json_.boolean(m.name, value); }
  void text(const Member& m, std::string_view value) { json_.text(m.name, value); }
  void prose(const Member& m, std::string_view value) { json_.prose(m.name, value); }
  void choice(const Member& m, auto value) { json_.text(m.name, name(value)); }
  void connection(const Member& m, track::ConnectionNumber number) { json_.connection(m.name, number); }
  void frame(const FrameMember& m, const Stamp& at) { frame(m, at, files_); }
  void frame(const FrameMember& m, const Stamp& at, const Files& files) {
    json_.number(m.name, at.number);
    if (m.file_always || files.several()) {
      json_.text(m.file_name, files.name(at.file));
    }
  }

  template <typename T>
  void number(const Member& m, const std::optional<T>& value) {
    value ? number(m, *value) : void();
  }
  template <typename T>
  void hex(const Member& m, const std::optional<T>& value, int digits) {
    value ? hex(m, *value, digits) : void();
  }
  void seconds(const Member& m, const std::optional<int64_t>& ns) { ns ? seconds(m, *ns) : void(); }
  void microseconds(const Member& m, const std::optional<int64_t>& ns) { ns ? microseconds(m, *ns) : void(); }
  void duration(const Member& m, const std::optional<int64_t>& ns) { ns ? duration(m, *ns) : void(); }
  void boolean(const Member& m, const std::optional<bool>& value) { value ? boolean(m, *value) : void(); }
  template <typename Enum>
  void choice(const Member& m, const std::optional<Enum>& value) {
    value ? choice(m, *value) : void();
  }
  void frame(const FrameMember& m, const std::optional<Stamp>& at) { at ? frame(m, *at) : void(); }
  void frame(const FrameMember& m, const std::optional<Stamp>& at, const Files& files) {
    at ? frame(m, *at, files) : void();
  }
  void some(const Member& m, uint64_t value) { value != 0 ? number(m, value) : void(); }
  void truth(const Member& m, bool value) { value ? boolean(m, true) : void(); }
  void text_if(const Member& m, std::string_view value) { value.empty() ? void() : text(m, value); }
  void choice_if(const Member& m, auto value) { text_if(m, name(value)); }

  void bytes(const Member& m, const std::optional<Bytes>& value) {
    value ? json_.hex(m.name, *value) : void();
  }
  void xdr_bool(const Member& m, const std::optional<rpcrdma::XdrBool>& value) {
    if (value && *value != rpcrdma::XdrBool::no && *value != rpcrdma::XdrBool::yes) {
      json_.number(m.name, static_cast<uint32_t>(*value));  // not an XDR bool: what was sent
    } else if (value) {
      json_.boolean(m.name, *value == rpcrdma::XdrBool::yes);
    }
  }

  void numbers(const Member& m, const auto& values) {
    json_.list(m.name);
    for (const auto value : values) {
      json_.number(value);
    }
    json_.end_list();
  }
  void numbers_if(const Member& m, bool there, const auto& values) { there ? numbers(m, values) : void(); }
  void texts(const Member& m, const auto& values) {
    json_.list(m.name);
    for (const auto& value : values) {
      json_.text(value);
    }
    json_.end_list();
  }
  void texts_if(const Member& m, const auto& values) { values.empty() ? void() : texts(m, values); }
  void moments(const Member& m, std::span<const Stamp> frames) {
    if (!frames.empty()) {
      json_.list(m.name);
      for (const Stamp& at : frames) {
        json_.seconds(at.time_ns);
      }
      json_.end_list();
    }
  }
  // `home`: the file that they are of where nothing else is said.
  void frames(const FramesMember& m, std::span<const Stamp> frames, uint32_t home) {
    json_.list(m.name);
    for (const Stamp& at : frames) {
      json_.number(at.number);
    }
    json_.end_list();
    if (files_.several() &&
        std::any_of(frames.begin(), frames.end(), [&](const Stamp& at) { return at.file != home; })) {
      json_.list(m.files_name);
      for (const Stamp& at : frames) {
        json_.text(files_.name(at.file));
      }
      json_.end_list();
    }
  }

  void part(bool there, const auto& tell) {
    if (there) {
      tell();
    }
  }
  void variant(bool is, const auto& tell) { part(is, tell); }
  void object(const Member& m, const auto& tell) {
    json_.object(m.name);
    tell();
    json_.end_object();
  }
  void object_if(const Member& m, bool there, const auto& tell) { there ? object(m, tell) : void(); }
  // Of those elements of the range that are in it.
  void list_if(const Member& m, bool there, const auto& range, const auto& in, const auto& tell) {
    there ? list(m, range, in, tell) : void();
  }
  void list(const Member& m, const auto& range, const auto& in, const auto& tell) {
    json_.list(m.name);
    for (const auto& element : range) {
      if (in(element)) {
        one(element, tell);
      }
    }
    json_.end_list();
  }
  // The same, a list for each group, also for one without elements that precedes another.
  void groups(const Member& m, const auto& range, const auto& in, const auto& group_of, const auto& tell) {
    json_.list(m.name);
    uint32_t opened = 0;
    for (const auto& element : range) {
      if (!in(element)) {
        continue;
      }
      for (; opened <= group_of(element); ++opened) {
        opened > 0 ? json_.end_list() : void();
        json_.list();
      }
      one(element, tell);
    }
    opened > 0 ? json_.end_list() : void();
    json_.end_list();
  }
  // `within`: which list stands for an element.
  void lists_if(const Member& m, bool there, const auto& range, const auto& within, const auto& tell) {
    if (there) {
      json_.list(m.name);
      for (const auto& element : range) {
        json_.list();
        for (const auto& inner : within(element)) {
          one(inner, tell);
        }
        json_.end_list();
      }
      json_.end_list();
    }
  }
  void rule(std::string_view /*text*/) {}
  void needs(std::string_view /*name*/, std::initializer_list<std::string_view> /*others*/) {}

 private:
  void one(const auto& element, const auto& tell) {
    json_.object();
    tell(element);
    json_.end_object();
  }

  JsonWriter& json_;
  const Files& files_;
};

// A whole line: {"type":"rpc", ...}.
template <typename Told>
void print(Buffer& out, const Told& told, const Files& files = {}) {
  JsonWriter json(out);
  json.object();
  json.text("type", Told::kType);
  JsonTeller to(json, files);
  tell(to, told);
  json.end_object();
  json.end_line();
}

}  // namespace steertag::report::record
