// Traffic: of which kinds the messages of a capture were, as far as documents distinguish them.
// A sentence about version two, or about callbacks, says nothing of traffic that has none.
// Kinds of several captures add up.
#pragma once

#include <cstdint>

#include "flow/exchange.h"
#include "flow/message.h"

namespace steertag::rules {

enum TrafficKind : uint8_t {
  any_traffic = 0,
  version_one = 1,
  version_two = 2,
  backward = 4,         // the server called the client (RFC 8167)
  nfs_early = 8,        // NFSv2, NFSv3
  nfs_four = 16,        // NFSv4 of any minor version
  nfs_beside = 32,      // what NFSv2 and NFSv3 need besides: MOUNT, NLM, NSM, NFSACL
  characteristics = 64  // RDMA2_OPTIONAL, by which transport characteristics are exchanged
};

class Traffic {
 public:
  Traffic() = default;
  explicit Traffic(uint8_t kinds) : kinds_(kinds) {}

  void note(const flow::Message& message);
  void note(const flow::Exchange& exchange);
  void add(Traffic other) { kinds_ |= other.kinds_; }

  bool has(uint8_t kinds) const { return (kinds_ & kinds) == kinds; }  // all of them

 private:
  uint8_t kinds_ = any_traffic;
};

}  // namespace steertag::rules
