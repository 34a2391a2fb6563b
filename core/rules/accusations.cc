#include "rules/accusations.h"

#include <algorithm>
#include <utility>

namespace steertag::rules {
namespace {

constexpr std::array<Profile, Accusations::kProfiles> kAll = {Profile::deployed, Profile::strict,
                                                              Profile::rfc5666};

Settings in_profile(Profile profile) {
  Settings settings;
  settings.profile = profile;
  return settings;
}

// At least as grave as the one, and at least as sure.
uint8_t both(uint8_t one, uint8_t other) {
  return static_cast<uint8_t>(std::max(one & 0xF0, other & 0xF0) | std::max(one & 0x0F, other & 0x0F));
}

}  // namespace

Accusations::Profiled::Profiled(Accusations& all, size_t number, const Options& options)
    : all_(all), number_(number), audit_(*this, options, in_profile(kAll[number])) {}

Accusations::Accusations(const Options& options, const Accusations* before) : before_(before) {
  for (size_t number = 0; number < kProfiles; ++number) {
    profiles_.emplace_back(*this, number, options);
  }
}

void Accusations::feed(Frame frame) {
  frame.at.file = 0;
  frame.at.number = ++frames_;
  for (Profiled& profile : profiles_) {
    profile.audit().feed(frame);
  }
}

void Accusations::finish() {
  for (Profiled& profile : profiles_) {
    profile.audit().finish();
  }
  profiles_.clear();
}

void Accusations::take(size_t profile, const Finding& finding) {
  const uint64_t at = finding.at.number;
  // A note may be told where a connection ends, wherever that is.
  const Where where{finding.severity == Severity::note ? 0 : at, finding.rule->id};
  const auto weight = static_cast<uint8_t>((static_cast<unsigned>(finding.severity) + 1) << 4 |
                                           (static_cast<unsigned>(finding.certainty) + 1));
  if (before_ == nullptr) {
    uint8_t& most = found_[where][profile];
    most = both(most, weight);
    return;
  }
  const auto found = before_->found_.find(where);
  const uint8_t most = found == before_->found_.end() ? uint8_t{0} : found->second[profile];
  if (both(most, weight) == most) {
    return;
  }
  uint64_t rests_on = at;
  for (const Stamp& related : finding.related) {
    rests_on = std::min(rests_on, related.number);
  }
  auto& first =
      beyond_.try_emplace({profile, finding.connection->number}, std::array{at, rests_on}).first->second;
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
