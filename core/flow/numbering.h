// Numbering: gives connections their numbers, in the order of their first frames as far as
// that can be known: when one is found to carry RPC-over-RDMA, those that began before it
// and look as if they did go first.
//
// That takes all connections of a capture. Who follows a share of them gives provisional
// numbers, and a NumberingLog hears what the Numbering of the whole needs to know.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>

#include "track/connection_number.h"

namespace steertag::flow {

enum class Promise : uint8_t {
  given,     // something speaks for it
  broken,    // no longer
  redeemed,  // it carries RPC-over-RDMA
};

class NumberingLog {
 public:
  // Of the connection with this provisional number, whose first frame has this ordinal.
  virtual void on_promise(Promise promise, track::ConnectionNumber number, uint64_t order) = 0;

 protected:
  ~NumberingLog() = default;
};

class Numbering {
 public:
  // With a log: numbers are provisional.
  explicit Numbering(NumberingLog* log = nullptr) : log_(log) {}

  // A connection has one number, which stays where it is until its promise was broken or redeemed, and one
  // `order` (track::Connection::order).
  void note(Promise promise, track::ConnectionNumber& number, uint64_t order) {
    if (log_ != nullptr) {
      note_provisional(promise, number, order);
    } else if (promise == Promise::given) {
      promising_.emplace(order, &number);
    } else if (promise == Promise::broken) {
      promising_.erase(order);
    } else {
      claim(number, order);
    }
  }

 private:
  void claim(track::ConnectionNumber& number, uint64_t order) {
    while (!promising_.empty() && promising_.begin()->first < order) {
      give(*promising_.begin()->second);
      promising_.erase(promising_.begin());
    }
    promising_.erase(order);
    give(number);
  }
  void give(track::ConnectionNumber& number) {
    if (number == 0) {
      number = ++last_;
    }
  }
  void note_provisional(Promise promise, track::ConnectionNumber& number, uint64_t order) {
    if (number == 0 && promise == Promise::broken) {
      return;  // there was none
    }
    if (number == 0) {
      number = track::ConnectionNumber::provisional(++last_);
    }
    log_->on_promise(promise, number, order);
  }

  NumberingLog* log_;
  absl::btree_map<uint64_t, track::ConnectionNumber*> promising_;  // by order
  uint32_t last_ = 0;
};

}  // namespace steertag::flow
