// Agenda: who has something to report next, and when, by the clock of each capture file: the
// frames of another file do not hasten anybody's end. A heap a file. What is in it stays
// there when it no longer holds, and is passed over when it comes up; so nobody has to be
// looked for, and the heap is all that is touched.
#pragma once

#include <absl/container/inlined_vector.h>
#include <absl/container/node_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "moment.h"

namespace steertag::flow {

class Agenda {
 public:
  class Client;

 private:
  struct Entry {  // one a client and file
    Client* client = nullptr;
    int64_t due_ns = INT64_MAX;  // INT64_MAX: it waits for nothing
    uint64_t since = 0;          // the frame since which it waits; see flush()
    uint32_t changes = 0;        // of due_ns
  };
  struct Due {
    int64_t due_ns = 0;
    uint32_t entry = 0;
    uint32_t changes = 0;  // Entry::changes where it holds still
  };
  struct Clock {
    std::vector<Due> heap;  // the earliest in front
    std::vector<Entry> entries;
    std::vector<uint32_t> free;  // of these
    size_t waiting = 0;          // of these

    void set(uint32_t entry, int64_t due_ns);
    void pop();
    void trim();
  };

 public:
  // `now` is the Moment at hand; it is set to that of what clients report. It must outlive the Agenda.
  explicit Agenda(Moment& now) : now_(now) {}

  class Client {
   public:
    virtual void flush(int64_t now_ns) = 0;  // reports what is due
    virtual int64_t due() const = 0;     // when it will have something to report; INT64_MAX: nothing waits
    virtual uint64_t order() const = 0;  // of its connection
    // It is called soon: asks for the memory that this will take (base/fetch.h), and when that is there, for
    // what it points to.
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
    absl::InlinedVector<Seat, 1> seats_;  // one a file
  };

  // In that file the client may have something to report at `due_ns`, nanoseconds, and not before.
  void add(Client& client, uint32_t file, int64_t due_ns);
  // The time in that file: whoever has something to report does so. Cheap where nobody has.
  void advance(uint32_t file, int64_t now_ns) {
    if (current_ == nullptr || file_ != file) [[unlikely]] {
      file_ = file;
      current_ = &clocks_[file];
    }
    if (!current_->heap.empty() && current_->heap[0].due_ns <= now_ns) [[unlikely]] {
      flush(*current_, now_ns);
    }
  }
  // It will be that time soon in the file at hand.
  void expect(int64_t then_ns) const;

 private:
  // Who waits longest comes first; of those who wait since the same frame, the connection that began first.
  // So whose turn it is follows from the frames, whoever else is followed.
  void flush(Clock& clock, int64_t now_ns);

  absl::node_hash_map<uint32_t, Clock> clocks_;  // by Stamp::file
  Clock* current_ = nullptr;                     // of file_
  uint32_t file_ = 0;
  Moment& now_;
  std::vector<uint32_t> due_;  // while they are flushed
};

}  // namespace steertag::flow
