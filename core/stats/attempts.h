// Attempts: makes one RPC of a Call that was sent several times: its last attempt. An RPC whose Reply is not
// known to have arrived is held back, since its Call may be sent again; where that is known before, it is
// not counted either. Bounded: of more the oldest are counted as they stand.
// Attempts pass between the same two hosts, so each share of the connections has Attempts of its own.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "stats/rpc.h"

namespace steertag::stats {

// Where a Call is; a frame may hold several.
struct CallPlace {
  uint64_t frame = 0;
  uint32_t file = 0, xid = 0;

  friend bool operator==(const CallPlace&, const CallPlace&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const CallPlace& p) {
    return H::combine(std::move(h), p.frame, p.file, p.xid);
  }
};

class Attempts {
 public:
  static constexpr size_t kMost = 8192;  // RPCs held back, and attempts that are not to be counted

  // Hears of each RPC once.
  using Count = std::function<void(const Rpc&)>;
  explicit Attempts(Count count) : count_(std::move(count)) {}

  void add(Rpc rpc);
  void finish();  // nothing more comes

 private:
  struct Noted {
    CallPlace place;
    std::optional<Rpc> held;  // unset: a later attempt was counted in its stead, and it is still to come
  };
  void note(const CallPlace& place, std::optional<Rpc> held);
  bool take_off(const CallPlace& place);  // whether it was noted

  Count count_;
  absl::btree_map<uint64_t, Noted> noted_;  // by age
  absl::flat_hash_map<CallPlace, uint64_t> ages_;
  uint64_t newest_ = 0;
};

}  // namespace steertag::stats
