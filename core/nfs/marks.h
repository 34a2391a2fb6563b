// Marks: who wants to know what stands where in an RPC message that is walked, byte for byte. A walk that is
// made again from some offset on, as another reading of the same bytes, says so first. What it has not
// reached in the end was never marked.
#pragma once

#include <cstdint>

namespace steertag::nfs {

enum class Meaning : uint8_t {
  structure,  // a word that decides how the walk goes on: a count, a discriminant, an opcode
  number,     // a free number that says what is asked for, or how it ended: an offset, a size, a status
  fixed,      // content of a fixed length: attributes, stateids, cookies, verifiers, who somebody is
  opaque,     // the bytes of an opaque<> or string<>: names, file handles
  pad,        // what brings an opaque<> to a multiple of four, and the pad of an RDMA_MSGP
  item,       // the bytes of a DDP-eligible data item
};

class Marks {
 public:
  virtual void rewind(uint64_t offset) = 0;  // forgets all from there on
  virtual void mark(uint64_t offset, uint64_t length, Meaning meaning) = 0;

 protected:
  ~Marks() = default;
};

}  // namespace steertag::nfs
