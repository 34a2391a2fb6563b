// Which RDMA Read a Read Response answers.
#include "rdma/iwarp/messages.h"

namespace steertag::rdma::iwarp {

// Responses come in the order of the Requests (RFC 5040 §5.5), so those before
// the one that is answered have had theirs, unseen.
void Messages::read_response(Side from, const TaggedHeader& header, RdmaOp& op) {
  Half& asker = halves_[index(other(from))];
  op.kind = OpKind::read_response;
  op.memory = {0, 0, op.payload_length};
  watch_response(header, op.payload_length);
  const size_t place = asker.reads.find(header.stag, header.offset, op.payload_length);
  if (place == asker.reads.size()) {
    return;
  }
  OutstandingRead& read = asker.reads[place];
  const uint64_t into = header.offset - read.sink_offset;
  op.id = read.id;
  op.memory.handle = read.source.handle;
  op.memory.offset = read.source.offset + into;
  op.first = !read.begun && into == 0;
  if (into == 0 && read.epoch == asker.epoch && asker.reads.told_apart()) {
    asker.reads_doubtful = false;  // all Requests since then are known, and those before are answered
  }
  read.begun = true;
  read.delivered = into + op.payload_length;
  if (op.last) {
    complete(asker, place);
  }
  asker.reads.pop(place + (op.last ? 1 : 0));
}

size_t Messages::bytes() const {
  return halves_[0].bytes() + halves_[1].bytes();
}

}  // namespace steertag::rdma::iwarp
