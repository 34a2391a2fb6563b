// An RPC message and what the upper layers make of it: the RPC header, GSS credentials,
// CONF_RDMA, and the walks over the arguments of a Call and the results of its Reply, in
// every version, forward and back, padded and not. Layout of the input: 1 byte what there
// is beside the messages, 2 bytes the length of the Call and the Call, up to 3 Write chunks
// of 2 bytes, then the Reply.
#include "rpcrdma/rpc.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/range_set.h"
#include "base/stretch.h"
#include "input.h"
#include "nfs/padded.h"
#include "nfs/reply.h"
#include "rpcrdma/config.h"
#include "targets.h"

namespace steertag::fuzz {
namespace {

constexpr uint32_t kFront = 28;  // bytes of a transport header before a padded message

void check_header(Bytes captured, uint32_t cut) {
  const auto length = static_cast<uint32_t>(captured.size()) + cut;
  rpcrdma::RpcHeader rpc;
  const rpcrdma::RpcDecoded decoded = rpcrdma::decode(captured, length, rpc);
  require(decoded.header_length <= captured.size(), "an RPC header lies inside the bytes");
  rpcrdma::gss_credential(rpc.credential);
  rpcrdma::wrapped(rpc.credential);
  if (decoded.stop) {
    require(decoded.stop->needed > decoded.stop->available, "a stop says what was missing");
    return;
  }
  std::vector<uint8_t> written;
  rpcrdma::encode(rpc, written);
  rpcrdma::RpcHeader again;
  rpcrdma::decode(written, static_cast<uint32_t>(written.size()), again);
  require(written.size() == decoded.header_length, "an RPC header is as long as it was");
  require(again == rpc, "decode(encode(header)) is the header");
  if (const auto found = rpcrdma::config::find(rpc, captured, decoded.header_length)) {
    std::vector<wire::Node> nodes;
    rpcrdma::config::outline(*found, captured, kFront, nodes);
    for (const wire::Node& node : nodes) {
      require(uint64_t{node.at.offset} + node.at.length <= kFront + captured.size(),
              "CONF_RDMA lies inside the bytes");
    }
  }
}

void check_walk(const nfs::Stream& stream, const nfs::Walk& walk) {
  require(walk.offset <= stream.length || walk.reason == nfs::Reason::past_end,
          "a walk ends inside the message");
  // An item takes four bytes at least, and no more of them are kept than there is room for.
  require(walk.items.size() <= stream.length / 4 + 1, "items are paid for by bytes");
  require(walk.wanted.size() <= stream.length / 4 + 1, "what is wanted is paid for by bytes");
  uint64_t before = 0;
  for (size_t i = 0; i < walk.items.size(); ++i) {
    require(walk.items[i].position >= before, "items stand in stream order");
    before = walk.items[i].position;
  }
}

// A stream in pieces of so many bytes, where they lie.
std::vector<base::Stretch> in_pieces(const nfs::Stream& stream, uint64_t size) {
  std::vector<base::Stretch> pieces;
  for (uint64_t at = 0; at < stream.length; at += size) {
    pieces.push_back({stream.one.data, stream.one.held, std::min(size, stream.length - at), at});
  }
  return pieces;
}

void same(const nfs::Walk& one, const nfs::Walk& other) {
  require(one.reason == other.reason && one.offset == other.offset && one.operation == other.operation &&
              one.opcode == other.opcode && one.left == other.left && one.left_zero == other.left_zero &&
              one.items.size() == other.items.size() && one.wanted.size() == other.wanted.size(),
          "in pieces a message is walked as in one");
}

}  // namespace

void run_rpc(Bytes bytes) {
  Input input(bytes);
  const uint64_t choice = input.number(1);
  const Bytes call_bytes = input.counted(2);
  std::array<uint64_t, 3> returned{};
  for (uint64_t& chunk : returned) {
    chunk = (choice & 1) != 0 ? input.number(2) : 0;
  }
  const Bytes reply_bytes = input.rest();
  const uint32_t cut = (choice & 2) != 0 ? 100 : 0;
  check_header(call_bytes, cut);
  check_header(reply_bytes, cut);

  base::RangeSet holes;  // every other 64 bytes
  for (uint64_t at = 0; at < call_bytes.size(); at += 128) {
    holes.add(at, std::min<uint64_t>(64, call_bytes.size() - at));
  }
  nfs::Stream call_stream{call_bytes, (choice & 4) != 0 ? &holes : nullptr, call_bytes.size() + cut};
  // The same numbers place a Read chunk, wherever that may be.
  const std::array<nfs::PlacedChunk, 1> placed{{{returned[0], returned[1]}}};
  call_stream.chunks = std::span(placed).first(choice & 1);
  const nfs::Stream reply_stream{reply_bytes, nullptr, reply_bytes.size() + cut};
  const std::span<const uint64_t> chunks(returned.data(), (choice >> 3) % 4);
  static nfs::CallWalk call;  // refilled, as the Analyzer does
  static nfs::ReplyWalk reply;
  nfs::walk_call(call_stream, call);
  check_walk(call_stream, call);
  nfs::walk_reply(reply_stream, call, chunks, reply);
  check_walk(reply_stream, reply);

  static nfs::CallWalk call_again;
  static nfs::ReplyWalk reply_again;
  const auto call_pieces = in_pieces(call_stream, 4 + choice),
             reply_pieces = in_pieces(reply_stream, 4 + choice);
  nfs::Stream call_apart(call_pieces, call_stream.length);
  call_apart.chunks = call_stream.chunks;
  nfs::walk_call(call_apart, call_again);
  same(call, call_again);
  nfs::walk_reply({reply_pieces, reply_stream.length}, call, chunks, reply_again);
  same(reply, reply_again);
  if ((choice & 0x20) != 0) {
    const rpcrdma::v1::Padding padding{static_cast<uint32_t>(1 << (choice >> 6)) * 4, 16};
    nfs::walk_padded_reply(reply_stream, padding, kFront, call, chunks, reply);
    nfs::walk_padded_call(call_stream, padding, kFront, call);
    check_walk(call_stream, call);
  }
}

}  // namespace steertag::fuzz
