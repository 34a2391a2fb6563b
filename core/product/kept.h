// Kept: records that are held back until the end. Several orders rank them, and each order keeps the
// first of its ranks that fit. All shares of the connections have one Kept: what it keeps depends neither on
// which of them heard of a connection nor on which came first. Where shares are followed by threads, a Gate
// lets one in at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "frame.h"

namespace steertag::product {

class Gate {
 public:
  virtual void enter() = 0;  // waits until the other one has left
  virtual void leave() = 0;

 protected:
  ~Gate() = default;
};

class Kept {
 public:
  static constexpr size_t kOrders = 3;
  static constexpr uint64_t kNot = UINT64_MAX;  // the rank of what an order does not keep

  // Of what one order keeps. 0 records: it is not used.
  struct Limit {
    size_t records = 0;
    size_t bytes = 0;  // by weight
  };
  struct Record {
    std::array<uint64_t, kOrders> ranks{kNot, kNot,
                                        kNot};  // by each order, the first to be kept has the least
    uint64_t chance = 0;                        // decides between equal ranks: chance_of()
    Stamp at;                                   // in the order of which they are printed
    size_t weight = 0;  // bytes, or somewhat more; no matter how connections are numbered
    std::string text;
    const void* teller = nullptr;  // whose numbers of connections are in it
  };
  // `gate`: null where there is one thread.
  explicit Kept(const std::array<Limit, kOrders>& most, Gate* gate = nullptr);

  void add(Record&& record);  // through the gate

  // When no thread adds any more. Leaves out what is not to be kept; then they are in order.
  void finish();
  std::vector<Record>& records() { return records_; }
  uint64_t seen() const { return seen_; }  // records that were added

  // As good as random, and the same for the same frame and XID.
  static uint64_t chance_of(const Stamp& at, uint32_t xid);

 private:
  void trim();

  const std::array<Limit, kOrders> most_;
  Limit most_held_;  // of all orders, and a part more that is left out at a time
  Gate* gate_;
  std::vector<Record> records_;
  size_t bytes_ = 0;  // of records_, by weight
  uint64_t seen_ = 0;
};

}  // namespace steertag::product
