// JsonWriter: appends JSON to a Buffer, member by member. It only keeps track of
// commas: the caller closes what it opens. Text may be any
// bytes; what is not UTF-8 becomes U+FFFD, so that every line can be parsed, and what nobody would
// see is escaped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/bytes.h"
#include "report/buffer.h"
#include "track/connection_number.h"

namespace steertag::report {

class JsonWriter {
 public:
  explicit JsonWriter(Buffer& out) : out_(out) {}

  // Members of an object. Keys are written as they are: no escapes.
  void text(std::string_view key, std::string_view value) { name(key), string(value, Text::any); }
  void number(std::string_view key, uint64_t value) { name(key), integer(value); }
  void connection(std::string_view key, track::ConnectionNumber value);
  // Text of ours: it may name connections by their numbers.
  void prose(std::string_view key, std::string_view value) { name(key), string(value, Text::ours); }
  void boolean(std::string_view key, bool value) { name(key), raw(value ? "true" : "false"); }
  void hex(std::string_view key, uint64_t value, int digits) {
    name(key), hex_value(value, digits);
  }                                                     // "0x0000002a"
  void hex(std::string_view key, Bytes bytes);          // "002aff"
  void seconds(std::string_view key, int64_t ns);       // "1700000000.000000042"
  void microseconds(std::string_view key, int64_t ns);  // 1234.5

  // Elements of a list.
  void text(std::string_view value) { comma(), string(value, Text::any); }
  void number(uint64_t value) { comma(), integer(value); }
  void seconds(int64_t ns);

  void object(std::string_view key) { name(key), open('{'); }
  void object() { comma(), open('{'); }  // as an element, or the record itself
  void list(std::string_view key) { name(key), open('['); }
  void list() { comma(), open('['); }
  void end_object() { close('}'); }
  void end_list() { close(']'); }
  void end_line() { put(out_, '\n'), comma_ = false; }

 private:
  enum class Text : uint8_t { any, ours };
  void comma() {
    if (comma_) {
      put(out_, ',');
    }
    comma_ = true;
  }
  void name(std::string_view key) {
    char* at = grow(out_, key.size() + (comma_ ? 4 : 3));
    if (comma_) {
      *at++ = ',';
    }
    comma_ = true;
    *at++ = '"';
    at = std::copy_n(key.data(), key.size(), at);
    *at++ = '"';
    *at = ':';
  }
  void open(char bracket) { put(out_, bracket), comma_ = false; }
  void close(char bracket) { put(out_, bracket), comma_ = true; }
  void raw(std::string_view value) { put(out_, value); }
  void integer(uint64_t value);
  void moment(int64_t ns);
  void hex_value(uint64_t value, int digits);
  void string(std::string_view value, Text text);

  Buffer& out_;
  bool comma_ = false;
};

}  // namespace steertag::report
