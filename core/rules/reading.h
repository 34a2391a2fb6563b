// What checks ask of one message again and again: how far its header could be
// read and whose fault it is that this was not further, where its payload is,
// what its chunks hold. Nothing here judges.
#pragma once

#include <cstdint>
#include <optional>

#include "flow/message.h"
#include "rules/rule.h"
#include "wire/reader.h"

namespace steertag::rules {

// Where the words stand that are at the same place in every message that has them.
namespace field {
inline constexpr Range xid{0, 4}, version{4, 4}, credit{8, 4}, procedure{12, 4};
inline constexpr Range direction{16, 4};                        // rdma_direction, rdma_optdir
inline constexpr Range error{16, 4};                            // rdma_err
inline constexpr Range versions{20, 8};                         // ERR_VERS: rdma_vers_low and rdma_vers_high
inline constexpr Range processed{20, 4}, segment_index{24, 4};  // RDMA2_ERR_CANT_REPLY
}  // namespace field

// Bytes of the least transport header of version one with chunk lists: what is shorter is dropped (RFC 8166
// §4.5, not RFC 5666).
inline constexpr uint32_t kLeastMessage = 28;

// Bytes of a Call up to and with the flavor of its credential (RFC 5531 §9).
inline constexpr uint32_t kThroughCredentialFlavor = 28;

using flow::header_cut;

// The header runs off the end of the Send: what stands behind the place where
// reading stopped is not there, and what follows the header cannot be found.
inline bool header_runs_off(const flow::Message& message) {
  return message.decoded.stop && message.decoded.stop->limit == wire::Limit::message;
}

// Whether a header was read to its end. Where its sender left it broken other
// rules say so, and it is not_applicable; where the capture cut it, undecided.
inline Outcome whole(const rpcrdma::Decoded& decoded) {
  if (decoded.odd_discriminator) {
    return Outcome::not_applicable;
  }
  if (!decoded.stop) {
    return Outcome::done;
  }
  return decoded.stop->limit == wire::Limit::capture ? Outcome::undecided : Outcome::not_applicable;
}

// An RPC counts once: undecided where one half of it is.
constexpr Outcome of_both_legs(Outcome asked, Outcome answered) {
  return answered == Outcome::not_applicable || asked == Outcome::undecided ? asked : answered;
}

// The versions that an ERR_VERS says its sender speaks; unset in anything else. Where reading stopped, zeros
// stand for what was not read.
inline std::optional<flow::VersionRange> reported_range(const rpcrdma::TransportHeader& h) {
  if (h.error_v1 && h.error_v1->code == rpcrdma::v1::ErrorCode::vers) {
    return flow::VersionRange{h.error_v1->vers_low, h.error_v1->vers_high};
  }
  if (h.error_v2 && h.error_v2->code == rpcrdma::v2::ErrorCode::vers) {
    return flow::VersionRange{h.error_v2->vers_low, h.error_v2->vers_high};
  }
  return std::nullopt;
}

// The n-th word behind the transport header, from 0; unset where it was not
// captured or is not there.
inline std::optional<uint32_t> payload_word(const flow::Message& message, uint32_t n) {
  const Bytes word = slice(message.payload, size_t{n} * 4, 4);
  return word.size() == 4 ? std::optional(wire::big_endian<uint32_t>(word.data())) : std::nullopt;
}

// RFC 5666 §3.7: a Read segment of one to three bytes that rounds what is in front of it up to a multiple of
// four, as a chunk of its own. Only that profile knows such a one.
inline bool roundup_chunk(const rpcrdma::ReadSegment& segment) {
  const uint64_t end = uint64_t{segment.position} + segment.target.length;
  return segment.position % 4 != 0 && end % 4 == 0 && segment.target.length <= 3;
}

// The version whose defaults and rules count: the one that was agreed upon, before that the message's own.
inline uint32_t spoken_version(const flow::Message& message) {
  const auto& agreed = message.standing->agreed;
  return agreed ? agreed->value : message.header->version;
}

// Something that was sent between `since` and now is not known.
inline bool gap_since(const track::Connection& connection, const Stamp& since) {
  return connection.last_doubt_ns && *connection.last_doubt_ns >= since.time_ns;
}

}  // namespace steertag::rules
