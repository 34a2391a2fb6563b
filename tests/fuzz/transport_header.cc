// The transport header of one Send. What was read whole and is written again must be the
// same bytes. Layout of the input: 2 bytes cut off by the snaplen, then the captured bytes.
#include <algorithm>
#include <vector>

#include "input.h"
#include "rpcrdma/header.h"
#include "rpcrdma/recognize.h"
#include "targets.h"

namespace steertag::fuzz {
namespace {

void round_trip(const rpcrdma::TransportHeader& header, const rpcrdma::Decoded& decoded) {
  std::vector<uint8_t> written;
  rpcrdma::encode(header, written);
  rpcrdma::TransportHeader again;
  const rpcrdma::Decoded second = rpcrdma::decode(written, static_cast<uint32_t>(written.size()), again);
  require(!second.stop, "what encode() writes can be read to its end");
  require(again == header, "decode(encode(header)) is the header");
  require(second.header_length == written.size(), "encode() writes the header and nothing else");
  require(decoded.header_length == written.size(), "a header is as long as it was");
}

}  // namespace

void run_transport_header(Bytes bytes) {
  Input input(bytes);
  const auto cut = static_cast<uint32_t>(input.number(2));
  const Bytes captured = input.rest();
  const auto wire_length = static_cast<uint32_t>(captured.size()) + cut;

  static rpcrdma::TransportHeader header;  // refilled, as the Analyzer does
  const rpcrdma::Decoded decoded = rpcrdma::decode(captured, wire_length, header);
  require(decoded.header_length <= wire_length, "a header lies inside its message");
  if (decoded.stop) {
    require(decoded.stop->offset + decoded.stop->available <= captured.size(),
            "a stop lies inside the bytes");
    require(decoded.stop->needed > decoded.stop->available, "a stop says what was missing");
  } else if (!decoded.odd_discriminator) {
    round_trip(header, decoded);
  }

  std::vector<wire::Node> nodes;
  const rpcrdma::Decoded outlined = rpcrdma::outline(captured, wire_length, nodes);
  require(outlined.header_length == decoded.header_length, "outline() and decode() end at the same byte");
  require(outlined.stop == decoded.stop, "outline() and decode() stop for the same reason");
  for (const wire::Node& node : nodes) {
    require(uint64_t{node.at.offset} + node.at.length <= captured.size(), "a node lies inside the bytes");
  }
  wire::text(nodes);

  rpcrdma::recognize(captured, wire_length, header, decoded);
}

}  // namespace steertag::fuzz
