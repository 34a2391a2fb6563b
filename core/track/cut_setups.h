// CutSetups: the pairs of hosts between which a CM message passed that the snaplen cut
// before its QP number. It may have set up or ended any of the connections that the two
// hosts had by then, so that packets with the same QPs may belong to a new one.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/address.h"

namespace steertag::track {

class CutSetups {
 public:
  static constexpr size_t kMaxHosts = 4096;  // pairs; beyond that it may have been any two hosts

  bool empty() const { return latest_.empty(); }  // always so in most captures

  // `opened`: number of the latest connection.
  void note(const base::Address& x, const base::Address& y, uint64_t opened) {
    const std::pair<base::Address, base::Address> hosts = std::minmax(x, y);
    if (latest_.size() == kMaxHosts && !latest_.contains(hosts)) {
      latest_.clear();
      forgotten_ = opened;
    }
    latest_[hosts] = opened;
  }
  // Has such a message passed since the connection with this number was opened?
  bool since(const base::Address& x, const base::Address& y, uint64_t number) const {
    if (number <= forgotten_) {
      return true;
    }
    const auto found = latest_.find(std::minmax(x, y));
    return found != latest_.end() && found->second >= number;
  }

 private:
  absl::flat_hash_map<std::pair<base::Address, base::Address>, uint64_t> latest_;
  uint64_t forgotten_ = 0;  // the latest connection when pairs were last forgotten
};

}  // namespace steertag::track
