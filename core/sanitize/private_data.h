// What stays of the private data of a connection's setup: the eight bytes of RFC 8797, as far as they were
// captured. Anything else in it is some application's, and becomes zeros: its length is that of the whole,
// and stays.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"

namespace steertag::sanitize {

// As long as `data`, with zeros for what does not stay.
std::vector<uint8_t> private_data(Bytes data);
// The same of an MPA Request or Reply, whose fields stay.
std::vector<uint8_t> setup_frame(Bytes raw);

}  // namespace steertag::sanitize
