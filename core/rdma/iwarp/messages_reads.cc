// The RDMA Reads that wait for their Responses, and which of them a Response
// answers.
#include "rdma/iwarp/messages.h"

namespace steertag::rdma::iwarp {

namespace {

// Reads behind the newest that are compared with it.
constexpr size_t kFewReads = 64;

}  // namespace

void Messages::Half::push(const Read& read) {
  if (reads.size() - first_read >= kMaxOutstandingReads) {
    pop(1);
  }
  if (first_read >= 64 && first_read > reads.size() / 2) {
    reads.erase(reads.begin(), reads.begin() + static_cast<ptrdiff_t>(first_read));
    first_read = 0;
  }
  const auto same = [&](uint32_t stag, uint64_t offset) {
    return stag == read.sink_stag && offset == read.sink_offset;
  };
  sinks_shared = sinks_shared || same(last_stag, last_offset);
  for (size_t i = reads.size(); i-- > first_read && reads.size() - i <= kFewReads && !sinks_shared;) {
    sinks_shared = same(reads[i].sink_stag, reads[i].sink_offset);
  }
  ++sinks_seen;
  last_stag = read.sink_stag;
  last_offset = read.sink_offset;
  reads.push_back(read);
}

void Messages::Half::pop(size_t count) {
  first_read += count;
  if (first_read == reads.size()) {
    reads.clear();
    first_read = 0;
  }
}

// Responses come in the order of the Requests (RFC 5040 §5.5), so those before
// the one that is answered have had theirs, unseen.
void Messages::read_response(Side from, const TaggedHeader& header, RdmaOp& op) {
  Half& asker = halves_[index(other(from))];
  op.kind = OpKind::read_response;
  op.memory = {0, 0, op.payload_length};
  watch_response(header, op.payload_length);
  for (size_t i = asker.first_read; i < asker.reads.size(); ++i) {
    Read& read = asker.reads[i];
    const uint64_t into = header.offset - read.sink_offset;  // huge where it lies before
    const bool inside = into < read.source.length || (into == 0 && op.payload_length == 0);
    if (header.stag != read.sink_stag || !inside) {
      continue;
    }
    op.id = read.id;
    op.memory.handle = read.source.handle;
    op.memory.offset = read.source.offset + into;
    op.first = !read.begun && into == 0;
    if (into == 0 && read.epoch == asker.epoch && !asker.sinks_shared && asker.sinks_seen >= 2) {
      asker.reads_doubtful = false;  // all Requests since then are known, and those before are answered
    }
    read.begun = true;
    read.delivered = into + op.payload_length;
    if (op.last) {
      complete(asker, i);
    }
    asker.pop(i - asker.first_read + (op.last ? 1 : 0));
    return;
  }
}

}  // namespace steertag::rdma::iwarp
