// TransportHeader of a sanitized capture: what is written in place of one. A chunk list that runs on reads
// the RPC message as segments, so segments stay only in front of where that message begins; behind it stays
// what leads the reading on, as far as it can be that: so whoever reads the result comes upon the same fault.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "flow/message.h"
#include "sanitize/key.h"

namespace steertag::sanitize {

struct HeaderImage {
  std::vector<uint8_t> bytes;  // as many as were read of the header
  bool hidden = false;         // some of it may be no header, and is not shown
};
HeaderImage header_image(const Key& key, const flow::Message& message);

// Where the RPC message begins that goes with this header, by its XID and the words behind that: bytes from
// the start of the Send. Unset: it was not captured, travels in chunks, or has another XID.
std::optional<uint32_t> begin_of_rpc(const flow::Message& message);

// Whether an RPC header begins there, by the words behind its XID.
bool rpc_begins(Bytes at);

}  // namespace steertag::sanitize
