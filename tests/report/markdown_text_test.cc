// No text is more than text, in any dialect of Markdown.
#include "report/markdown_text.h"

#include <catch2/catch.hpp>
#include <string>

#include "made.h"

namespace steertag::report {
namespace {

std::string prose(std::string_view text) {
  return printed([&](Buffer& out) { put_markdown(out, text); });
}
std::string code(std::string_view text) {
  return printed([&](Buffer& out) { put_markdown_code(out, text); });
}
std::string block(std::string_view text) {
  return printed([&](Buffer& out) { put_markdown_block(out, text); });
}

TEST_CASE("markdown: plain words stay words") {
  const std::string plain = "Responder 10.9.0.1: Reply returns 5 bytes (of 0x0000002a), 3 %; it's 1/2.";
  CHECK(prose(plain) == plain);
  CHECK(prose("").empty());
}

TEST_CASE("markdown: words that could be more are set as code, several together") {
  CHECK(prose("in rdma_writes it is") == "in `rdma_writes` it is");
  CHECK(prose("<b> *x* y") == "`<b> *x*` y");
  for (const char* word : {"@all", "#1", "[x](y)", "http://x", "www.example", "example.com", "a|b", "&lt;",
                           "~x~", "$x$", ":smile:", "fd09::1", "!", "\\", "\"", "\xC3\xA4"}) {
    CHECK(prose("a " + std::string(word)) == "a `" + std::string(word) + "`");
  }
}

TEST_CASE("markdown: code has a fence that is not in it") {
  CHECK(code("a") == "`a`");
  CHECK(code("a`b") == "``a`b``");
  CHECK(code("``") == "``` `` ```");
  CHECK(code(" a ") == "`  a  `");
  CHECK(code(" a") == "` a`");
  CHECK(code("a\nb\x1B") == "`a?b?`");
}

TEST_CASE("markdown: so has a block, whose lines stay") {
  CHECK(block("a\n\x1B") == "```text\na\n\\x1b\n```\n");
  CHECK(block("```\n") == "````text\n```\n````\n");
}

}  // namespace
}  // namespace steertag::report
