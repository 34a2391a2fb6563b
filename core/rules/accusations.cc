#include "rules/accusations.h"

#include <algorithm>
#include <map>

namespace steertag::rules {

namespace {

Settings in_profile(Profile profile) {
  Settings settings;
  settings.profile = profile;
  return settings;
}

}  // namespace

Accusations::Profiled::Profiled(const Options& options, Profile profile)
    : audit_(*this, options, in_profile(profile)) {}

void Accusations::Profiled::on_finding(const Finding& finding) {
  const uint64_t at = finding.at.number;
  Weight weight{finding.severity, finding.certainty, finding.connection->number, at, at};
  for (const Stamp& related : finding.related) {
    weight.rests_on = std::min(weight.rests_on, related.number);
  }
  const uint64_t where = finding.severity == Severity::note ? 0 : at;
  Weight& most = found_.try_emplace({where, finding.rule}, weight).first->second;
  most.severity = std::max(most.severity, weight.severity);
  most.certainty = std::max(most.certainty, weight.certainty);
  most.rests_on = std::min(most.rests_on, weight.rests_on);
}

void Accusations::Profiled::add_beyond(const Profiled& other, Which which, std::set<uint64_t>& frames) const {
  std::map<uint32_t, uint64_t> first;  // by connection
  for (const auto& [where, weight] : found_) {
    const auto theirs = other.found_.find(where);
    if (theirs == other.found_.end() || weight.above(theirs->second)) {
      const uint64_t from = which == Which::found ? weight.at : weight.rests_on;
      uint64_t& frame = first.try_emplace(weight.connection, from).first->second;
      frame = std::min(frame, from);
    }
  }
  for (const auto& [connection, frame] : first) {
    frames.insert(frame);
  }
}

Accusations::Accusations(const Options& options) {
  for (const Profile profile : {Profile::deployed, Profile::strict, Profile::rfc5666}) {
    profiles_.emplace_back(options, profile);
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
}

std::set<uint64_t> Accusations::beyond(const Accusations& other, Which which) const {
  std::set<uint64_t> frames;
  for (size_t i = 0; i < profiles_.size(); ++i) {
    profiles_[i].add_beyond(other.profiles_[i], which, frames);
  }
  return frames;
}

}  // namespace steertag::rules
