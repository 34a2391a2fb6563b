// The messages of a connection's setup: on InfiniBand and RoCE in MADs of the communication manager, read and
// written by the layout of rdma/roce/cm.h, so that what has no name there is gone; on iWARP MPA Requests and
// Replies. Of the private data in them only what RFC 8797 has there stays. What the snaplen cut stays as
// short.
#pragma once

#include <vector>

#include "base/bytes.h"
#include "sanitize/address_map.h"

namespace steertag::sanitize {

// The MAD as it is written, as long as `mad`, with its addresses mapped; zeros where it is not of the
// communication manager, or has something in reserved bytes: it may then be of another attribute.
std::vector<uint8_t> sanitize_mad(Bytes mad, const Key& key, AddressMap& addresses);
// The same of an MPA Request or Reply, whose fields stay.
std::vector<uint8_t> setup_frame(Bytes raw);

}  // namespace steertag::sanitize
