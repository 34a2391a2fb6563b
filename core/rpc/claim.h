// Claim: decides whether the Sends of a connection are RPC-over-RDMA at all (RFC 8166
// §4.2). Anything can travel in a Send, so a connection is claimed only on evidence:
//
//   RFC 8797 private data in its setup         at its first Send
//   the port of NFS/RDMA                       at one Send that fits strictly
//   neither                                    at two that do
//
// Until then copies of the messages wait here, in bounded number, as do the incidents
// of the transport from the setup on; all are reported once the connection is claimed.
// Sends that do not fit count against it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "flow/incident.h"
#include "flow/message.h"
#include "rpc/assembler.h"
#include "rpcrdma/recognize.h"

namespace steertag::rpc {

class Claim {
 public:
  static constexpr size_t kMaxWaiting = 64;       // messages
  static constexpr size_t kMaxBytes = 256 << 10;  // of them together
  static constexpr size_t kMaxIncidents = 64;     // the first ones
  static constexpr uint32_t kMaxMisfits = 64;     // Sends that do not fit, before the connection is refused

  enum class State : uint8_t { open, claimed, refused };
  enum class Trust : uint8_t { none, port, private_data };

  // What waits is charged to `budget`, which must outlive the Claim.
  explicit Claim(base::Budget& budget) : account_(budget) {}

  void trust(Trust trust);
  State state() const { return state_; }
  bool promising() const { return score_ != 0; }

  // Judges one more Send; returns the state after it.
  State hear(rpcrdma::Likeness likeness);

  // A message that waits for the verdict, with the direction that was found for it, or guessed.
  struct Waiting {
    uint64_t number = 0;  // of all that waited
    Send send;
    Direction direction = Direction::unknown;
    bool guessed = false;
    std::vector<uint8_t> bytes;
    std::vector<Stamp> frames;
  };
  struct WaitingIncident {
    uint64_t before = 0;  // Waiting::number of the next message
    Incident incident;
  };
  void wait(const Send& send, Direction direction, bool guessed = false);
  void wait(const Incident& incident);
  std::vector<Waiting> take_waiting();
  std::vector<WaitingIncident> take_incidents() { return std::exchange(incidents_, {}); }

 private:
  void recharge();

  base::Account account_;
  State state_ = State::open;
  Trust trust_ = Trust::none;
  uint32_t score_ = 0;
  uint32_t misfits_ = 0;
  std::vector<Waiting> waiting_;
  size_t waiting_bytes_ = 0;
  uint64_t waited_ = 0;  // messages
  std::vector<WaitingIncident> incidents_;
};

}  // namespace steertag::rpc
