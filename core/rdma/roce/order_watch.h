// OrderWatch: what a correct sender does, held against the packets that are accepted of
// one: First, Middle, Last; inner packets of one size; as many bytes as were announced.
// The rules of InfiniBand's reliable connection, as far as a tap can see them broken.
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

// The Send or Write that a direction is in the middle of.
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

  // Whether it is known what may come next: `running` goes on, or another operation starts. Operations set it
  // with each packet that shows it; a gap, or a guess, ends it.
  bool aware() const { return aware_; }
  void set_aware(bool aware) { aware_ = aware; }
  // The QP was set up again.
  void forget() { aware_ = false, inner_size_ = 0; }

  // First, Middle…, Last; nothing comes between them.
  void order(const Running& running, const Packet& packet, const Stamp& at);
  // The size of a First or Middle packet, of a request or a response.
  void size(const Packet& packet, const Stamp& at);
  // The Last packet of a Write.
  void write_end(const Running& running, const Packet& packet, const Stamp& at);
  // The Response at `place`, counted in packets, and `offset`, in bytes, of a Read. PSNs say where, so
  // packets that are missing do not matter. A Read that was requested again is left alone: which Request a
  // Response answers is then a guess. Misfit: it delivers nothing that was asked for.
  Fit response(OutstandingRead& read, uint32_t place, uint64_t offset, const PathMtu& mtu,
               const Packet& packet, const Stamp& at);

 private:
  Anomaly found(Anomaly::Kind kind, const Packet& packet, const Stamp& at) const;

  Listener& listener_;
  Side from_;
  bool aware_ = false;
  OpKind cut_ = OpKind::other;  // the latest operation that was cut off: its rest is no news
  uint32_t inner_size_ = 0;     // bytes in the first First or Middle packet of this side
};

}  // namespace steertag::rdma::roce
