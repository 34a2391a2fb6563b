// Which rules a Policy asks, and what of their findings fails.
#include "product/policy.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rules/catalog.h"

namespace steertag::product {
namespace {

const rules::Rule& rule(std::string_view id) {
  for (const rules::Rule* one : rules::catalog()) {
    if (one->id == id) {
      return *one;
    }
  }
  FAIL("no rule " << id);
  return *rules::catalog()[0];
}

}  // namespace

TEST_CASE("product: a policy selects and ignores rules by id and by family") {
  Policy policy;
  CHECK(policy.wants(rule("CRD-04")));
  policy.select = {"CRD", "INV-02"};
  CHECK(policy.wants(rule("CRD-04")));
  CHECK(policy.wants(rule("INV-02")));
  CHECK(!policy.wants(rule("INV-01")));
  policy.ignore = {"CRD-04"};
  CHECK(!policy.wants(rule("CRD-04")));
  CHECK(policy.wants_any("CRD"));
  policy.ignore = {"CRD"};
  CHECK(!policy.wants_any("CRD"));
}

TEST_CASE("product: a policy has another severity for a rule, else for its family, or turns it off") {
  Policy policy;
  policy.severities = {{"CRD", rules::Severity::note}, {"CRD-04", rules::Severity::warning}, {"INV-02", {}}};
  CHECK(policy.severity(rule("CRD-04"), rules::Severity::error) == rules::Severity::warning);
  CHECK(policy.severity(rule("CRD-01"), rules::Severity::error) == rules::Severity::note);
  CHECK(policy.severity(rule("INV-01"), rules::Severity::error) == rules::Severity::error);
  CHECK(!policy.wants(rule("INV-02")));
}

TEST_CASE("product: what fails depends on severity and certainty") {
  using rules::Certainty;
  using rules::Severity;
  Policy policy;
  CHECK(policy.fails(Severity::error, Certainty::likely));
  CHECK(!policy.fails(Severity::error, Certainty::possible));
  CHECK(!policy.fails(Severity::warning, Certainty::definite));
  policy.strict = true;
  CHECK(policy.fails(Severity::error, Certainty::possible));
  policy.fail_on = "note";
  CHECK(policy.fails(Severity::note, Certainty::definite));
  policy.fail_on = "never";
  CHECK(!policy.fails(Severity::error, Certainty::definite));
}

TEST_CASE("product: required rules without a verdict are named once") {
  std::vector<rules::Tally> tallies(rules::catalog().size());
  const std::vector<std::string> all = never_judged({"CRD", "CRD-04", "CRD"}, tallies);
  CHECK(std::count(all.begin(), all.end(), "CRD-04") == 1);
  CHECK(unjudged({"CRD"}, tallies).size() == all.size());
  for (rules::Tally& tally : tallies) {
    tally.kept = 1;
  }
  CHECK(never_judged({"CRD"}, tallies).empty());
  CHECK(split(joined({"CRD", "INV-02"})) == std::vector<std::string>{"CRD", "INV-02"});
}

}  // namespace steertag::product
