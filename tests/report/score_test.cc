// What a scorecard says of a requirement, by what rules have counted and found.
#include "report/score.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "made.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

using rules::Blame;
using rules::Certainty;

// An audit of version one: what its rules have counted, and found.
struct CountedAudit {
  track::Connection connection = made_connection();
  std::vector<rules::Tally> tallies{rules::catalog().size()};
  Verdict verdict;

  explicit CountedAudit(uint32_t version = 1) { verdict.note(MadeMessage(made_header(version, 0)).message); }

  static size_t place(std::string_view id) {
    const auto all = rules::catalog();
    return static_cast<size_t>(
        std::find_if(all.begin(), all.end(), [&](const rules::Rule* rule) { return rule->id == id; }) -
        all.begin());
  }
  rules::Tally& tally(std::string_view id) { return tallies[place(id)]; }
  // One violation, of which there may be a finding.
  CountedAudit& breaks(std::string_view id, Blame blame, uint64_t frame,
                       Certainty certainty = Certainty::definite, std::optional<rules::Source> source = {}) {
    ++tally(id).broken;
    rules::Finding finding;
    finding.rule = rules::catalog()[place(id)];
    finding.source = source.value_or(finding.rule->source);
    finding.severity = finding.rule->severity;
    finding.connection = &connection;
    finding.certainty = certainty;
    finding.blame = blame;
    finding.by = blame == Blame::requester ? rdma::Side::a : rdma::Side::b;
    finding.version = 1;
    finding.at = stamp(frame);
    finding.text = "text";
    verdict.add(finding, Moment{.frame = frame});
    return *this;
  }
  Score scored(const ScoreTerms& terms = {}) const { return score(tallies, verdict, terms); }
};

const Scored& the(const Score& score, std::string_view document, std::string_view words) {
  const auto found =
      std::find_if(score.requirements().begin(), score.requirements().end(), [&](const Scored& one) {
        return one.requirement.document == document && one.requirement.words.starts_with(words);
      });
  REQUIRE(found != score.requirements().end());
  return *found;
}
Standing standing(const Score& score, std::string_view words, std::string_view document = "RFC 8166") {
  return the(score, document, words).standing;
}

constexpr std::string_view kGrant = "a Requester has no more Calls open";  // 3.3.1: CRD-03
constexpr std::string_view kLengths = "and each length says how much";     // 3.4.6: MEM-09
constexpr std::string_view kPushed = "eligible results are pushed";        // 4.3.2: DDP-04 MEM-09
constexpr std::string_view kBackwardXid = "a reverse Call, inline or in a chunk, opens";  // XID-01

TEST_CASE("score: a requirement stands as its rules have counted") {
  CountedAudit audit;
  CHECK(standing(audit.scored(), kGrant) == Standing::never);
  audit.tally("CRD-03").give_up(rules::Lack::loss);
  CHECK(standing(audit.scored(), kGrant) == Standing::undecided);
  audit.tally("CRD-03").kept = 1;
  CHECK(standing(audit.scored(), kGrant) == Standing::kept);
  audit.breaks("CRD-03", Blame::requester, 7);
  CHECK(standing(audit.scored(), kGrant) == Standing::broken);
}

TEST_CASE("score: only what is about such traffic as there was is exercised") {
  CountedAudit one(1), two(2);
  for (CountedAudit* audit : {&one, &two}) {
    audit->tally("CRD-03").kept = audit->tally("XID-01").kept = 1;
  }
  constexpr std::string_view kOwn = "each direction has XIDs and credits of its own";  // version two: CRD-03
  CHECK(standing(one.scored(), kGrant) == Standing::kept);
  CHECK(standing(one.scored(), kOwn, "version-two-02") == Standing::never);
  CHECK(standing(two.scored(), kGrant) == Standing::never);
  CHECK(standing(two.scored(), kOwn, "version-two-02") == Standing::kept);
  CHECK(standing(one.scored(), kBackwardXid, "RFC 8167") == Standing::never);
  flow::Exchange callback;
  callback.backward = true;
  one.verdict.note(callback);
  CHECK(standing(one.scored(), kBackwardXid, "RFC 8167") == Standing::kept);
  one.breaks("XID-01", Blame::requester, 5);  // by the client, in a Call of its own
  CHECK(standing(one.scored(), kBackwardXid, "RFC 8167") != Standing::broken);
}

TEST_CASE("score: what broke is the clause, and what else its rule checks is left open") {
  CountedAudit audit;
  audit.tally("MEM-09").kept = audit.tally("DDP-04").kept = 9;
  CHECK(standing(audit.scored(), kPushed) == Standing::kept);
  audit.breaks("MEM-09", Blame::responder, 22).breaks("MEM-09", Blame::responder, 12);
  const Score score = audit.scored();
  CHECK(standing(score, kLengths) == Standing::broken);
  CHECK(standing(score, kPushed) == Standing::doubtful);
  const std::vector<Breach>& breaches = the(score, "RFC 8166", kLengths).breaches;
  REQUIRE(breaches.size() == 1);
  CHECK(breaches[0].rule->id == "MEM-09");
  CHECK(breaches[0].count == 2);
  CHECK(breaches[0].at.number == 12);
  CHECK(score.besides().empty());
}

TEST_CASE("score: what one end has broken the other has not") {
  CountedAudit audit;
  audit.tally("CRD-03").kept = 1;
  audit.breaks("CRD-03", Blame::responder, 7);
  CHECK(standing(audit.scored(), kGrant) == Standing::kept);
  CHECK(audit.scored().besides().size() == 1);  // but it is not forgotten
  audit.breaks("CRD-03", Blame::undecided, 9);
  CHECK(standing(audit.scored(), kGrant) == Standing::broken);
}

TEST_CASE("score: what a missing frame could explain breaks nothing, unless that is wanted") {
  CountedAudit audit;
  audit.tally("CRD-03").kept = 1;
  audit.breaks("CRD-03", Blame::requester, 7, Certainty::possible);
  CHECK(standing(audit.scored(), kGrant) == Standing::doubtful);
  CHECK(standing(audit.scored({.least = Certainty::possible}), kGrant) == Standing::broken);
}

TEST_CASE(
    "score: a violation that was never reported, since another explains it, leaves open what was kept") {
  CountedAudit audit;
  audit.tally("CRD-03").kept = 5;
  audit.tally("CRD-03").broken = 1;
  CHECK(standing(audit.scored(), kGrant) == Standing::doubtful);
}

TEST_CASE("score: what breaks the prose of a document is found besides") {
  CountedAudit audit;
  audit.breaks("MEM-01", Blame::responder, 7);  // implied in RFC 8166
  const Score score = audit.scored();
  REQUIRE(score.besides().size() == 1);
  CHECK(score.besides()[0].rule->id == "MEM-01");
  CHECK(score.figures([](const rules::Requirement&) { return true; }).broken == 0);
}

TEST_CASE("score: version one is scored by RFC 8166, or by RFC 5666") {
  CountedAudit audit;
  audit.breaks("CRD-03", Blame::requester, 7);
  const auto size = [&](const ScoreTerms& terms, std::string_view document) {
    return audit.scored(terms)
        .figures([&](const rules::Requirement& one) { return one.document == document; })
        .requirements;
  };
  const ScoreTerms old{.profile = rules::Profile::rfc5666};
  CHECK(size({}, "RFC 8166") > 0);
  CHECK(size({}, "RFC 5666") == 0);
  CHECK(size(old, "RFC 8166") == 0);
  CHECK(size(old, "RFC 5666") > 0);
  // Findings cite RFC 8166. In RFC 5666, CRD-03 stands for two clauses, and XID-01 for one.
  audit.breaks("XID-01", Blame::requester, 8);
  const Score score = audit.scored(old);
  CHECK(standing(score, "a client has no more Calls open", "RFC 5666") == Standing::doubtful);
  CHECK(standing(score, "the XID of the transport header", "RFC 5666") == Standing::broken);
  REQUIRE(score.besides().size() == 1);
  CHECK(score.besides()[0].rule->id == "CRD-03");
}

TEST_CASE("score: figures add up") {
  CountedAudit audit;
  audit.tally("CRD-03").kept = audit.tally("MEM-09").kept = audit.tally("XID-01").kept = 1;
  audit.tally("CHK-12").give_up(rules::Lack::bytes);
  audit.breaks("MEM-09", Blame::responder, 7);
  const Figures all = audit.scored().figures([](const rules::Requirement&) { return true; });
  CHECK(all.broken == 1);
  CHECK(all.kept > 0);
  CHECK(all.not_shown > 0);
  CHECK(all.exercised == all.kept + all.broken + all.not_shown);
  CHECK(all.exercised < all.checkable);
  CHECK(all.checkable < all.requirements);
}

TEST_CASE("score: what was never put to the test is listed by document and section") {
  CountedAudit audit;
  audit.verdict.note(MadeMessage(made_header(2, 0)).message);
  const std::string text = printed([&](Buffer& out) { text_score(out, audit.scored(), TextStyle()); });
  CHECK(text.find(" RFC 8166 4, 4.6.1, 4.6.2\n") != std::string::npos);                              // PRC
  CHECK(text.find(" RFC 8166 3.4.6; version-two-02 7; reminv-design-09 1\n") != std::string::npos);  // MEM
  CHECK(text.find("; RFC 8166") == std::string::npos);  // the first document has none in front of it
}

TEST_CASE("score: captures add up to an implementation") {
  CountedAudit kept, broken, again;
  kept.tally("CRD-03").kept = kept.tally("MEM-09").kept = 1;
  broken.breaks("MEM-09", Blame::responder, 4);
  again.breaks("MEM-09", Blame::responder, 2);
  Verdict all;
  Score sum;
  uint32_t file = 0;
  for (CountedAudit* audit : {&kept, &broken, &again}) {
    sum.add(audit->scored(), file);
    all.append(audit->verdict, file++);
  }
  CHECK(standing(sum, kGrant) == Standing::kept);
  CHECK(standing(sum, kLengths) == Standing::broken);
  CHECK(the(sum, "RFC 8166", kLengths).breaches.at(0).count == 2);
  CHECK(the(sum, "RFC 8166", kLengths).breaches.at(0).at.file == 1);
  CHECK(the(sum, "RFC 8166", kLengths).breaches.at(0).at.number == 4);
  REQUIRE(all.alike().size() == 1);
  CHECK(all.alike().begin()->second.at.number == 4);  // of the capture that comes first
  CHECK(all.alike().begin()->second.at.file == 1);
  CHECK(all.counts().all() == 2);
}

}  // namespace
}  // namespace steertag::report
