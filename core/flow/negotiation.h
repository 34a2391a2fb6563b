// Negotiation: a ROPT_REQXCH and what became of it, an RPC-like call without an RPC message
// (xcharext-02 §2.3): which characteristics the peer was asked to change, and its ROPT_RESPXCH or
// RDMA2_ERROR.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "flow/exchange.h"
#include "flow/term.h"

namespace steertag::flow {

struct Negotiation {
  static constexpr size_t kMaxWanted = 64;

  const track::Connection* connection = nullptr;
  uint32_t xid = 0;
  Side requester = Side::a;
  bool backward = false;
  std::optional<Stamp> call, reply;
  std::vector<Term> want;                   // the first kMaxWanted
  std::optional<xchar::Response> response;  // that of the ROPT_RESPXCH
  std::optional<uint32_t> error;            // that of the RDMA2_ERROR, where it could be read
  Status status = Status::no_reply;
  bool complete = true;  // nothing that the capture lacks may hide something of it
};

}  // namespace steertag::flow
