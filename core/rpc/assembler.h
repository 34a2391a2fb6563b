// Assembler: puts the pieces of one direction's Sends together. A Send of one piece,
// the common case, is handed on as a view; a longer one is gathered in a buffer that
// is used again and again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/bytes.h"
#include "frame.h"
#include "rdma/op.h"

namespace steertag::rpc {

// One whole Send.
struct Send {
  rdma::Side from = rdma::Side::a;
  Bytes bytes;                    // captured: a prefix of what was on the wire
  uint32_t length = 0;            // bytes on the wire
  std::span<const Stamp> frames;  // ascending
  std::optional<uint32_t> invalidate;
  uint64_t end_position = 0;  // rdma::RdmaOp::end_position of its last piece

  const Stamp& at() const { return frames.back(); }  // the frame that completed it
};

class Assembler {
 public:
  // What is gathered is charged to `budget`, which must outlive it.
  explicit Assembler(base::Budget& budget) : account_(budget) {}

  // Bytes of one Send that are handed on; of a longer one, its front. The largest
  // inline threshold that RFC 8797 can announce is 256 KiB.
  static constexpr size_t kMaxBytes = 512 << 10;
  static constexpr size_t kMaxFrames = 65536;  // of one Send that are remembered

  // Takes the next piece (kind send). Yields a Send where the piece completes one; its
  // views are good until the next call. Sends without their beginning yield nothing.
  std::optional<Send> add(const rdma::RdmaOp& piece);
  void drop() { active_ = false; }  // what was gathered has a hole
  void shrink();                    // frees buffers that are not in use

 private:
  Send whole(const rdma::RdmaOp& piece, Bytes bytes, uint32_t length, std::span<const Stamp> frames) const;

  base::Account account_;
  bool active_ = false;
  uint64_t id_ = 0;
  bool cut_ = false;     // a piece was not captured whole: what follows cannot be appended
  uint32_t length_ = 0;  // bytes on the wire so far
  std::vector<uint8_t> bytes_;
  std::vector<Stamp> frames_;
};

}  // namespace steertag::rpc
