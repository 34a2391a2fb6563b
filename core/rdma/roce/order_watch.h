// OrderWatch: checks the accepted packets of one sender against the segmentation rules of
// InfiniBand's reliable connection, and reports what breaks them: First, Middle, Last come in
// order; First and Middle packets are all of one size; the bytes are as many as were announced.
// The order is checked only where the packets before are known (aware()).
#pragma once

#include <cstdint>

#include "frame.h"
#include "rdma/anomaly.h"
#include "rdma/op.h"
#include "rdma/roce/packet.h"
#include "rdma/roce/path_mtu.h"
#include "rdma/roce/reads.h"

namespace steertag::rdma::roce {

OpKind kind_of(Opcode opcode);  // `other` for what RPC-over-RDMA does not use, and for acknowledgments

// The Send or Write that a sender is in the middle of.
struct Running {
  OpKind kind = OpKind::other;
  bool active = false;
  bool interrupted = false;  // by a hole
  uint32_t done = 0;         // bytes of it so far
  uint64_t id = 0;
  Memory memory;  // Write: the whole, as its RETH announces
  uint32_t first_psn = 0;
  Stamp at;  // its first packet
};

class OrderWatch {
 public:
  enum class Fit : uint8_t { fits, misfit };

  OrderWatch(Listener& listener, Side from) : listener_(listener), from_(from) {}

  // Whether the packets before are known, and with them what may come next: more of the operation that is
  // running, or another one. Each accepted packet that shows it makes it true; a gap, or a guess at the path
  // MTU, makes it false.
  bool aware() const { return aware_; }
  void set_aware(bool aware) { aware_ = aware; }
  // The QP was set up again.
  void forget() { aware_ = false, inner_size_ = 0; }

  // Checks that nothing comes between First, Middle…, Last.
  void order(const Running& running, const Packet& packet, const Stamp& at);
  // Checks the size of a First or Middle packet, of a request or a response.
  void size(const Packet& packet, const Stamp& at);
  // Checks the length of a Write at its last packet.
  void write_end(const Running& running, const Packet& packet, const Stamp& at);
  // Checks the Response at `place`, counted in packets, and `offset`, in bytes, of a Read. PSNs say where it
  // belongs, so missing packets do not matter. A Read that was requested again is left alone: which Request a
  // Response answers is then a guess. Misfit: the Response delivers nothing that was asked for.
  Fit response(OutstandingRead& read, uint32_t place, uint64_t offset, const PathMtu& mtu,
               const Packet& packet, const Stamp& at);

 private:
  Anomaly found(Anomaly::Kind kind, const Packet& packet, const Stamp& at) const;

  Listener& listener_;
  Side from_;
  bool aware_ = false;
  OpKind cut_ = OpKind::other;  // what was cut off last: the rest of it is not reported again
  uint32_t inner_size_ = 0;     // bytes in the first First or Middle packet of this side
};

}  // namespace steertag::rdma::roce
