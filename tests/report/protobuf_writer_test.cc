#include "report/protobuf_writer.h"

#include <catch2/catch.hpp>
#include <string>

#include "report/perfetto_packet.h"

namespace steertag::report {
namespace {

std::string hex(const Buffer& buffer) {
  std::string text;
  for (const char c : view(buffer)) {
    text += fmt::format("{:02x}", static_cast<uint8_t>(c));
  }
  return text;
}

TEST_CASE("numbers are spelled in as few bytes as they need") {
  Buffer out;
  ProtobufWriter writer(out);
  writer.number(1, 0);
  writer.number(1, 127);
  writer.number(1, 150);
  writer.number(16, 1);
  writer.number(1, UINT64_MAX);
  CHECK(hex(out) ==
        "0800"
        "087f"
        "089601"
        "800101"
        "08ffffffffffffffffff01");
}

TEST_CASE("eight bytes and texts are as the format has them") {
  Buffer out;
  ProtobufWriter writer(out);
  writer.fixed64(47, 0x0102030405060708);
  writer.text(2, "testing");
  writer.text(2, "");
  CHECK(hex(out) ==
        "f902"
        "0807060504030201"
        "1207"
        "74657374696e67"
        "1200");
}

TEST_CASE("the length of a message is put in front of it, however long it is") {
  const size_t length = GENERATE(0, 1, 124, 125, 126, 127, 128, 16380, 16384, 2097152);
  Buffer out;
  put(out, "before");
  ProtobufWriter writer(out);
  const size_t outer = writer.message(1);
  const size_t inner = writer.message(3);
  put(out, std::string(length, 'x'));
  writer.end(inner);
  writer.end(outer);
  put(out, "behind");

  Buffer expected;
  put(expected, "before");
  ProtobufWriter flat(expected);
  Buffer within;
  ProtobufWriter(within).text(3, std::string(length, 'x'));
  flat.text(1, view(within));
  put(expected, "behind");
  CHECK(view(out) == view(expected));
}

TEST_CASE("a packet is whole, and its texts are printable") {
  Buffer out;
  {
    PerfettoEvent event(out, PerfettoType::instant, 5, 1000);
    event.name("a\x1b[31m\xff");
    event.note("key", uint64_t{7});
    event.note("key", "\xe2\x80\xae");
  }
  const std::string text(view(out));
  CHECK(static_cast<size_t>(static_cast<uint8_t>(text[1])) == text.size() - 2);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("a?[31m\\xff") != std::string::npos);
  CHECK(text.find("\\u202e") != std::string::npos);
}

}  // namespace
}  // namespace steertag::report
