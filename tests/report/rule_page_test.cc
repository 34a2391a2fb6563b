// The page of a rule as people read it.
#include <catch2/catch.hpp>
#include <string>

#include "report/finding.h"
#include "report/made.h"

using namespace steertag;
using namespace steertag::report;

namespace {

std::string shown(std::string_view page, size_t width = 60) {
  return printed([&](Buffer& out) { put_rule_page(out, page, width, Palette()); });
}

}  // namespace

TEST_CASE("rule page: what is behind #! is said in words") {
  CHECK(expectation_words("CHK-02") == "must report CHK-02");
  CHECK(expectation_words("?CHK-02") == "may report CHK-02");
  CHECK(expectation_words("CHK-02 error definite \"Position 90\"") ==
        "must report CHK-02 (error, definite): \"Position 90\"");
  CHECK(expectation_words("ADR-01 ?ZZZ-02 note Z-1") ==
        "must report ADR-01; may report ZZZ-02 (note); must report Z-1");
  CHECK(expectation_words("") == "");
  CHECK(expectation_words("nothing") == "");
}

TEST_CASE("rule page: a fence says what a scenario is about, but not what only tests have to know") {
  CHECK(shown("```packets v1 iwarp\nclient> connect\n```\n") ==
        "  In version one, over iWARP:\n    client> connect\n");
  CHECK(shown("```packets whole\nclient> connect\n```\n") == "    client> connect\n");
  CHECK(shown("```packets nonsense strict\nclient> connect\n```\n") ==
        "  Under profile strict:\n    client> connect\n");
}

TEST_CASE("rule page: what must be reported stands beside its line, or below where there is no room") {
  const std::string_view page = "```packets\nclient> call\nserver> reply  #! CHK-02\n```\n";
  CHECK(shown(page) ==
        "    client> call\n"
        "    server> reply  <- must report CHK-02\n");
  CHECK(shown(page, 40) ==
        "    client> call\n"
        "    server> reply  <- must report CHK-02\n");
  CHECK(shown(page, 39) ==
        "    client> call\n"
        "    server> reply\n"
        "        ^ must report CHK-02\n");
}
