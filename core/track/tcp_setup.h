// TcpSetup: how a TCP connection that may be iWARP's began and ended, noted segment
// by segment until it is known to carry RPC-over-RDMA. What failed of it is said by
// attempt/tcp_try.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "frame.h"
#include "link/icmp.h"
#include "link/packet.h"
#include "rdma/op.h"

namespace steertag::track {

struct TcpSetup {
  static constexpr size_t kMostAsked = 16;  // SYNs and MPA Requests that are remembered
  // What comes once more sooner than that is a copy of a mirror (RFC 6298 §2.4: a sender waits a second).
  static constexpr int64_t kResent_ns = 100'000'000;

  std::optional<rdma::Side> syn_from;  // who sent a SYN without ACK
  bool syn_answered = false;           // its peer has answered it, and did not refuse
  std::vector<Stamp> syns;             // the first, and those sent again: at most kMostAsked
  uint32_t syn_sequence = 0;           // of the first
  std::optional<Stamp> accepted;       // its peer's SYN
  std::vector<Stamp> requests;         // of MPA, likewise
  bool replied = false;                // by an MPA Reply, whatever it says
  bool rejected = false;               // with the R flag
  bool reply_invalid = false;          // that Reply, or what came in its place
  bool reply_begun = false;            // and the rest of it never came
  Stamp reply;
  std::vector<uint8_t> reply_data;  // its private data, as captured

  struct End {
    rdma::Side by{};
    bool reset = false;  // otherwise a FIN
    Stamp at;
  };
  // By rdma::Side: data of that end passed, or what passed shows that there was some.
  std::array<bool, 2> spoke{};
  std::array<std::optional<Stamp>, 2> first_data;
  std::array<bool, 2> from_syn{};  // by rdma::Side: its SYN was captured, so that this is known for sure
  std::optional<End> end;          // the first of them
  std::optional<rdma::Fault> terminate;  // came before it
  std::optional<Stamp> plain_rpc;        // an NFS Call in a record of RPC over TCP (RFC 5531 §11)
  // The first ICMP error about a SYN that was captured; about the first data of who sent it.
  struct Error {
    link::IcmpError error;  // the data that it quotes is gone
    Stamp at;
  };
  std::optional<Error> syn_error, request_error;

  // It quotes a segment of `from`.
  void on_icmp(rdma::Side from, const link::IcmpError& error, const Stamp& at);
  void on_segment(rdma::Side from, const link::Packet& segment, const Stamp& at);
  // A FIN or a RST of `by` that its peer accepts.
  void on_closing(rdma::Side by, bool reset, const Stamp& at);

 private:
  void listen(rdma::Side from, const link::Packet& segment, const Stamp& at);

  std::array<std::optional<uint32_t>, 2> begin_;  // sequence number of the first byte, as far as it was seen
};

}  // namespace steertag::track
