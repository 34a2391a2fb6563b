// HeldBack: findings that a missing packet could explain, for as long as one may
// still turn out to be missing. A side that speaks again proves that nothing it
// sent before is missing: otherwise a gap would have been told by now. What waits
// is released as sure as it is when both sides have spoken, and as only possible
// when a gap came to light.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "rules/finding.h"

namespace steertag::rules {

class HeldBack {
 public:
  // Beyond that the oldest is released as possible.
  static constexpr size_t kMost = 4096;

  // `release` is called with every finding whose wait is over.
  template <typename Release>
  void add(Finding finding, const Release& release) {
    if (held_.size() == kMost) {
      held_.front().finding.certainty = Certainty::possible;
      release(held_.front().finding);
      held_.pop_front();
    }
    const uint32_t now = finding.connection->doubts;
    held_.push_back({std::move(finding), now, {}});
  }

  // `from` has sent a message.
  template <typename Release>
  void on_heard(const track::Connection& connection, rdma::Side from, const Release& release) {
    take(connection, release, [&](Held& held) -> std::optional<Certainty> {
      held.heard[rdma::index(from)] = true;
      if (held.doubts != connection.doubts) {
        return Certainty::possible;
      }
      return held.heard[0] && held.heard[1] ? std::optional(Certainty::definite) : std::nullopt;
    });
  }

  // Nothing more will be heard: a last packet and its acknowledgement may both be missing.
  template <typename Release>
  void on_end(const track::Connection& connection, const Release& release) {
    take(connection, release, [&](const Held& held) {
      return std::optional(held.doubts != connection.doubts ? Certainty::possible : Certainty::likely);
    });
  }

  // What waits of `connection`, the oldest first.
  template <typename Visit>
  void each(const track::Connection& connection, const Visit& visit) const {
    for (const Held& held : held_) {
      if (held.finding.connection == &connection) {
        visit(held.finding);
      }
    }
  }

  bool empty() const { return held_.empty(); }
  const Finding& oldest() const { return held_.front().finding; }  // precondition: not empty

 private:
  struct Held {
    Finding finding;
    uint32_t doubts = 0;  // of the connection, when it was found
    bool heard[2] = {};   // a message of either side has come since
  };

  // `ready` says how sure a finding is at most, unset where it has to wait on.
  template <typename Release, typename Ready>
  void take(const track::Connection& connection, const Release& release, const Ready& ready) {
    for (size_t i = 0; i < held_.size();) {
      Held& held = held_[i];
      const bool ours = held.finding.connection == &connection;
      const std::optional<Certainty> most = ours ? ready(held) : std::nullopt;
      if (!most) {
        ++i;
        continue;
      }
      held.finding.certainty = std::min(held.finding.certainty, *most);
      release(held.finding);
      held_.erase(held_.begin() + static_cast<ptrdiff_t>(i));
    }
  }

  std::deque<Held> held_;
};

}  // namespace steertag::rules
