// Message: one RPC-over-RDMA message, that is the payload of one RDMA Send,
// decoded, together with its place on the connection: sender, frames, direction,
// Standing. Its views are good while it is reported (Sink::on_message).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/bytes.h"
#include "flow/standing.h"
#include "frame.h"
#include "rdma/op.h"
#include "rpcrdma/config.h"
#include "rpcrdma/header.h"
#include "rpcrdma/rpc.h"
#include "track/connection.h"

namespace steertag::flow {

using rdma::Side;

enum class Direction : uint8_t {
  unknown,  // version one: neither the message nor the open Calls show it
  call,
  reply,
};

// What follows the header of an RDMA2_OPTIONAL of an extension that is not known here: any part of an RPC
// message, all of it, or none (version-two-02 §5.2.1).
enum class Part : uint8_t {
  none,
  opening,  // all of it, or its first part: it opens as the Call or Reply that rdma_xid names
  rest,     // something else, or the capture does not show it
};

struct Message {
  const track::Connection* connection = nullptr;
  Side from = Side::a;
  Stamp at;                       // the frame that completed it
  std::span<const Stamp> frames;  // those that carried its first good copy, ascending
  bool send_invalidate = false;
  uint32_t invalidated = 0;  // the handle, where send_invalidate
  bool unreceived = false;   // sent after the peer had asked to disconnect, and never acknowledged

  uint64_t end_position = 0;  // where the Send ends in what `from` has sent: rdma::RdmaOp::end_position

  Bytes bytes;          // the Send's payload as captured: a prefix
  uint32_t length = 0;  // bytes on the wire

  rpcrdma::Decoded decoded;  // header_length, stop, odd discriminator
  const rpcrdma::TransportHeader* header = nullptr;
  Direction direction = Direction::unknown;
  bool direction_guessed = false;  // good enough to follow the message by, not to judge it: is_guess()

  Part part = Part::none;

  // What follows the transport header.
  Bytes payload;
  uint32_t payload_length = 0;
  // The RPC header at its front; null where there is none, or not even its
  // direction (Call: its procedure) was captured.
  const rpcrdma::RpcHeader* rpc = nullptr;
  rpcrdma::RpcDecoded rpc_decoded;  // how far it could be read
  // CONF_RDMA (RFC 5666 §6): the arguments of a Call, the results of the Reply that succeeded, where they can
  // be read.
  bool conf_rdma = false;
  std::optional<rpcrdma::config::Found> config;

  const Standing* standing = nullptr;  // what the connection's history says here; never null when reported
};

// It was taken for a Reply because it is the server's and conveys no Call: is_assumed().
inline bool assumed_reply(const Message& message) {
  return message.direction_guessed && message.direction == Direction::reply &&
         message.header->is(rpcrdma::v1::Proc::nomsg) && message.header->chunks.reads.empty() &&
         !message.decoded.stop;
}

// The four words that every version has in common were captured.
inline bool fixed_header_captured(const Message& message) {
  return message.bytes.size() >= rpcrdma::fixed_header_length;
}

// The snaplen took some of them: it may have been any message.
inline bool nameless(const Message& message) {
  return !fixed_header_captured(message) && message.length >= rpcrdma::fixed_header_length;
}

// An RPC message goes with it, or begins with it: it is a Call or a Reply.
inline bool conveys_rpc(const Message& message) {
  return message.header->conveys_rpc() || message.part == Part::opening;
}

// The snaplen ended the reading of the header.
inline bool header_cut(const Message& message) {
  return message.decoded.stop && message.decoded.stop->limit == wire::Limit::capture;
}

// An RDMA2_OPTIONAL whose extension is not known here, or whose opttype the snaplen took. It may convey
// anything, an RPC message in parts or by chunks of its own (version-two-02 §4.1).
inline bool unknown_option(const Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  return h.is(rpcrdma::v2::Proc::optional) &&
         (h.optional.empty() ? header_cut(message) : text(h.optional[0].opttype).empty());
}

// The header was read to its end. Otherwise, and behind an odd discriminator, nobody knows where the payload
// begins.
inline bool header_whole(const Message& message) {
  return !message.decoded.stop && !message.decoded.odd_discriminator;
}

// What says whether the RPC message behind the header is a Call or a Reply (RFC
// 5531 §9) was captured; also behind an RDMA2_OPTIONAL, if an extension wants one.
inline constexpr uint32_t through_rpc_type = 8;  // bytes of the RPC message
inline bool rpc_type_captured(const Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  return (h.carries_payload() || h.is(rpcrdma::v2::Proc::optional)) && header_whole(message) &&
         message.payload.size() >= through_rpc_type;
}

// Digest of what a Requester repeats when it sends a Call again, perhaps under another XID; to be compared
// with body_digest() of an Exchange.
inline uint64_t body_digest(const Message& message) {
  return body_digest(message.payload, message.rpc, message.rpc_decoded);
}

}  // namespace steertag::flow
