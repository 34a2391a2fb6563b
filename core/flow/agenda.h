// Agenda: who has something to report next, and when, by the clock of each capture file: the
// frames of another file do not hasten anybody's end. A heap a file, from which clients can
// be taken at any time.
#pragma once

#include <absl/container/inlined_vector.h>
#include <absl/container/node_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "moment.h"

namespace steertag::flow {

class Agenda {
 public:
  class Client;

 private:
  struct Clock;
  struct Entry {
    Clock* clock = nullptr;
    Client* client = nullptr;
    int64_t due_ns = 0;
    uint64_t since = 0;       // the frame since which it waits; see flush()
    size_t place = SIZE_MAX;  // in the heap; SIZE_MAX: it waits for nothing
  };
  struct Clock {
    std::vector<Entry*> heap;  // the earliest in front
  };

 public:
  // `now` is the Moment at hand; it is set to that of what clients report. It must outlive the Agenda.
  explicit Agenda(Moment& now) : now_(now) {}

  class Client {
   public:
    virtual void flush(int64_t now_ns) = 0;  // reports what is due
    virtual int64_t due() const = 0;     // when it will have something to report; INT64_MAX: nothing waits
    virtual uint64_t order() const = 0;  // of its connection
    Client() = default;
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

   protected:
    ~Client();

   private:
    friend class Agenda;
    absl::InlinedVector<std::unique_ptr<Entry>, 1> entries_;  // one a file
  };

  // In that file the client may have something to report at `due_ns`, nanoseconds, and not before.
  void add(Client& client, uint32_t file, int64_t due_ns);
  // The time in that file: whoever has something to report does so. Cheap where nobody has.
  void advance(uint32_t file, int64_t now_ns) {
    if (current_ == nullptr || file_ != file) [[unlikely]] {
      file_ = file;
      current_ = &clocks_[file];
    }
    if (!current_->heap.empty() && current_->heap[0]->due_ns <= now_ns) [[unlikely]] {
      flush(*current_, now_ns);
    }
  }

 private:
  // Who waits longest comes first; of those who wait since the same frame, the connection that began first.
  // So whose turn it is follows from the frames, whoever else is followed.
  void flush(Clock& clock, int64_t now_ns);
  static void push(Entry& entry);
  static void remove(Entry& entry);
  static void rise(Entry& entry);
  static void sink(Entry& entry);
  static void put(Entry& entry, size_t place);

  absl::node_hash_map<uint32_t, Clock> clocks_;  // by Stamp::file
  Clock* current_ = nullptr;                     // of file_
  uint32_t file_ = 0;
  Moment& now_;
  std::vector<Entry*> due_;  // while they are flushed
};

}  // namespace steertag::flow
