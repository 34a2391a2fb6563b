// Score: what an audit says of each requirement of the ledger: whether this traffic put it to the test, and
// whether it was kept or broken. It is worked out from the tallies of the rules and from a Verdict, and
// nothing else.
//
// A rule may check several requirements. What it found counts against those of the clause that the finding
// cites, if they are addressed to the end that is to blame, and about the version and the direction that it
// was found in; for the others that the rule checks, a violation leaves open what was kept. By whom something
// was kept is not counted by rules: a requirement is kept where one of its rules was judged, of whichever
// end, and nothing was found against the end that it addresses. Scores of several captures add up to that of
// an implementation.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "report/buffer.h"
#include "report/files.h"
#include "report/text.h"
#include "report/verdict.h"
#include "rules/ledger.h"
#include "rules/tally.h"

namespace steertag::report {

// Of one requirement; of several captures together, the highest.
enum class Standing : uint8_t {
  never,      // no occasion, or no traffic of the kind that it is about
  undecided,  // there were occasions, but the capture hides what decides
  kept,
  doubtful,  // something was found that frames missing from the capture could explain, or of another clause
  broken,
};

// What a rule found: how often, by whom, and the first of it.
struct Breach {
  const rules::Rule* rule = nullptr;
  rules::Blame blame = rules::Blame::undecided;
  rules::Source source;
  uint64_t count = 0;  // violations
  Place place;         // of the first
  Stamp at;
};

struct Scored {
  rules::Requirement requirement;
  Standing standing = Standing::never;
  std::vector<Breach> breaches;  // by rule and blame, where it is broken
};

// exercised = kept + broken + not_shown, and checkable - exercised were never put to the test.
struct Figures {
  uint64_t requirements = 0, checkable = 0, exercised = 0, kept = 0, broken = 0, not_shown = 0;
  void add(const Scored& scored);
};

struct ScoreTerms {
  rules::Profile profile = rules::Profile::deployed;
  rules::Certainty least = rules::Certainty::likely;  // findings that are less certain break nothing
};

class Score {
 public:
  // A MAY is no requirement: it has none. Under profile `rfc5666`, version one is scored by RFC 5666 in place
  // of RFC 8166.
  const std::vector<Scored>& requirements() const { return requirements_; }
  // Findings that count against no requirement: by rules that rest on the prose of a document or on other
  // documents, and where a rule checks several clauses and the finding cites none of them.
  const std::vector<Breach>& besides() const { return besides_; }
  const rules::Traffic& traffic() const { return traffic_; }

  // Of those that are wanted.
  Figures figures(const std::function<bool(const rules::Requirement&)>& wanted) const;
  // That of another capture, on the same terms, which comes behind all that were added: its files are those
  // from `first_file` on.
  void add(Score other, uint32_t first_file);

 private:
  friend Score score(std::span<const rules::Tally> tallies, const Verdict& verdict, const ScoreTerms& terms);
  void blame(const Breach& breach, const Alike& found);
  void settle(std::span<const rules::Tally> tallies, std::span<const uint64_t> found);

  std::vector<Scored> requirements_;
  std::vector<Breach> besides_;
  rules::Traffic traffic_;
  uint32_t added_ = 0;  // captures
};

// `tallies`: by rule, in the order of the catalog, of the same audit.
Score score(std::span<const rules::Tally> tallies, const Verdict& verdict, const ScoreTerms& terms = {});

// "requester", "responder", "both".
std::string_view name(rules::Addressee addressee);

// For people, within 80 columns; `verbose`: each requirement that was never put to the test, and not only
// their number.
void text_score(Buffer& out, const Score& score, const TextStyle& style);
// {"type":"score"}, a line for each document, family, role and level.
void json_score(Buffer& out, const Score& score);

}  // namespace steertag::report
