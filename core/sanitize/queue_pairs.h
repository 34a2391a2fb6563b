// QueuePairs: those of connections whose two ends were found to belong together. A datagram to the port of
// RoCEv2 need not be of RoCE: what goes to one of these is, as is what has a right ICRC. Of anything else the
// BTH has to be one beyond doubt, or it may be content.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstddef>
#include <cstdint>

#include "base/address.h"
#include "base/bytes.h"
#include "track/connection.h"
#include "track/half.h"

namespace steertag::sanitize {

class QueuePairs {
 public:
  static constexpr size_t kMost = 65536;  // that are remembered

  void add(const track::Connection& connection);
  bool has(const base::Address& source, const base::Address& destination, uint32_t qpn) const {
    return halves_.contains({source, destination, qpn});
  }
  // Whether what begins there, between these hosts, is of RoCE by what is known here.
  bool accounts_for(const base::Address& source, const base::Address& destination, Bytes from_bth) const;
  size_t size() const { return halves_.size(); }

 private:
  absl::flat_hash_set<track::Half> halves_;
};

}  // namespace steertag::sanitize
