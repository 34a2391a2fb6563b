#include "sanitize/queue_pairs.h"

#include "rdma/roce/bth.h"
#include "wire/reader.h"

namespace steertag::sanitize {

namespace roce = rdma::roce;

namespace {

// IBTA vol. 1 §9.2: an opcode that has a name, the default partition, and zeros where nothing else may be.
bool beyond_doubt(const roce::Bth& bth) {
  constexpr uint16_t kDefaultPartition = 0x7FFF;
  constexpr uint8_t kCongestion = 0xC0, kAckRequest = 0x80;
  return shape(bth.opcode).operation != roce::Operation::unknown && bth.version() == 0 &&
         (bth.p_key & kDefaultPartition) == kDefaultPartition && (bth.congestion & ~kCongestion) == 0 &&
         (bth.ack_request & ~kAckRequest) == 0;
}

}  // namespace

void QueuePairs::add(const track::Connection& connection) {
  using rdma::Side;
  if (connection.transport == rdma::Transport::iwarp || connection.pairing == track::Pairing::one_sided ||
      halves_.size() >= kMost) {
    return;
  }
  for (const Side from : {Side::a, Side::b}) {
    const track::End &source = connection.end(from), &destination = connection.end(rdma::other(from));
    if (destination.qpn) {
      halves_.insert({source.address, destination.address, *destination.qpn});
    }
  }
}

bool QueuePairs::accounts_for(const base::Address& source, const base::Address& destination,
                              Bytes from_bth) const {
  roce::Bth bth;
  return !wire::read(from_bth, bth) && (beyond_doubt(bth) || has(source, destination, bth.dest_qp));
}

}  // namespace steertag::sanitize
