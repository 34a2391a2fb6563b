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
  return settings;
}

Options with_checksums(Options options, bool verified) {
  options.verify_checksums = verified;
  return options;
}

// At least as grave as the one, and at least as sure.
uint8_t both(uint8_t one, uint8_t other) {
  return static_cast<uint8_t>(std::max(one & 0xF0, other & 0xF0) | std::max(one & 0x0F, other & 0x0F));
}

}  // namespace

Accusations::One::One(Accusations& all, size_t number, const Options& options)
    : all_(all),
      number_(number),
      audit_(*this, with_checksums(options, kAll[number].checksums), in_profile(kAll[number].profile)) {}

Accusations::Accusations(const Options& options, const Accusations* before) : before_(before) {
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

void Accusations::take(size_t audit, const Finding& finding) {
  const uint64_t at = finding.at.number;
  // A note may be told where a connection ends, wherever that is.
  const Where where{finding.severity == Severity::note ? 0 : at, finding.rule->id};
  const auto weight = static_cast<uint8_t>((static_cast<unsigned>(finding.severity) + 1) << 4 |
                                           (static_cast<unsigned>(finding.certainty) + 1));
  if (before_ == nullptr) {
    uint8_t& most = found_[where][audit];
    most = both(most, weight);
    return;
  }
  const auto found = before_->found_.find(where);
  const uint8_t most = found == before_->found_.end() ? uint8_t{0} : found->second[audit];
  if (both(most, weight) == most) {
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
