// TcpSetup: how a TCP connection that may be iWARP's began and ended, noted segment
// by segment until it is known to carry RPC-over-RDMA. What failed of it is said by
// attempt/tcp_try.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "frame.h"
#include "link/packet.h"
#include "rdma/op.h"

namespace steertag::track {

struct TcpSetup {
  static constexpr size_t kMostAsked = 16;  // SYNs and MPA Requests that are remembered

  std::optional<rdma::Side> syn_from;  // who sent a SYN without ACK
  bool syn_answered = false;           // its peer has answered it, and did not refuse
  std::vector<Stamp> syns;             // the first, and those sent again: at most kMostAsked
  std::vector<Stamp> requests;         // of MPA, likewise
  bool replied = false;                // by an MPA Reply, whatever it says
  bool rejected = false;               // with the R flag
  Stamp reply;
  std::vector<uint8_t> reply_data;  // its private data, as captured

  struct End {
    rdma::Side by{};
    bool reset = false;  // otherwise a FIN
    Stamp at;
  };
  std::optional<End> end;                // the first of them
  std::optional<rdma::Fault> terminate;  // came before it
  std::optional<Stamp> plain_rpc;        // an NFS Call in a record of RPC over TCP (RFC 5531 §11)

  void on_segment(rdma::Side from, const link::Packet& segment, const Stamp& at);
};

}  // namespace steertag::track
