// Negotiation: a ROPT_REQXCH and what became of it, an RPC-like call without an RPC message
// (xcharext-02 §2.3): which characteristics the peer was asked to change, and its ROPT_RESPXCH or
// RDMA2_ERROR.
//
// Negotiations finds them among the messages of one connection. With Settings::for_reports each is
// reported once: when it is answered, its XID is used again, room is needed, or nothing more comes. What an
// RDMA2_ERROR answers is so the same with and without.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "flow/exchange.h"
#include "flow/message.h"
#include "flow/open_calls.h"
#include "flow/terms.h"

namespace steertag::flow {

struct Common;

struct Negotiation {
  const track::Connection* connection = nullptr;
  uint32_t xid = 0;
  Side requester = Side::a;
  bool backward = false;
  std::optional<Stamp> call, reply;
  std::vector<Term> want;                   // the first Terms::kMaxTerms
  std::optional<xchar::Response> response;  // that of the ROPT_RESPXCH
  std::optional<uint32_t> error;            // that of the RDMA2_ERROR, where it could be read
  Status status = Status::no_reply;
  bool complete = true;  // nothing that the capture lacks may hide something of it
};

class Negotiations {
 public:
  static constexpr size_t kMaxOpen = 64;  // of each end

  // All must outlive it.
  Negotiations(const track::Connection& connection, Common& common, const OpenCalls& open)
      : connection_(connection), common_(common), open_(open) {}

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

  const track::Connection& connection_;
  Common& common_;
  const OpenCalls& open_;
  std::array<std::vector<Negotiation>, 2> asked_;  // by requester, the oldest first
  std::vector<Negotiation> held_back_;             // until the connection is known to carry RPC-over-RDMA
};

}  // namespace steertag::flow
