// Agenda: a timer queue. A client registers the time at which it will have something to report,
// and is called once that time has come. Each clock (Stamp::clock()) has a heap of its own, so
// that frames of one capture never expire the timers of another. An outdated entry is not searched
// for and removed: it is skipped when it reaches the top of the heap, or swept out with others
// once they are many.
#pragma once

#include <absl/container/inlined_vector.h>
#include <absl/container/node_hash_map.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "moment.h"

namespace steertag::rpc {

class Agenda {
 public:
  class Client;

 private:
  struct Entry {  // one for each client and clock
    Client* client = nullptr;
    int64_t due_ns = INT64_MAX;  // INT64_MAX: it waits for nothing
    uint64_t since = 0;          // the frame since which it waits; see flush()
    uint32_t changes = 0;        // how often due_ns was changed
  };
  struct Due {
    int64_t due_ns = 0;
    uint32_t entry = 0;
    uint32_t changes = 0;  // outdated unless it equals Entry::changes
  };
  struct Clock {
    std::vector<Due> heap;  // the earliest in front
    std::vector<Entry> entries;
    std::vector<uint32_t> free;  // of these
    size_t waiting = 0;          // of these
    int64_t reached_ns = 0;      // the latest time of a frame

    void set(uint32_t entry, int64_t due_ns);
    void pop();
    void trim();
  };

 public:
  // `now`, the current Moment, is set for each client that is called. It must outlive the Agenda.
  explicit Agenda(Moment& now) : now_(now) {}

  class Client {
   public:
    virtual void flush(int64_t now_ns) = 0;  // reports what is due
    virtual int64_t due() const = 0;     // when it will have something to report; INT64_MAX: nothing waits
    virtual uint64_t order() const = 0;  // of its connection
    // flush() comes soon: prefetches the memory that it will take (base/fetch.h), first the client's own,
    // then, once that is there, what it points to.
    enum class Nearing : uint8_t { itself, contents };
    virtual void expect_flush(Nearing /*step*/) const {}
    Client() = default;
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

   protected:
    ~Client();

   private:
    friend class Agenda;
    struct Seat {
      Clock* clock = nullptr;
      uint32_t entry = 0;
    };
    absl::InlinedVector<Seat, 1> seats_;  // one for each clock
  };

  // The client may have something to report when `clock` reaches `due_ns`, nanoseconds. Of
  // several such times the earliest counts.
  void add(Client& client, uint32_t clock, int64_t due_ns);
  // `clock` has reached `now_ns`: calls the clients that are due. Cheap where none is.
  void advance(uint32_t clock, int64_t now_ns) {
    if (current_ == nullptr || number_ != clock) [[unlikely]] {
      number_ = clock;
      current_ = &clocks_[clock];
    }
    current_->reached_ns = std::max(current_->reached_ns, now_ns);
    if (!current_->heap.empty() && current_->heap[0].due_ns <= now_ns) [[unlikely]] {
      flush(*current_, now_ns);
    }
  }
  // The latest time of `clock` so far, nanoseconds; 0 where it has shown none.
  int64_t reached(uint32_t clock) const {
    const auto found = clocks_.find(clock);
    return found == clocks_.end() ? 0 : found->second.reached_ns;
  }
  // The current clock will reach `then_ns` soon: prefetches for the clients that are due then.
  void expect(int64_t then_ns) const;

 private:
  // The client that has waited longest comes first; of those that have waited since the same frame, the one
  // whose connection began first. So the order follows from the frames, whichever other connections are
  // followed.
  void flush(Clock& clock, int64_t now_ns);

  absl::node_hash_map<uint32_t, Clock> clocks_;  // by Stamp::clock()
  Clock* current_ = nullptr;
  uint32_t number_ = 0;  // of the current one
  Moment& now_;
  std::vector<uint32_t> due_;  // entries, while their clients are called
};

}  // namespace steertag::rpc
