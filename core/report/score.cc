#include "report/score.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/named.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

bool is_scored(const rules::Requirement& requirement, rules::Profile profile) {
  const std::string_view other = profile == rules::Profile::rfc5666 ? "RFC 8166" : "RFC 5666";
  return requirement.level != rules::Level::may && requirement.document != other;
}

bool addresses(const rules::Requirement& requirement, rules::Blame blame) {
  switch (requirement.addressee) {
    case rules::Addressee::requester:
      return blame != rules::Blame::responder;
    case rules::Addressee::responder:
      return blame != rules::Blame::requester;
    case rules::Addressee::both:
      break;
  }
  return true;
}

// Whether what was found could have been such traffic as the requirement is about.
bool is_about(const rules::Requirement& requirement, const Alike& found) {
  const bool other_version = ((requirement.about & rules::version_one) != 0 && found.version == 2) ||
                             ((requirement.about & rules::version_two) != 0 && found.version == 1);
  const bool other_way = (requirement.about & rules::backward) != 0 && found.forward && !found.backward;
  return !other_version && !other_way;
}

// One is the other, or a part of it: "3.4.6.2" of "3.4.6".
bool akin(std::string_view a, std::string_view b) {
  const auto begins = [](std::string_view part, std::string_view whole) {
    return part.starts_with(whole) && (part.size() == whole.size() || part[whole.size()] == '.');
  };
  return begins(a, b) || begins(b, a);
}

void merge(std::vector<Breach>& into, const Breach& breach) {
  const auto same = std::find_if(into.begin(), into.end(), [&](const Breach& known) {
    return known.rule == breach.rule && known.blame == breach.blame;
  });
  if (same == into.end()) {
    into.push_back(breach);
    std::sort(into.begin(), into.end(), [](const Breach& a, const Breach& b) {
      return std::pair(a.rule->id, a.blame) < std::pair(b.rule->id, b.blame);
    });
    return;
  }
  same->count += breach.count;
  if (breach.place < same->place) {
    same->place = breach.place;
    same->at = breach.at;
    same->source = breach.source;
  }
}

void raise(Standing& standing, Standing to) {
  standing = std::max(standing, to);
}

// In the catalog.
size_t place_of(std::string_view id) {
  const auto all = rules::catalog();
  return static_cast<size_t>(
      std::find_if(all.begin(), all.end(), [&](const rules::Rule* one) { return one->id == id; }) -
      all.begin());
}

bool in_ledger(std::string_view document) {
  const auto files = rules::ledger_files();
  return std::any_of(files.begin(), files.end(),
                     [&](const rules::LedgerFile& file) { return file.document == document; });
}

// Those that are the clause, or else parts of it or that of which it is a part.
std::vector<Scored*> of_clause(const std::vector<Scored*>& among, const rules::Source& clause) {
  std::vector<Scored*> found;
  const auto take = [&](const auto& fits) {
    if (found.empty()) {
      std::copy_if(among.begin(), among.end(), std::back_inserter(found), [&](const Scored* scored) {
        return scored->requirement.document == clause.document && fits(scored->requirement.section);
      });
    }
  };
  take([&](std::string_view section) { return section == clause.section; });
  take([&](std::string_view section) { return akin(section, clause.section); });
  return found;
}

// Those that are, in their document, all that a rule checks, or of one clause with it.
std::vector<Scored*> of_one_clause(const std::vector<Scored*>& among) {
  std::vector<Scored*> found;
  std::copy_if(among.begin(), among.end(), std::back_inserter(found), [&](const Scored* scored) {
    const rules::Requirement& own = scored->requirement;
    return std::none_of(among.begin(), among.end(), [&](const Scored* other) {
      return other->requirement.document == own.document && other->requirement.section != own.section;
    });
  });
  return found;
}

}  // namespace

void Figures::add(const Scored& scored) {
  ++requirements;
  checkable += scored.requirement.checkable() ? 1 : 0;
  exercised += scored.standing != Standing::never ? 1 : 0;
  kept += scored.standing == Standing::kept ? 1 : 0;
  broken += scored.standing == Standing::broken ? 1 : 0;
  not_shown += scored.standing == Standing::undecided || scored.standing == Standing::doubtful ? 1 : 0;
}

Figures Score::figures(const std::function<bool(const rules::Requirement&)>& wanted) const {
  Figures figures;
  for (const Scored& scored : requirements_) {
    if (wanted(scored.requirement)) {
      figures.add(scored);
    }
  }
  return figures;
}

// What is broken is the clause of the finding. Where that is in a document which does not hold for this
// traffic, as those of version one in version two, it is what the rule stands for in those that hold, if that
// is one clause: of several, nothing says which.
void Score::blame(const Breach& breach, const Alike& found) {
  std::vector<Scored*> checked;
  bool holds = !in_ledger(breach.source.document);
  for (Scored& scored : requirements_) {
    const rules::Requirement& requirement = scored.requirement;
    holds |= requirement.document == breach.source.document && is_about(requirement, found);
    if (requirement.names(breach.rule->id) && traffic_.has(requirement.about) &&
        is_about(requirement, found) && addresses(requirement, breach.blame)) {
      checked.push_back(&scored);
      raise(scored.standing, Standing::doubtful);
    }
  }
  if (breach.count == 0) {
    return;
  }
  const std::vector<Scored*> broken = holds ? of_clause(checked, breach.source) : of_one_clause(checked);
  for (Scored* scored : broken) {
    scored->standing = Standing::broken;
    merge(scored->breaches, breach);
  }
  if (broken.empty()) {
    merge(besides_, breach);
  }
}

void Score::settle(std::span<const rules::Tally> tallies, std::span<const uint64_t> found) {
  for (Scored& scored : requirements_) {
    if (!traffic_.has(scored.requirement.about)) {
      continue;
    }
    for (const std::string_view id : scored.requirement.rules) {
      const size_t place = place_of(id);
      const rules::Tally tally = place < tallies.size() ? tallies[place] : rules::Tally();
      const bool unsaid = tally.broken != 0 && found[place] == 0;  // another finding explains it
      raise(scored.standing, unsaid                 ? Standing::doubtful
                             : tally.kept != 0      ? Standing::kept
                             : tally.checked() != 0 ? Standing::undecided
                                                    : Standing::never);
    }
  }
}

void Score::add(Score other, uint32_t first_file) {
  const uint32_t capture = ++added_;
  const auto shift = [&](std::vector<Breach>& breaches) {
    for (Breach& breach : breaches) {
      breach.place.capture = capture;
      breach.at.file += first_file;
    }
  };
  shift(other.besides_);
  for (Scored& scored : other.requirements_) {
    shift(scored.breaches);
  }
  traffic_.add(other.traffic_);
  if (requirements_.empty()) {
    requirements_ = std::move(other.requirements_);
    besides_ = std::move(other.besides_);
    return;
  }
  for (size_t i = 0; i < std::min(requirements_.size(), other.requirements_.size()); ++i) {
    raise(requirements_[i].standing, other.requirements_[i].standing);
    for (const Breach& breach : other.requirements_[i].breaches) {
      merge(requirements_[i].breaches, breach);
    }
  }
  for (const Breach& breach : other.besides_) {
    merge(besides_, breach);
  }
}

Score score(std::span<const rules::Tally> tallies, const Verdict& verdict, const ScoreTerms& terms) {
  Score made;
  made.traffic_ = verdict.traffic();
  for (rules::Requirement& requirement : rules::read_ledger()) {
    if (is_scored(requirement, terms.profile)) {
      made.requirements_.push_back({std::move(requirement), Standing::never, {}});
    }
  }
  std::vector<uint64_t> found(rules::catalog().size());
  for (const auto& [fingerprint, alike] : verdict.alike()) {
    found[place_of(alike.rule->id)] += alike.count;
    // What is too uncertain leaves open what was kept.
    made.blame({.rule = alike.rule,
                .blame = alike.blame,
                .source = alike.source,
                .count = alike.certainty < terms.least ? 0 : alike.count,
                .place = alike.first,
                .at = alike.at},
               alike);
  }
  made.settle(tallies, found);
  return made;
}

std::string_view name(rules::Addressee addressee) {
  static constexpr std::string_view names[] = {"requester", "responder", "both"};
  return base::named<rules::Addressee::both>(names, addressee);
}

}  // namespace steertag::report
