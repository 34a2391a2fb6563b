// UTF-8: every character, and every way to write none.
#include "base/utf8.h"

#include <catch2/catch.hpp>
#include <string>

namespace steertag::base {
namespace {

// By RFC 3629 §3, also of what is no character.
std::string written(char32_t point, size_t length) {
  constexpr unsigned char kLeads[] = {0, 0, 0xC0, 0xE0, 0xF0};
  std::string text(length, '\0');
  for (size_t i = length; i-- > 1; point >>= 6) {
    text[i] = static_cast<char>(0x80 | (point & 0x3F));
  }
  text[0] = static_cast<char>(kLeads[length] | point);
  return text;
}

size_t length_of(char32_t point) {
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

TEST_CASE("every character is read as what it is, and surrogates are none") {
  size_t wrong = 0;
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    const Utf8 read = utf8(written(point, length_of(point)) + "x");
    const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    wrong += surrogate ? read.length != 0 : read.point != point || read.length != length_of(point);
  }
  CHECK(wrong == 0);
}

TEST_CASE("no character is too long, too short, too large, or begins in its midst") {
  CHECK(utf8("").length == 0);
  for (const char32_t point : {U'\0', U'\x7F', U'\x80', U'\x7FF', U'\x800', U'\xFFFF'}) {
    for (size_t length = length_of(point) + 1; length <= 4; ++length) {
      CHECK(utf8(written(point, length)).length == 0);
    }
  }
  CHECK(utf8(written(0x110000, 4)).length == 0);
  for (const unsigned char lead : {0x80, 0xBF, 0xF5, 0xF8, 0xFF}) {
    CHECK(utf8(std::string(1, static_cast<char>(lead)) + "\x80\x80\x80\x80").length == 0);
  }
  for (const char32_t point : {U'\xE9', U'\x20AC', U'\x1F600'}) {
    const std::string text = written(point, length_of(point));
    for (size_t cut = 1; cut < text.size(); ++cut) {
      CHECK(utf8(text.substr(0, cut)).length == 0);
      CHECK(utf8(text.substr(0, cut) + "x" + text.substr(cut + 1)).length == 0);
      CHECK(within_character(text, cut));
    }
    CHECK_FALSE(within_character(text, 0));
  }
}

TEST_CASE("what nobody sees is told from what stands beside it") {
  for (const char32_t point :
       {U'\x80', U'\x9F', U'\xAD', U'\x200B', U'\x200F', U'\x2028', U'\x202E', U'\xFEFF'}) {
    CHECK(invisible(point));
  }
  for (const char32_t point :
       {U'\0', U'\x7F', U'\xA0', U'\xAC', U'\x200A', U'\x2010', U'\x2027', U'\x202F'}) {
    CHECK_FALSE(invisible(point));
  }
}

}  // namespace
}  // namespace steertag::base
