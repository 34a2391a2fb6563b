// One Send, through the transport header, the RPC header behind it and private
// data. What was read whole and is written again must be the same bytes. Layout
// of the input: 2 bytes cut off by the snaplen, then the captured bytes.
#include <algorithm>
#include <vector>

#include "input.h"
#include "rpcrdma/header.h"
#include "rpcrdma/private_data.h"
#include "rpcrdma/recognize.h"
#include "rpcrdma/rpc.h"

using namespace steertag;

static void round_trip(const rpcrdma::TransportHeader& header, const rpcrdma::Decoded& decoded) {
  std::vector<uint8_t> written;
  rpcrdma::encode(header, written);
  rpcrdma::TransportHeader again;
  const rpcrdma::Decoded second = rpcrdma::decode(written, static_cast<uint32_t>(written.size()), again);
  fuzz::require(!second.stop, "what encode() writes can be read to its end");
  fuzz::require(again == header, "decode(encode(header)) is the header");
  fuzz::require(second.header_length == written.size(), "encode() writes the header and nothing else");
  fuzz::require(decoded.header_length == written.size(), "a header is as long as it was");
}

static void check_rpc(Bytes captured, uint32_t wire_length) {
  rpcrdma::RpcHeader rpc;
  const rpcrdma::RpcDecoded decoded = rpcrdma::decode(captured, wire_length, rpc);
  fuzz::require(decoded.header_length <= captured.size(), "an RPC header lies inside the bytes");
  rpcrdma::gss_credential(rpc.credential);
  rpcrdma::wrapped(rpc.credential);
  if (!decoded.stop) {
    std::vector<uint8_t> written;
    rpcrdma::encode(rpc, written);
    fuzz::require(written.size() == decoded.header_length, "an RPC header is as long as it was");
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const auto cut = static_cast<uint32_t>(input.number(2));
  const Bytes captured = input.rest();
  const auto wire_length = static_cast<uint32_t>(captured.size()) + cut;

  static rpcrdma::TransportHeader header;  // refilled, as the Analyzer does
  const rpcrdma::Decoded decoded = rpcrdma::decode(captured, wire_length, header);
  fuzz::require(decoded.header_length <= wire_length, "a header lies inside its message");
  if (decoded.stop) {
    fuzz::require(decoded.stop->offset + decoded.stop->available <= captured.size(),
                  "a stop lies inside the bytes");
    fuzz::require(decoded.stop->needed > decoded.stop->available, "a stop says what was missing");
  } else if (!decoded.odd_discriminator) {
    round_trip(header, decoded);
  }

  std::vector<wire::Node> nodes;
  const rpcrdma::Decoded outlined = rpcrdma::outline(captured, wire_length, nodes);
  fuzz::require(outlined.header_length == decoded.header_length,
                "outline() and decode() end at the same byte");
  fuzz::require(outlined.stop == decoded.stop, "outline() and decode() stop for the same reason");
  for (const wire::Node& node : nodes) {
    fuzz::require(uint64_t{node.at.offset} + node.at.length <= captured.size(),
                  "a node lies inside the bytes");
  }
  wire::text(nodes);

  rpcrdma::recognize(captured, wire_length, header, decoded);
  rpcrdma::find_private_data(captured);
  check_rpc(slice(captured, decoded.header_length), wire_length - decoded.header_length);
  check_rpc(captured, wire_length);
  return 0;
}
