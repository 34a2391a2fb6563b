#include "base/printable.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"

namespace steertag::base {
namespace {

TEST_CASE("What people can read stays as it is") {
  CHECK(printable("") == "");
  CHECK(printable("a b/c.pcap") == "a b/c.pcap");
  CHECK(printable("gr\u00fc\u00df \u20ac \U0001f41f \u65e5\u672c \u0639\u0631") ==
        "gr\u00fc\u00df \u20ac \U0001f41f \u65e5\u672c \u0639\u0631");
  CHECK(printable("e\u0301") == "e\u0301");  // combined with what is before it
  CHECK(printable("\\u202e") == "\\u202e");  // already spelled out
}

TEST_CASE("A control character becomes a question mark") {
  CHECK(printable("a\nb\tc\x1b[31m\x7f") == "a?b?c?[31m?");
  CHECK(printable(std::string_view("\0x", 2)) == "?x");
}

TEST_CASE("What changes the direction of a line is spelled out") {
  CHECK(printable("x\u202egnp.pcap") == "x\\u202egnp.pcap");
  CHECK(printable("\u200e\u200f\u061c") == "\\u200e\\u200f\\u061c");
  CHECK(printable("\u202a\u202b\u202c\u202d") == "\\u202a\\u202b\\u202c\\u202d");
  CHECK(printable("\u2066\u2067\u2068\u2069") == "\\u2066\\u2067\\u2068\\u2069");
}

TEST_CASE("What nobody sees is spelled out") {
  CHECK(printable("a\u0080\u009b31m\u009f\u00a1") == "a\\u0080\\u009b31m\\u009f\u00a1");  // C1
  CHECK(printable("a\u200bb\u2060c\ufeffd\u00ade") == "a\\u200bb\\u2060c\\ufeffd\\u00ade");
  CHECK(printable("a\u2028b\u2029c") == "a\\u2028b\\u2029c");
  CHECK(printable("\u3164\u115f\uffa0\ufe0f") == "\\u3164\\u115f\\uffa0\\ufe0f");
  CHECK(printable("\U000e0041\U0001d173") == "\\U000e0041\\U0001d173");
}

TEST_CASE("What nobody sees begins and ends at the points of Unicode where it does") {
  const std::vector<std::pair<char32_t, char32_t>> unseen = {
      {0x80, 0x9F},       {0xAD, 0xAD},       {0x034F, 0x034F},   {0x0600, 0x0605},   {0x061C, 0x061C},
      {0x06DD, 0x06DD},   {0x070F, 0x070F},   {0x0890, 0x0891},   {0x08E2, 0x08E2},   {0x115F, 0x1160},
      {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x206F},
      {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},
      {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
      {0xE0000, 0xE0FFF}};
  for (const auto& [first, last] : unseen) {
    INFO("from U+" << std::hex << static_cast<uint32_t>(first));
    CHECK_FALSE(invisible(first - 1));
    CHECK(invisible(first));
    CHECK(invisible(last));
    CHECK_FALSE(invisible(last + 1));
  }
}

TEST_CASE("Bytes that are not UTF-8 are spelled out one by one") {
  CHECK(printable("a\x9b"
                  "b") == "a\\x9bb");  // CSI, where a terminal takes bytes
  CHECK(printable("\xe9t\xe9") == "\\xe9t\\xe9");
  CHECK(printable("\xc0\x9b\xe0\x80\x9b") == "\\xc0\\x9b\\xe0\\x80\\x9b");  // overlong
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");                    // a surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");           // above U+10FFFF
  CHECK(printable("\xe2\x80") == "\\xe2\\x80");                             // cut short
  CHECK(printable("\xe2\x80x") == "\\xe2\\x80x");
}

TEST_CASE("What a runner of CI would take for a command is spelled out") {
  CHECK(printable("a ##[stop-commands]x.pcap") == "a #\\x23[stop-commands]x.pcap");
  CHECK(printable("###vso[task]") == "#\\x23#vso[task]");
  CHECK(printable("::error::x") == "\\x3a:error::x");
  CHECK(printable(" \u3000::error::x") == " \u3000\\x3a:error::x");
  CHECK(printable("#1 fe80::1") == "#1 fe80::1");
  const std::string once = printable("::##[error]");
  CHECK(printable(once) == once);
}

}  // namespace
}  // namespace steertag::base
