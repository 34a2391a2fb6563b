// Movement: one line's RDMA Reads or Writes: in how many operations it moves the
// bytes of chunks, and which bytes these are. Each operation is noted in the chunk
// (Piece::moved), from which the Reply takes what it returns.
#pragma once

#include <span>

#include "scenario/calls.h"
#include "scenario/transport.h"

namespace steertag::scenario {

// The lines after one: a Reply chunk is filled before the line that says with what.
using Ahead = std::span<const Statement>;

struct Movement {
  const Statement& at;
  const OperationLine& line;
  Ahead ahead;
  Transport& wire;
  Expense& expense;
  Problem& problem;

  // Read: every Read chunk, of the Call or, by its Requester, of the Reply. Write: every Write chunk; the
  // Reply chunk where there is none.
  void move_all(Call& call) const;
  void move_chunk(Call& call, Chunk& chunk) const;
  // The memory that the line's target spells out; `found`: what is known of its handle.
  void move_memory(const Place& found) const;
};

}  // namespace steertag::scenario
