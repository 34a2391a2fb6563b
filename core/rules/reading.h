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

// Messages with an RPC message behind their header.
inline bool carries_payload(const rpcrdma::TransportHeader& header) {
  return header.is_msg() || header.is(rpcrdma::v1::Proc::msgp);
}

// Messages that convey an RPC message, inline or in chunks. They are also those with chunk lists.
inline bool conveys_rpc(const rpcrdma::TransportHeader& header) {
  return carries_payload(header) || header.is_nomsg();
}

// The n-th word behind the transport header, from 0; unset where it was not
// captured or is not there.
inline std::optional<uint32_t> payload_word(const flow::Message& message, uint32_t n) {
  const Bytes word = slice(message.payload, size_t{n} * 4, 4);
  return word.size() == 4 ? std::optional(wire::big_endian<uint32_t>(word.data())) : std::nullopt;
}

// Bytes of memory that a chunk names.
inline uint64_t chunk_length(const rpcrdma::WriteChunk& chunk) {
  uint64_t sum = 0;
  for (const rpcrdma::Segment& segment : chunk.target) {
    sum += segment.length;
  }
  return sum;
}

// Bytes of the Reply chunk; 0 also where there is none.
inline uint64_t reply_chunk_length(const rpcrdma::ChunkLists& chunks) {
  return chunks.reply.empty() ? 0 : chunk_length(chunks.reply[0]);
}

// Bytes of the Position-Zero Read chunk; 0 also where there is none.
inline uint64_t position_zero_length(const rpcrdma::ChunkLists& chunks) {
  uint64_t sum = 0;
  for (const rpcrdma::ReadSegment& segment : chunks.reads) {
    sum += segment.position == 0 ? segment.target.length : 0;
  }
  return sum;
}

// Packets are known to be missing between `since` and now.
inline bool gap_since(const track::Connection& connection, const Stamp& since) {
  return connection.last_gap_ns && *connection.last_gap_ns >= since.time_ns;
}

}  // namespace steertag::rules
