// Unit: a part of a byte stream with a frame of its own, where it lies: a setup frame of MPA, an FPDU. Who
// follows operations needs none of it; who writes the bytes of a capture anew does. It comes before what is
// found in it, and in the order of the stream.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "rdma/iwarp/mpa.h"
#include "rdma/op.h"

namespace steertag::rdma {

struct Unit {
  enum class Kind : uint8_t {
    setup,   // MPA Request or Reply
    fpdu,    // markers, length, DDP segment, pad, CRC
    misfit,  // what stands where an FPDU is due and cannot be one
    open,    // an FPDU whose end has not come when the capture, or the connection, is over
  };
  Kind kind = Kind::fpdu;
  Side from = Side::a;
  uint64_t begin = 0;     // offset of its first byte in what `from` has sent
  uint32_t sequence = 0;  // the TCP sequence number of that
  uint32_t size = 0;      // bytes on the wire; of an open one, 0 where its length has not come
  Bytes raw;              // as captured: a prefix
  iwarp::Markers markers;
  bool holed = false;    // of an FPDU (of others it is not said): some of its bytes are in no frame
  bool legible = false;  // an FPDU whose headers were captured: operations follow from it
};

}  // namespace steertag::rdma
