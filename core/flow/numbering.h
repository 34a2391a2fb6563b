// Numbering: assigns connection numbers, to connections that carry RPC-over-RDMA, in order of
// their first frames. When one is known to carry it, those that began earlier and look promising,
// but are not confirmed yet, are numbered before it.
//
// NumberingLog: for an analyzer that follows only a share of the connections. Its numbers are
// provisional; the log hears of each promise that is given, broken or redeemed, so that a
// Numbering of all connections can assign the final ones.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>

#include "track/connection_number.h"

namespace steertag::flow {

enum class Promise : uint8_t {
  given,     // the connection looks as if it carried RPC-over-RDMA
  broken,    // it does not, or no longer looks so
  redeemed,  // it does carry it
};

class NumberingLog {
 public:
  // About the connection with this provisional number; `order`: track::Connection::order.
  virtual void on_promise(Promise promise, track::ConnectionNumber number, uint64_t order) = 0;

 protected:
  ~NumberingLog() = default;
};

class Numbering {
 public:
  // With a log: numbers are provisional.
  explicit Numbering(NumberingLog* log = nullptr) : log_(log) {}

  // `number` is the connection's own: it stays in its place in memory until the promise is broken or
  // redeemed. `order`: track::Connection::order.
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
