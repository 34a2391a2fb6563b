// What is known: which of several entries counts, when there is too much of it, when it is stale; and that a
// Verdict keeps it apart from what is new.
#include "report/known.h"

#include <catch2/catch.hpp>
#include <string>

#include "made.h"
#include "report/verdict.h"
#include "rules/catalog.h"
#include "rules/fingerprint.h"

namespace steertag::report {
namespace {

struct Made {
  track::Connection connection = made_connection();
  rules::Finding finding;

  explicit Made(std::string_view id, const std::string& text = "Write chunk 1 returns 2 bytes") {
    for (const rules::Rule* rule : rules::catalog()) {
      finding.rule = rule->id == id ? rule : finding.rule;
    }
    finding.connection = &connection;
    finding.severity = rules::Severity::warning;
    finding.at = stamp(9);
    finding.text = text;
  }
  Known known(std::optional<uint64_t> at_most, const std::string& file = "known.toml") const {
    Known made;
    made.fingerprint = rules::fingerprint(finding);
    made.rule = finding.rule->id;
    made.at_most = at_most;
    made.reason = "so";
    made.file = file;
    made.line = 7;
    return made;
  }
};

TEST_CASE("known: as many as are accepted, and no more") {
  const Made made("CHK-12");
  KnownList list;
  list.add(made.known(2));
  KnownTally tally(list);
  for (const uint64_t found : {1, 2, 3}) {
    CHECK(tally.take(made.finding, found == 3) == list.all().data());
    CHECK(tally.exceeded().size() == (found > 2 ? 1 : 0));
  }
  CHECK(tally.exceeded()[0].found == 3);
  CHECK(tally.exceeded()[0].findings.warning == 3);
  CHECK(tally.exceeded()[0].fails);
  CHECK(tally.by_file().empty());
}

TEST_CASE("known: another shape is new") {
  const Made made("CHK-12");
  KnownList list;
  list.add(made.known(2));
  KnownTally tally(list);
  CHECK(tally.take(Made("CHK-12", "Reply chunk returns 2 bytes").finding, true) == nullptr);
  CHECK(tally.take(Made("CHK-11").finding, true) == nullptr);
  REQUIRE(tally.stale().size() == 1);
  CHECK(stale_text(*tally.stale()[0]) == "known.toml:7: CHK-12: known, but found no more");
}

TEST_CASE("known: any number is none, too") {
  const Made made("CHK-12");
  KnownList list;
  list.add(made.known({}));
  KnownTally tally(list);
  CHECK(tally.stale().empty());
  for (int i = 0; i < 100; ++i) {
    tally.take(made.finding, true);
  }
  CHECK(tally.exceeded().empty());
  CHECK(tally.by_file()[0].findings == 100);
}

TEST_CASE("known: of several entries the one that accepts most counts, wherever it stands") {
  const Made made("CHK-12");
  for (const bool first : {false, true}) {
    KnownList list;
    list.add(made.known(first ? 3 : 1, first ? "more" : "less"));
    list.add(made.known(first ? 1 : 3, first ? "less" : "more"));
    KnownTally tally(list);
    CHECK(tally.stale().size() == 2);
    CHECK(tally.take(made.finding, true)->file == "more");
    CHECK(tally.stale().empty());
  }
  KnownList any;
  any.add(made.known({}, "any"));
  any.add(made.known(9, "nine"));
  CHECK(any.all()[*any.find(made.known(0).fingerprint)].file == "any");
}

TEST_CASE("known: shares of the connections are too many together") {
  const Made made("CHK-12");
  KnownList list;
  list.add(made.known(1));
  KnownTally one(list), other(list);
  one.take(made.finding, false);
  other.take(made.finding, true);
  CHECK(one.exceeded().empty());
  one.add(other);
  REQUIRE(one.exceeded().size() == 1);
  CHECK(one.exceeded()[0].fails);
  Buffer out;
  text_exceeded(out, one.exceeded()[0]);
  CHECK(view(out) == "CHK-12: 2 found, 1 is known (known.toml:7)\n");
}

TEST_CASE("known: what one finding stands for counts, but of a habit only the finding") {
  Made made("CHK-12"), habit("INV-07");
  made.finding.count = habit.finding.count = 5;
  CHECK(times(made.finding) == 5);
  CHECK(times(habit.finding) == 1);
}

TEST_CASE("known: neither what is known nor what is new takes the other's place in a Verdict") {
  const Made made("CHK-12");
  const Known known = made.known(1);
  Verdict verdict;
  for (size_t i = 0; i < Verdict::kMostOfRule + 1; ++i) {
    verdict.add(made.finding, {}, &known);
  }
  verdict.add(made.finding, {});
  CHECK(verdict.findings().size() == Verdict::kMostOfRule + 1);
  CHECK(verdict.findings().back()->known == nullptr);
  CHECK(verdict.left_out(*made.finding.rule) == 1);
  CHECK(verdict.findings().front()->known == &known);
  verdict.exceeded(made.known(1));  // another one
  CHECK(verdict.findings().front()->known == &known);
  verdict.exceeded(known);
  CHECK(verdict.findings().front()->known == nullptr);
}

TEST_CASE("known: a kept finding reads as it did") {
  Made made("CHK-12");
  made.finding.blame = rules::Blame::responder;
  made.finding.by = rdma::Side::b;
  made.finding.related = {stamp(3)};
  Verdict verdict;
  verdict.add(made.finding, {});
  Buffer fresh, kept;
  text_finding(fresh, made.finding, {});
  text_finding(kept, *verdict.findings()[0], {});
  CHECK(view(fresh) == view(kept));
}

}  // namespace
}  // namespace steertag::report
