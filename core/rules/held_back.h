// HeldBack: findings that a missing packet could explain, for as long as one may
// still turn out to be missing. A side that speaks again proves that nothing it
// sent before is missing: otherwise a gap would have been reported by now. What
// waits is released as sure as it is when both sides have spoken, and as only
// possible when a gap came to light.
//
// Of one connection, what was found first is released first, so that only the
// front of its queue is ever looked at.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <list>
#include <optional>
#include <utility>

#include "rules/finding.h"

namespace steertag::rules {

class HeldBack {
 public:
  // Of all connections. Beyond that the oldest is released as possible.
  static constexpr size_t kMost = 4096;

  // `release` is called with every finding whose wait is over.
  template <typename Release>
  void add(Finding finding, const Release& release) {
    if (held_.size() == kMost) {
      const auto oldest = waiting_.find(held_.front().finding.connection);
      release_first(oldest->second, Certainty::possible, release);
      if (oldest->second.queue.empty()) {
        waiting_.erase(oldest);
      }
    }
    const track::Connection* connection = finding.connection;
    held_.push_back({std::move(finding), connection->doubts, ++added_});
    waiting_[connection].queue.push_back(std::prev(held_.end()));
  }

  // `from` has sent a message.
  template <typename Release>
  void on_heard(const track::Connection& connection, rdma::Side from, const Release& release) {
    const auto found = find(connection);
    if (found == waiting_.end()) {
      return;
    }
    std::array<uint64_t, 2>& heard = found->second.heard;
    heard[rdma::index(from)] = added_;
    take(found, release, [&](const Held& held) -> std::optional<Certainty> {
      if (held.doubts != connection.doubts) {
        return Certainty::possible;
      }
      return held.number <= std::min(heard[0], heard[1]) ? std::optional(Certainty::definite) : std::nullopt;
    });
  }

  // Nothing more will be heard: a last packet and its acknowledgement may both be missing.
  template <typename Release>
  void on_end(const track::Connection& connection, const Release& release) {
    const auto found = find(connection);
    if (found != waiting_.end()) {
      take(found, release, [&](const Held& held) -> std::optional<Certainty> {
        return held.doubts != connection.doubts ? Certainty::possible : Certainty::likely;
      });
    }
  }

  // The newest of the last `most` that wait of `connection`, which `fits`; null where there is none.
  template <typename Fits>
  const Finding* newest(const track::Connection& connection, size_t most, const Fits& fits) const {
    const auto found = waiting_.find(&connection);
    if (found == waiting_.end()) {
      return nullptr;
    }
    const std::deque<Place>& queue = found->second.queue;
    for (auto place = queue.rbegin(); place != queue.rend() && most != 0; ++place, --most) {
      if (fits((*place)->finding)) {
        return &(*place)->finding;
      }
    }
    return nullptr;
  }

  bool empty() const { return held_.empty(); }
  const Finding& oldest() const { return held_.front().finding; }  // precondition: not empty

 private:
  struct Held {
    Finding finding;
    uint32_t doubts = 0;  // of the connection, when it was found
    uint64_t number = 0;  // in the order in which they came
  };
  using Place = std::list<Held>::iterator;
  struct Waiting {            // of one connection, never empty
    std::deque<Place> queue;  // the oldest first
    // The newest finding, of any connection, when a message of either side came last; 0: none has come.
    std::array<uint64_t, 2> heard{};
  };

  using WaitingMap = absl::flat_hash_map<const track::Connection*, Waiting>;

  WaitingMap::iterator find(const track::Connection& connection) {
    return held_.empty() ? waiting_.end() : waiting_.find(&connection);
  }

  template <typename Release>
  void release_first(Waiting& waiting, Certainty most, const Release& release) {
    const Place place = waiting.queue.front();
    waiting.queue.pop_front();
    Finding finding = std::move(place->finding);
    held_.erase(place);
    finding.certainty = std::min(finding.certainty, most);
    release(finding);
  }

  // `ready` says how sure a finding is at most, unset where it and all behind it have to wait on.
  template <typename Release, typename Ready>
  void take(WaitingMap::iterator of, const Release& release, const Ready& ready) {
    Waiting& waiting = of->second;
    while (!waiting.queue.empty()) {
      const std::optional<Certainty> most = ready(*waiting.queue.front());
      if (!most) {
        return;
      }
      release_first(waiting, *most, release);
    }
    waiting_.erase(of);
  }

  std::list<Held> held_;  // of all connections, the oldest first
  WaitingMap waiting_;
  uint64_t added_ = 0;
};

}  // namespace steertag::rules
