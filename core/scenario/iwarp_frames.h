// The frames that an IwarpTransport sends, as far as they follow from what it is told: MPA Requests and
// Replies (RFC 5044 §7.1, RFC 6581 §9), Terminates (RFC 5040 §4.8), and the outline of a DDP segment's
// headers, so that a line of the scenario may patch their fields. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "rdma/iwarp/ddp.h"
#include "rdma/iwarp/mpa.h"
#include "rdma/iwarp/rdmap.h"
#include "scenario/script.h"
#include "wire/outline.h"

namespace steertag::scenario {

// The latest DDP segment that an end received.
struct ReceivedSegment {
  rdma::iwarp::TaggedHeader tagged;
  rdma::iwarp::UntaggedHeader untagged;
  rdma::iwarp::ReadRequestHeader read_request;
  uint16_t length = 0;
  bool is_tagged = false, is_read = false;
};

// What an end objects to in that segment.
rdma::iwarp::TerminateHeader terminate_of(const ComplaintLine& complaint, const ReceivedSegment& received);

// The Request, or the Reply, of `from`; `data` is what follows it.
rdma::iwarp::SetupFrame setup_frame_of(const ConnectionSpec& spec, Side from, bool reply,
                                       std::vector<uint8_t>& data);

// DDP and RDMAP headers by the names of their layouts.
std::vector<wire::Node> outline(Bytes ulpdu, bool tagged, bool read_request);

}  // namespace steertag::scenario
