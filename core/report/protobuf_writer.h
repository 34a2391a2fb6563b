// ProtobufWriter: appends messages in the wire format of Protocol Buffers to a Buffer, field by field, each
// by its number in the published schema. A message in a message is written where it belongs: its length is
// put in front of it once it is known. No schema is compiled in and nothing is read.
//
//   varint: seven bits a byte, the lowest first      field: varint of number << 3 | wire type, then the value
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "report/buffer.h"

namespace steertag::report {

class ProtobufWriter {
 public:
  explicit ProtobufWriter(Buffer& out) : out_(out) {}

  // Of the types uint32, uint64, bool and enum, and int32 and int64 where it is not negative.
  void number(uint32_t field, uint64_t value) {
    tag(field, WireType::varint);
    varint(value);
  }
  void fixed64(uint32_t field, uint64_t value) {
    tag(field, WireType::fixed64);
    char* at = grow(out_, sizeof value);
    for (size_t i = 0; i < sizeof value; ++i) {
      at[i] = static_cast<char>(value >> (8 * i) & 0xFF);
    }
  }
  void text(uint32_t field, std::string_view value) {
    tag(field, WireType::delimited);
    varint(value.size());
    put(out_, value);
  }

  // Begins a message in the one at hand; what it returns is for end().
  size_t message(uint32_t field) {
    tag(field, WireType::delimited);
    put(out_, '\0');
    return out_.size();
  }
  void end(size_t begin) {
    const size_t length = out_.size() - begin;
    size_t bytes = 1;  // of the length
    while (length >> (7 * bytes) != 0) {
      ++bytes;
    }
    grow(out_, bytes - 1);
    char* const at = out_.data() + begin;
    std::memmove(at + bytes - 1, at, length);
    spell(at - 1, length, bytes);
  }

 private:
  enum class WireType : uint8_t { varint = 0, fixed64 = 1, delimited = 2 };

  void tag(uint32_t field, WireType type) { varint(uint64_t{field} << 3 | static_cast<uint64_t>(type)); }
  void varint(uint64_t value) {
    size_t bytes = 1;
    for (uint64_t rest = value >> 7; rest != 0; rest >>= 7) {
      ++bytes;
    }
    spell(grow(out_, bytes), value, bytes);
  }
  static void spell(char* at, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) {
      at[i] = static_cast<char>((value >> (7 * i) & 0x7F) | (i + 1 < bytes ? 0x80 : 0));
    }
  }

  Buffer& out_;
};

}  // namespace steertag::report
