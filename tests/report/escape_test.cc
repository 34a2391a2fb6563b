// What cannot be written is spelled out; what a form would act upon is escaped.
#include "report/escape.h"

#include <catch2/catch.hpp>
#include <string>

#include "made.h"

namespace steertag::report {
namespace {

using namespace std::string_literals;

std::string xml(std::string_view text) {
  return printed([&](Buffer& out) { put_xml(out, text); });
}
std::string xml_value(std::string_view text) {
  return printed([&](Buffer& out) { put_xml_value(out, text); });
}

TEST_CASE("spelled: what is seen stays as it is, in lines") {
  CHECK(spelled("").empty());
  CHECK(spelled("a b\n\tc ~ \xC3\xA4 \xF0\x9F\x98\x80") == "a b\n\tc ~ \xC3\xA4 \xF0\x9F\x98\x80");
}

TEST_CASE("spelled: nothing that is not seen is lost") {
  CHECK(spelled("\0\x1B[31m\r\x7F"s) == "\\x00\\x1b[31m\\x0d\\x7f");
  CHECK(spelled("\xFF\xC0\xAF\xED\xA0\x80") == "\\xff\\xc0\\xaf\\xed\\xa0\\x80");  // overlong, a surrogate
  CHECK(spelled("\xE2\x80\xAE\xC2\x9B") == "\\u202e\\u009b");
  CHECK(spelled("\xF3\xA0\x80\x81") == "\\U000e0001");
}

TEST_CASE("spelled: characters that XML 1.0 has no place for") {
  CHECK(spelled("\xEF\xBF\xBE\xEF\xBF\xBF") == "\\ufffe\\uffff");
  CHECK(spelled("\xEF\xBF\xBD") == "\xEF\xBF\xBD");
}

TEST_CASE("XML: nothing ends what it stands in") {
  CHECK(xml("<a href=\"x\">&amp;]]>'") == "&lt;a href=&quot;x&quot;&gt;&amp;amp;]]&gt;'");
  CHECK(xml("a\n\tb\x01") == "a\n\tb\\x01");
}

TEST_CASE("XML: the value of an attribute keeps its lines") {
  CHECK(xml_value("a\n\t\"b\"") == "a&#10;&#9;&quot;b&quot;");
}

}  // namespace
}  // namespace steertag::report
