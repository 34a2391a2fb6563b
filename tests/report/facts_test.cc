// What a trace says of a finding and of moved memory: what it shows otherwise is not said again.
#include "report/facts.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string_view>

#include "made.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

bool has(const Facts& facts, std::string_view key) {
  return std::any_of(facts.begin(), facts.end(), [=](const Fact& fact) { return fact.key == key; });
}

TEST_CASE("facts: a trace names the frames of moved memory, but not those that a finding rests on") {
  const track::Connection connection = made_connection();
  rules::Finding finding;
  finding.rule = rules::catalog()[0];
  finding.connection = &connection;
  finding.at = stamp(9);
  finding.related = {stamp(4), stamp(5)};
  const Facts of_finding = finding_facts(finding, Files{});
  CHECK(has(of_finding, "rule"));
  for (const char* key : {"related", "first_frame", "last_frame"}) {
    CHECK_FALSE(has(of_finding, key));
  }

  flow::Exchange exchange;
  exchange.connection = &connection;
  exchange.call = stamp(3);
  flow::SegmentFlow flow;
  flow.target = segment(7, 4096, 0);
  flow.traffic = traffic(4096, 1, finding.related);
  const Facts of_segment = segment_facts(exchange, flow, Files{});
  for (const char* key : {"frames", "first_frame", "last_frame"}) {
    CHECK(has(of_segment, key));
  }
}

}  // namespace
}  // namespace steertag::report
