#include "rules/accusations.h"

#include <algorithm>
#include <utility>

namespace steertag::rules {
namespace {

struct Way {
  Profile profile;
  bool checksums;
};
constexpr std::array<Way, Accusations::kAudits> kAll = {Way{Profile::deployed, false},
                                                        {Profile::strict, false},
                                                        {Profile::rfc5666, false},
                                                        {Profile::deployed, true}};

Settings in_profile(Profile profile) {
  Settings settings;
  settings.profile = profile;
  settings.answer_within_ns = 0;
  return settings;
}

Options with_checksums(Options options, bool verified) {
  options.verify_checksums = verified;
  return options;
}

}  // namespace

Accusations::One::One(Accusations& all, size_t number, const Options& options)
    : all_(all),
      number_(number),
      audit_(*this, with_checksums(options, kAll[number].checksums), in_profile(kAll[number].profile)) {}

void Accusations::Found::add(const Finding& finding) {
  for (size_t sure = 0; sure <= static_cast<size_t>(finding.certainty); ++sure) {
    violations[sure] =
        static_cast<uint16_t>(std::min<uint64_t>(violations[sure] + finding.count, UINT16_MAX));
  }
  severity = std::max(severity, static_cast<uint8_t>(finding.severity));
  blamed |= finding.blame == Blame::undecided ? 0 : static_cast<uint8_t>(finding.blame);
}

bool Accusations::Found::exceeds(const Found& other) const {
  for (size_t sure = 0; sure < violations.size(); ++sure) {
    if (violations[sure] > other.violations[sure]) {
      return true;
    }
  }
  return severity > other.severity || (blamed & ~other.blamed) != 0;
}

Accusations::Accusations(const Options& options, const Accusations* before)
    : before_(before), most_(options.memory / 2) {
  for (size_t number = 0; number < kAudits; ++number) {
    audits_.emplace_back(*this, number, options);
  }
}

void Accusations::feed(Frame frame) {
  frame.at.file = 0;
  frame.at.number = ++frames_;
  for (One& one : audits_) {
    one.audit().feed(frame);
  }
}

void Accusations::finish() {
  for (One& one : audits_) {
    one.audit().finish();
  }
  audits_.clear();
}

// Of those before it notes everything, of those behind what had its like.
bool Accusations::exceeds(const Where& where, size_t audit, const Finding& finding) {
  const Found* known = nullptr;
  if (before_ == nullptr) {
    full_ |= found_.size() * sizeof(*found_.begin()) + waits_.size() * sizeof(*waits_.begin()) >= most_;
    if (full_) {
      return false;
    }
  } else if (const auto entry = before_->found_.find(where); entry != before_->found_.end()) {
    known = &entry->second[audit];
  } else {
    return true;
  }
  Found& found = found_[where][audit];
  found.add(finding);
  return (finding.patience.found_ns != 0 && waits_longer(audit, finding)) ||
         (known != nullptr && found.exceeds(*known));
}

bool Accusations::waits_longer(size_t audit, const Finding& finding) {
  const std::pair call(finding.at.number, finding.xid.value_or(0));
  const Patience& now = finding.patience;
  if (before_ == nullptr) {
    waits_[call][audit] = now;
    return false;
  }
  const auto entry = before_->waits_.find(call);
  const Patience before = entry == before_->waits_.end() ? Patience() : entry->second[audit];
  return now.found_ns > before.found_ns || now.likely_ns > before.likely_ns ||
         now.blamed_ns > before.blamed_ns;
}

void Accusations::take(size_t audit, const Finding& finding) {
  const uint64_t at = finding.at.number;
  // A note may be told where a connection ends, wherever that is.
  const bool note = finding.severity == Severity::note;
  const Where where{note ? finding.connection->order : at, finding.rule, note};
  if (!exceeds(where, audit, finding)) {
    return;
  }
  uint64_t rests_on = at;
  for (const Stamp& related : finding.related) {
    rests_on = std::min(rests_on, related.number);
  }
  auto& first =
      beyond_.try_emplace({audit, finding.connection->number}, std::array{at, rests_on}).first->second;
  first = {std::min(first[0], at), std::min(first[1], rests_on)};
}

std::set<uint64_t> Accusations::beyond(Which which) const {
  std::set<uint64_t> frames;
  for (const auto& [connection, first] : beyond_) {
    frames.insert(first[which == Which::found ? 0 : 1]);
  }
  return frames;
}

std::optional<std::set<uint64_t>> find_cuts(const Accusations& before, const Options& options,
                                            const Write& write) {
  constexpr int kMostTimes = 32, kPatience = 3;
  std::set<uint64_t> cuts;
  for (int times = 0; times <= kMostTimes; ++times) {
    Accusations after(options, &before);
    std::set<uint64_t> next = cuts;
    if (!write(next, after)) {
      return std::nullopt;
    }
    after.finish();
    // A finding that stands where a connection ends moves with that end.
    using Which = Accusations::Which;
    const std::set<uint64_t> more = after.beyond(times < kPatience ? Which::found : Which::rests_on);
    if (more.empty()) {
      return cuts;
    }
    next.insert(more.begin(), more.end());
    cuts = std::move(next);
  }
  return std::nullopt;
}

}  // namespace steertag::rules
