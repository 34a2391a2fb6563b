// What a Verdict keeps whole, what it only counts, and that it is the same for shares and for one.
#include "report/verdict.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "made.h"
#include "rules/catalog.h"
#include "rules/fingerprint.h"

namespace steertag::report {
namespace {

constexpr auto kError = rules::Severity::error;
constexpr auto kWarning = rules::Severity::warning;
constexpr auto kDefinite = rules::Certainty::definite;
constexpr auto kPossible = rules::Certainty::possible;

// Findings of one connection, each in a frame of its own.
struct Heard {
  track::Connection connection = made_connection();
  rules::Finding finding;
  uint64_t frame = 0;

  Heard() {
    finding.rule = rules::catalog()[0];
    finding.connection = &connection;
    finding.text = "something";
  }
  void tell(Verdict& verdict, const Known* known = nullptr) {
    finding.at = stamp(++frame);
    verdict.add(finding, {.frame = frame}, known);
  }
  void tell(Verdict& verdict, size_t times, const Known* known = nullptr) {
    for (size_t i = 0; i < times; ++i) {
      tell(verdict, known);
    }
  }
  Known known() const {
    Known made;
    made.fingerprint = rules::fingerprint(finding);
    made.rule = finding.rule->id;
    made.at_most = 1;
    return made;
  }
  const rules::Rule& rule() const { return *finding.rule; }
};

std::vector<uint64_t> frames_of(const Verdict& verdict) {
  std::vector<uint64_t> all;
  for (const KeptFinding* finding : verdict.findings()) {
    all.push_back(finding->at.number);
  }
  return all;
}

// What is counted by fingerprint.
std::string alike_in(const Verdict& verdict) {
  std::string made;
  for (const auto& [fingerprint, alike] : verdict.alike()) {
    made += fmt::format("{:016x} {} {} {}\n", fingerprint, alike.count, alike.times, alike.at.number);
  }
  return made + fmt::format("{}\n", verdict.beyond());
}

// All of it, to compare.
std::string words_of(const Verdict& verdict) {
  std::string made = alike_in(verdict);
  for (const KeptFinding* finding : verdict.findings()) {
    made += fmt::format("{} {} {}{}\n", finding->at.number, finding->rule->id, finding->text,
                        finding->known != nullptr ? " known" : "");
  }
  for (const rules::Rule* rule : rules::catalog()) {
    if (verdict.count(*rule) + verdict.left_out(*rule) != 0) {
      made += fmt::format("{} {} {}\n", rule->id, verdict.count(*rule), verdict.left_out(*rule));
    }
  }
  return made + fmt::format("{}\n", verdict.counts().all());
}

TEST_CASE("verdict: of a rule the first 200 findings are kept, the rest are counted") {
  Heard heard;
  for (const size_t count : {Verdict::kMostOfRule, Verdict::kMostOfRule + 1, Verdict::kMostOfRule + 77}) {
    Verdict verdict;
    heard.frame = 0;
    heard.tell(verdict, count);
    CHECK(verdict.findings().size() == Verdict::kMostOfRule);
    CHECK(frames_of(verdict).back() == Verdict::kMostOfRule);
    CHECK(verdict.left_out(heard.rule()) == count - Verdict::kMostOfRule);
    CHECK(verdict.count(heard.rule()) == count);
    CHECK(verdict.count(heard.rule(), kError, kDefinite) == count);
    CHECK(verdict.count(heard.rule(), kWarning, kDefinite) == 0);
    CHECK(verdict.counts().error == count);
    CHECK(verdict.alike().begin()->second.count == count);
    CHECK(verdict.left_out(*rules::catalog()[1]) == 0);
  }
}

TEST_CASE("verdict: one rule does not take the place of another") {
  Heard heard;
  Verdict verdict;
  heard.tell(verdict, Verdict::kMostOfRule + 1);
  heard.finding.rule = rules::catalog()[1];
  heard.finding.severity = kWarning;
  heard.finding.certainty = kPossible;
  heard.tell(verdict);
  CHECK(verdict.findings().size() == Verdict::kMostOfRule + 1);
  CHECK(verdict.count(heard.rule(), kWarning, kPossible) == 1);
  CHECK(verdict.left_out(heard.rule()) == 0);
}

TEST_CASE("verdict: 4096 fingerprints are told apart, and of the others the violations are counted") {
  Heard heard;
  Verdict verdict;
  heard.finding.count = 3;
  for (size_t i = 0; i < Verdict::kMostAlike; ++i) {
    heard.finding.op = fmt::format("OP{}", i);
    heard.tell(verdict);
  }
  CHECK(verdict.alike().size() == Verdict::kMostAlike);
  CHECK(verdict.beyond() == 0);
  heard.tell(verdict);  // the same as the last one
  CHECK(verdict.beyond() == 0);
  heard.finding.op = "ANOTHER";
  heard.tell(verdict);
  CHECK(verdict.alike().size() == Verdict::kMostAlike);
  CHECK(verdict.beyond() >= 3);
  uint64_t counted = verdict.beyond();
  for (const auto& [fingerprint, alike] : verdict.alike()) {
    counted += alike.count;
  }
  CHECK(counted == 3 * (Verdict::kMostAlike + 2));
}

TEST_CASE("verdict: which fingerprints are told apart does not depend on their order, nor on the shares") {
  constexpr size_t kOps = Verdict::kMostAlike + 500;
  Heard heard;
  const auto tell = [&](Verdict& verdict, size_t op) {
    heard.finding.op = fmt::format("OP{}", op);
    heard.frame = op;
    heard.tell(verdict);
    heard.frame = op;
    heard.tell(verdict);
  };
  Verdict forward, backward, shares[2];
  for (size_t op = 0; op < kOps; ++op) {
    tell(forward, op);
    tell(backward, kOps - 1 - op);
    tell(shares[op % 3 == 0 ? 0 : 1], op);
  }
  CHECK(forward.beyond() == 1000);
  CHECK((alike_in(forward) == alike_in(backward)));
  Verdict all;
  const Merger merger(2);
  all.take_over(shares[1], 1, merger);
  all.take_over(shares[0], 0, merger);
  CHECK((words_of(forward) == words_of(all)));  // too long to be shown
}

TEST_CASE("verdict: what is known is counted apart, and all of it again where it is exceeded") {
  Heard heard;
  const Known known = heard.known();
  Verdict verdict;
  heard.tell(verdict, Verdict::kMostOfRule + 5, &known);
  heard.finding.text = "something else";
  heard.finding.severity = kWarning;
  heard.tell(verdict, 2);
  CHECK(verdict.count(heard.rule()) == 2);
  CHECK(verdict.count(heard.rule(), kError, kDefinite) == 0);
  CHECK(verdict.left_out(heard.rule()) == 5);
  CHECK(verdict.counts().all() == Verdict::kMostOfRule + 7);
  REQUIRE(verdict.accepted().size() == 1);
  CHECK(verdict.accepted()[0].known == &known);
  CHECK(verdict.accepted()[0].findings == Verdict::kMostOfRule + 5);

  verdict.exceeded(known);
  CHECK(verdict.accepted().empty());
  CHECK(verdict.count(heard.rule()) == Verdict::kMostOfRule + 7);
  CHECK(verdict.count(heard.rule(), kError, kDefinite) == Verdict::kMostOfRule + 5);
  CHECK(verdict.left_out(heard.rule()) == 5);
  for (const KeptFinding* finding : verdict.findings()) {
    CHECK(finding->known == nullptr);
  }
  verdict.exceeded(known);  // nothing of it is left
  CHECK(verdict.count(heard.rule()) == Verdict::kMostOfRule + 7);
}

TEST_CASE("verdict: of two that are known, only that which is exceeded counts") {
  Heard heard;
  const Known one = heard.known();
  Verdict verdict;
  heard.tell(verdict, 3, &one);
  heard.finding.text = "something else";
  const Known other = heard.known();
  heard.tell(verdict, 4, &other);
  verdict.exceeded(one);
  CHECK(verdict.count(heard.rule()) == 3);
  REQUIRE(verdict.accepted().size() == 1);
  CHECK(verdict.accepted()[0].known == &other);
  const std::vector<const KeptFinding*> all = verdict.findings();
  CHECK(std::count_if(all.begin(), all.end(), [](const KeptFinding* f) { return f->known != nullptr; }) == 4);
}

TEST_CASE("verdict: shares that are taken over are as one that heard of everything") {
  Heard heard;
  const Known known = heard.known();
  Verdict whole, shares[3];
  for (size_t i = 0; i < 3 * Verdict::kMostOfRule; ++i) {
    const bool is_known = i % 5 == 0;
    heard.finding.text = is_known ? "something" : fmt::format("something of {}", i);
    heard.finding.rule = rules::catalog()[i % 7 == 0 && !is_known ? 1 : 0];
    heard.frame = i;
    heard.tell(whole, is_known ? &known : nullptr);
    heard.frame = i;
    heard.tell(shares[i * i % 3], is_known ? &known : nullptr);
  }
  Verdict all;
  const Merger merger(3);
  for (const size_t place : {2, 0, 1}) {
    all.take_over(shares[place], place, merger);
  }
  CHECK(words_of(all) == words_of(whole));
  CHECK(all.left_out(*rules::catalog()[0]) > 0);
  all.exceeded(known);
  whole.exceeded(known);
  CHECK(words_of(all) == words_of(whole));
}

// Versions that are neither 1 nor 2 have one fingerprint.
TEST_CASE("verdict: of versions that are not told apart it is the first, whoever heard of it") {
  Heard heard;
  Verdict early, late;
  heard.finding.version = 3;
  heard.tell(early);
  heard.finding.version = 65536;
  heard.tell(late);
  Merger merger(1);
  late.take_over(early, 0, merger);
  REQUIRE(late.alike().size() == 1);
  CHECK(late.alike().begin()->second.version == 3);
}

TEST_CASE("verdict: captures stay in their order, each with its files and connections") {
  Heard heard;
  Verdict first, second, all;
  heard.finding.related = {stamp(2)};
  heard.frame = 50;
  heard.tell(first, 2);
  heard.connection.number = 9;
  heard.frame = 10;  // earlier in the one that comes behind
  heard.tell(second, 2);
  all.append(first, 0);
  all.append(second, 1);
  CHECK(frames_of(all) == std::vector<uint64_t>{51, 52, 11, 12});
  const std::vector<const KeptFinding*> kept = all.findings();
  CHECK(kept[1]->at.file == 0);
  CHECK(kept[2]->at.file == 1);
  CHECK(kept[2]->related[0].file == 1);
  CHECK(kept[2]->number == 9);
  const Alike& alike = all.alike().begin()->second;
  CHECK(alike.count == 4);
  CHECK(alike.at.number == 51);
  CHECK(alike.at.file == 0);
  CHECK(all.counts().error == 4);
}

TEST_CASE("verdict: of several captures the first 200 findings of a rule are kept, too") {
  Heard heard;
  const Known known = heard.known();
  Verdict all;
  for (uint32_t file = 0; file < 3; ++file) {
    Verdict one;
    heard.tell(one, Verdict::kMostOfRule - 50, nullptr);
    heard.tell(one, 2, &known);
    all.append(one, file);
  }
  CHECK(all.count(heard.rule()) == 3 * (Verdict::kMostOfRule - 50));
  CHECK(all.left_out(heard.rule()) == 2 * Verdict::kMostOfRule - 150);
  CHECK(all.accepted()[0].findings == 6);
  size_t of_file[3] = {};
  for (const KeptFinding* finding : all.findings()) {
    ++of_file[finding->at.file];
  }
  CHECK(of_file[0] == Verdict::kMostOfRule - 50 + 2);
  CHECK(of_file[1] == 50 + 2);
  CHECK(of_file[2] == 2);
}

}  // namespace
}  // namespace steertag::report
