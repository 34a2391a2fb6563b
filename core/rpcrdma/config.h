// The Connection Configuration Protocol (RFC 5666 §6): an RPC program of one
// procedure, by which the two ends of a connection of version one inform each
// other how long an inline RPC message may be and how many RDMA Reads they bear.
// RFC 8166 took it out.
//
// find() is called for each RPC message that may be one; layouts are walked to
// read, to write and to outline, as those of v1.h are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "rpcrdma/programs.h"
#include "rpcrdma/rpc.h"
#include "wire/outline.h"

namespace steertag::rpcrdma::config {

inline constexpr uint32_t version = 1, conf_rdma = 1;

constexpr bool is_conf_rdma(uint32_t program, uint32_t vers, uint32_t procedure) {
  return program == program_rdmaconfig && vers == version && procedure == conf_rdma;
}

// config_rdma_req: what the client asks for, and what it bears itself.
struct Request {
  uint32_t maxcall_sendsize = 0;   // bytes of an inline Call that it would like to send
  uint32_t maxreply_sendsize = 0;  // bytes of an inline RPC message that it takes
  uint32_t maxrdmaread = 0;        // RDMA Reads that the server may have active; 0: none at all

  static void layout(auto& w, auto& r) {
    w("maxcall_sendsize", r.maxcall_sendsize);
    w("maxreply_sendsize", r.maxreply_sendsize);
    w("maxrdmaread", r.maxrdmaread);
  }
  friend bool operator==(const Request&, const Request&) = default;
};

// config_rdma_reply: what the server grants.
struct Reply {
  uint32_t maxcall_sendsize = 0;  // bytes of an inline Call that it takes
  uint32_t align = 0;             // bytes: alignment of its receive buffers, for RDMA_MSGP
  uint32_t maxrdmaread = 0;       // RDMA Reads that the client may have active; 0: none at all

  static void layout(auto& w, auto& r) {
    w("maxcall_sendsize", r.maxcall_sendsize);
    w("align", r.align);
    w("maxrdmaread", r.maxrdmaread);
  }
  friend bool operator==(const Reply&, const Reply&) = default;
};

// CONF_RDMA in a message: one of the two.
struct Found {
  std::optional<Request> asked;
  std::optional<Reply> settled;
  uint32_t at = 0;  // bytes from the start of the RPC message
};

// What follows the RPC header of a CONF_RDMA Call, or of its Reply where that succeeded. `message` is the
// captured prefix of the RPC message, `header_length` how much of it is the header. Nothing where that was
// not captured or is not there, or is hidden by RPCSEC_GSS privacy.
std::optional<Found> find(const RpcHeader& header, Bytes message, uint32_t header_length);

// Appends the fields of what find() found in `message`, which begins `front` bytes into the Send, each with
// its range in the Send.
void outline(const Found& found, Bytes message, uint32_t front, std::vector<wire::Node>& into);

}  // namespace steertag::rpcrdma::config
