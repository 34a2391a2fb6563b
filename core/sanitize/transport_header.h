// TransportHeader of a sanitized capture: what is written in place of one. A chunk list that runs on reads
// the RPC message as segments, so segments stay only in front of where that message begins; behind it stays
// what leads the reading on, as far as it can be that: so whoever reads the result comes upon the same fault.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/message.h"
#include "sanitize/key.h"

namespace steertag::sanitize {

struct HeaderImage {
  std::vector<uint8_t> bytes;  // as many as were read of the header
  bool hidden = false;         // some of it may be no header, and is not shown
  bool rpc_follows = false;    // an RPC message begins where the header ends
  bool rpc_inside = false;     // one begins in front of that: a list runs on into it
};
HeaderImage header_image(const Key& key, const flow::Message& message);

}  // namespace steertag::sanitize
