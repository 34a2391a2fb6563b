// Reads: the RDMA Reads of one side that wait for their Responses, oldest first. A Response names
// the sink of its data and nothing else (RFC 5040 §5.2), so Reads are told apart by their sinks,
// as long as no two have the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "frame.h"
#include "rdma/op.h"
#include "rdma/read_depth.h"

namespace steertag::rdma::iwarp {

struct OutstandingRead {
  uint32_t sink_stag = 0;
  uint64_t sink_offset = 0;
  Memory source;
  uint64_t id = 0;
  bool begun = false;
  uint32_t epoch = 0;      // how often FPDUs had been missing when it came
  uint64_t delivered = 0;  // bytes
  uint64_t position = 0;   // of the Request in the stream
  Stamp at;
  ReadDepth::Turn turn;
};

class Reads {
 public:
  // More than any RNIC has outstanding: of those beyond that the Responses were missed. The oldest is
  // forgotten first.
  static constexpr size_t kMaxReads = ReadDepth::kMostCounted;

  enum class Room : uint8_t { enough, oldest_forgotten };

  Room push(const OutstandingRead& read);
  void pop(size_t count);  // the oldest
  void release();
  size_t bytes() const {  // of the heap
    return reads_.capacity() * sizeof(OutstandingRead) + sinks_.capacity() * sizeof(Sink);
  }

  // The oldest whose sink contains the first of `length` bytes at this place; size(): there is none.
  size_t find(uint32_t stag, uint64_t offset, uint32_t length) const;

  // No two Reads that followed each other, or were outstanding together, had the same sink.
  bool told_apart() const { return !shared_ && seen_ >= 2; }

  bool empty() const { return first_ == reads_.size(); }
  size_t size() const { return reads_.size() - first_; }
  OutstandingRead& operator[](size_t i) { return reads_[first_ + i]; }
  const OutstandingRead& operator[](size_t i) const { return reads_[first_ + i]; }

 private:
  struct Sink {
    uint64_t offset = 0;
    uint32_t stag = 0;
    uint32_t length = 0;
    bool same_place(const Sink& other) const { return stag == other.stag && offset == other.offset; }
  };

  // The elements from first_ on count; `sinks_` is what find() looks through.
  std::vector<OutstandingRead> reads_;
  std::vector<Sink> sinks_;
  size_t first_ = 0;
  Sink last_;  // of the latest Read
  uint32_t seen_ = 0;
  bool shared_ = false;
};

}  // namespace steertag::rdma::iwarp
