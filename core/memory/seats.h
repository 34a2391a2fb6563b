// Seats: weak references to Advertisements. A reference is a slot number (the seat) and a
// generation number (the ordinal). find() returns null once that Advertisement was withdrawn,
// even if its seat or its memory is in use again.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "memory/traffic_keeper.h"

namespace steertag::memory {

class Seats {
 public:
  struct Remembered {
    uint32_t seat = 0;
    uint64_t ordinal = 0;  // 0: refers to none
  };

  // `ordinal`: not 0, and never the same twice.
  void take(Advertisement& advertisement, uint64_t ordinal) {
    advertisement.ordinal = ordinal;
    if (free_.empty()) {
      free_.push_back(static_cast<uint32_t>(seats_.size()));
      seats_.push_back(nullptr);
    }
    advertisement.seat = free_.back();
    free_.pop_back();
    seats_[advertisement.seat] = &advertisement;
  }
  // Does nothing where it has no seat.
  void leave(Advertisement& advertisement) {
    if (std::exchange(advertisement.ordinal, 0) != 0) {
      seats_[advertisement.seat] = nullptr;
      free_.push_back(advertisement.seat);
    }
  }
  // Null where it has left.
  const Advertisement* find(const Remembered& one) const {
    const Advertisement* found = one.ordinal != 0 ? seats_[one.seat] : nullptr;
    return found != nullptr && found->ordinal == one.ordinal ? found : nullptr;
  }

 private:
  std::vector<const Advertisement*> seats_;  // null: free
  std::vector<uint32_t> free_;
};

}  // namespace steertag::memory
