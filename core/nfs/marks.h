// Marks: who wants to know what stands where in an RPC message that is walked, byte for byte. A walk that is
// made again from some offset on, as another reading of the same bytes, says so first. What it has not
// reached in the end was never marked.
#pragma once

#include <cstdint>

namespace steertag::nfs {

enum class Meaning : uint8_t {
  structure,  // a word that decides how the walk goes on: a count, a discriminant, an opcode
  number,     // a free number that says what is asked for, or how it ended: a size, a status
  bits,       // words of a bitmap, whose bits have a meaning
  offset,     // a number, of a file: where what is asked for begins
  count,      // and how many bytes that is
  fixed,      // content of a fixed length: attributes, stateids, cookies, verifiers, who somebody is
  handle,     // the bytes of a file handle
  name,       // the bytes of the name of a directory's entry
  opaque,     // the bytes of any other opaque<> or string<>
  pad,        // what brings an opaque<> to a multiple of four, and the pad of an RDMA_MSGP
  item,       // the bytes of a DDP-eligible data item
};

class Marks {
 public:
  virtual void rewind(uint64_t offset) = 0;  // forgets all from there on
  virtual void mark(uint64_t offset, uint64_t length, Meaning meaning) = 0;
  // NFSv4: what follows is of that operation, by its 0-based index in the COMPOUND.
  virtual void enter(uint32_t /*operation*/) {}

 protected:
  ~Marks() = default;
};

}  // namespace steertag::nfs
