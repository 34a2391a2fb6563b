// The bounds of what waits in a Survey: messages and pieces beyond them are disguised as a whole, or zeros.
#include <catch2/catch.hpp>

#include "sanitize/made.h"

namespace steertag::sanitize {
namespace {

track::Connection connection() {
  track::Connection made;
  made.transport = rdma::Transport::roce2;
  made.number = 1;
  return made;
}

TEST_CASE("bounds: pieces, messages and placements that wait") {
  Plan plan(kKey, 64 << 20);
  Survey survey(kKey, {}, plan);
  const track::Connection one = connection();
  const std::vector<uint8_t> bytes = {1, 2, 3, 4};
  rdma::RdmaOp op;
  op.payload = bytes;
  for (size_t i = 0; i < Survey::kMostPieces + 10; ++i) {
    op.end_position = i + 1;
    survey.on(PieceSeen{one, op});
  }
  CHECK(survey.waiting(one) == Survey::kMostPieces);
  survey.on(ConnectionClosed{.connection = one});
  CHECK(survey.waiting(one) == 0);

  flow::Exchange exchange;
  exchange.connection = &one;
  flow::SegmentFlow& segment = exchange.segments.add();
  segment.kind = flow::ChunkKind::reply;
  for (size_t i = 0; i < Survey::kMostPlaced + 10; ++i) {
    survey.on(PlacementSeen{exchange, segment, op, 0, 4});
  }
  CHECK(survey.waiting(one) == Survey::kMostPlaced);
  survey.on(ExchangeDone{exchange});
  CHECK(survey.waiting(one) == 0);

  rpcrdma::TransportHeader header;
  header.version = 1;
  flow::Message message;
  message.connection = &one;
  message.header = &header;
  for (uint32_t i = 0; i < Survey::kMostSent + 10; ++i) {
    header.xid = i;
    survey.on(MessageSeen{message});
  }
  CHECK(survey.waiting(one) == 10);
}

TEST_CASE("bounds: bytes of a chunk that are looked into") {
  CHECK(Survey::kMostBytes >= Options{}.payload_limit);
}

}  // namespace
}  // namespace steertag::sanitize
