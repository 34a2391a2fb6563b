#include "report/json_writer.h"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

namespace steertag::report {
namespace {

std::string string(std::string_view value) {
  Buffer out;
  JsonWriter(out).text(value);
  return std::string(view(out));
}

template <typename F>
std::string member(F&& write) {
  Buffer out;
  JsonWriter json(out);
  write(json);
  return std::string(view(out));
}

TEST_CASE("JSON text is escaped, and what is not UTF-8 is replaced") {
  CHECK(string("plain") == R"("plain")");
  CHECK(string("a\"b\\c/d") == R"("a\"b\\c/d")");
  CHECK(string("\n\t\r\x01\x7f") == R"("\n\t\r\u0001\u007f")");
  CHECK(string(std::string_view("\0", 1)) == R"("\u0000")");
  CHECK(string("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\x9f") ==
        "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\x9f\"");
  CHECK(string("a\u202eb\u009b\u200b\u00ad") == R"("a\u202eb\u009b\u200b\u00ad")");  // nobody would see them
  CHECK(string("\U000e0041") == R"("\udb40\udc41")");
  CHECK(string("\xff") == R"("\ufffd")");
  CHECK(string("\xc3") == R"("\ufffd")");                                // cut short
  CHECK(string("\xc0\xaf") == R"("\ufffd\ufffd")");                      // overlong
  CHECK(string("\xed\xa0\x80") == R"("\ufffd\ufffd\ufffd")");            // a surrogate
  CHECK(string("\xf4\x90\x80\x80") == R"("\ufffd\ufffd\ufffd\ufffd")");  // above U+10FFFF
}

TEST_CASE("JSON numbers, identifiers and times") {
  CHECK(member([](auto& j) { j.number("n", UINT64_MAX); }) == R"("n":18446744073709551615)");
  CHECK(member([](auto& j) { j.hex("x", 0x2A, 8); }) == R"("x":"0x0000002a")");
  CHECK(member([](auto& j) { j.hex("x", 0xDEADBEEF00000001, 16); }) == R"("x":"0xdeadbeef00000001")");
  const std::array<uint8_t, 3> bytes = {0, 0x2A, 0xFF};
  CHECK(member([&](auto& j) { j.hex("x", Bytes(bytes)); }) == R"("x":"002aff")");
  CHECK(member([](auto& j) { j.seconds("t", 1'700'000'000'000'000'042); }) ==
        R"("t":"1700000000.000000042")");
  CHECK(member([](auto& j) { j.seconds("t", 0); }) == R"("t":"0.000000000")");
  CHECK(member([](auto& j) { j.seconds("t", -1'500'000'000); }) == R"("t":"-1.500000000")");
  CHECK(member([](auto& j) { j.microseconds("us", 1'234'500); }) == R"("us":1234.5)");
  CHECK(member([](auto& j) { j.microseconds("us", 1'000'000); }) == R"("us":1000)");
  CHECK(member([](auto& j) { j.microseconds("us", 7); }) == R"("us":0.007)");
  CHECK(member([](auto& j) { j.microseconds("us", 0); }) == R"("us":0)");
  CHECK(member([](auto& j) { j.microseconds("us", -2'001); }) == R"("us":-2.001)");
}

TEST_CASE("Commas stand between members and elements, and nowhere else") {
  CHECK(member([](auto& json) {
          json.object();
          json.list("empty");
          json.end_list();
          json.list("list");
          json.number(1);
          json.number(2);
          json.object();
          json.boolean("b", true);
          json.end_object();
          json.list();
          json.end_list();
          json.end_list();
          json.object("o");
          json.end_object();
          json.text("last", "x");
          json.end_object();
          json.end_line();
          json.object();
          json.end_object();
        }) == R"({"empty":[],"list":[1,2,{"b":true},[]],"o":{},"last":"x"})"
              "\n{}");
}

}  // namespace
}  // namespace steertag::report
