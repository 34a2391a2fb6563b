// Negotiations: finds the Negotiations among the messages of one connection. With Settings::for_reports
// each is reported once: when it is answered, its XID is used again, room is needed, or nothing more
// comes. What an RDMA2_ERROR answers is so the same with and without.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "flow/message.h"
#include "flow/negotiation.h"
#include "rpc/connection_state.h"

namespace steertag::rpc {

class Negotiations {
 public:
  static constexpr size_t kMaxOpen = 64;  // of each end

  // `state` must outlive it.
  explicit Negotiations(const ConnectionState& state) : state_(state) {}

  // Whether the message is part of one, so that it is none of an RPC.
  bool note(const Message& message);
  // Reports those that are open. `ended`: the connection, so that an answer that was not seen did not come.
  void finish(bool ended);

  size_t bytes() const;  // of the heap

 private:
  void ask(const Message& request);
  bool answer(const Message& answer);
  void report(Negotiation done);
  void flush();

  const ConnectionState& state_;
  std::array<std::vector<Negotiation>, 2> asked_;  // by requester, the oldest first
  std::vector<Negotiation> held_back_;             // until the connection is known to carry RPC-over-RDMA
};

}  // namespace steertag::rpc
