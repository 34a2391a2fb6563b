// Kept: records that are held back until the end, of so many as fit: those that are the first by
// one of several orders. What is kept of several shares together is what would have been kept of the
// whole, so output does not depend on who followed what.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "frame.h"

namespace steertag::cli {

class Kept {
 public:
  static constexpr size_t kOrders = 3;
  static constexpr uint64_t kNot = UINT64_MAX;     // the rank of what an order does not keep
  static constexpr size_t kMostBytes = 128 << 20;  // of the records that one order keeps

  struct Record {
    std::array<uint64_t, kOrders> ranks{kNot, kNot,
                                        kNot};  // by each order, the first to be kept has the least
    uint64_t chance = 0;                        // decides between equal ranks: chance_of()
    Stamp at;                                   // in the order of which they are printed
    size_t weight = 0;  // bytes, or somewhat more; no matter how connections are numbered
    std::string text;
  };
  // `most`: how many each order keeps; 0: it is not used.
  explicit Kept(const std::array<size_t, kOrders>& most) : most_(most) {}

  void add(Record&& record);
  // Leaves out what is not to be kept; then they are in order.
  void finish();
  std::vector<Record>& records() { return records_; }
  uint64_t seen() const { return seen_; }  // added to it, or to one whose records were added
  void add_seen(uint64_t records) { seen_ += records; }

  // As good as random, and the same for the same frame and XID.
  static uint64_t chance_of(const Stamp& at, uint32_t xid);

 private:
  void trim();

  std::array<size_t, kOrders> most_;
  std::vector<Record> records_;
  uint64_t seen_ = 0;
};

}  // namespace steertag::cli
