// What checks ask of one message again and again: how far its header could be
// read and whose fault it is that this was not further, where its payload is,
// what its chunks hold. Nothing here judges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "flow/message.h"
#include "wire/reader.h"

namespace steertag::rules {

// The four words that every version has in common were captured.
inline bool fixed_header_captured(const flow::Message& message) {
  return message.bytes.size() >= rpcrdma::fixed_header_length;
}

// The header goes on where the snaplen cut the packet.
inline bool header_cut(const flow::Message& message) {
  return message.decoded.stop && message.decoded.stop->limit == wire::Limit::capture;
}

// The header runs off the end of the Send: what stands behind the place where
// reading stopped is not there, and what follows the header cannot be found.
inline bool header_runs_off(const flow::Message& message) {
  return message.decoded.stop && message.decoded.stop->limit == wire::Limit::message;
}

// The n-th word behind the transport header, from 0; unset where it was not
// captured or is not there.
inline std::optional<uint32_t> payload_word(const flow::Message& message, uint32_t n) {
  const Bytes word = slice(message.payload, size_t{n} * 4, 4);
  return word.size() == 4 ? std::optional(wire::big_endian<uint32_t>(word.data())) : std::nullopt;
}

// Packets are known to be missing between `since` and now.
inline bool gap_since(const track::Connection& connection, const Stamp& since) {
  return connection.last_gap_ns && *connection.last_gap_ns >= since.time_ns;
}

}  // namespace steertag::rules
