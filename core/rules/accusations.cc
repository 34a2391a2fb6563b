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
  const Weight weight{finding.severity, finding.certainty, finding.connection->number};
  Weight& most = found_.try_emplace({finding.at.number, finding.rule}, weight).first->second;
  most.severity = std::max(most.severity, weight.severity);
  most.certainty = std::max(most.certainty, weight.certainty);
}

void Accusations::Profiled::add_beyond(const Profiled& other, std::set<uint64_t>& frames) const {
  std::map<uint32_t, uint64_t> first;  // by connection
  for (const auto& [where, weight] : found_) {
    const auto theirs = other.found_.find(where);
    if (theirs == other.found_.end() || weight.above(theirs->second)) {
      uint64_t& frame = first.try_emplace(weight.connection, where.first).first->second;
      frame = std::min(frame, where.first);
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

std::set<uint64_t> Accusations::beyond(const Accusations& other) const {
  std::set<uint64_t> frames;
  for (size_t i = 0; i < profiles_.size(); ++i) {
    profiles_[i].add_beyond(other.profiles_[i], frames);
  }
  return frames;
}

}  // namespace steertag::rules
