// Positions of Read chunks: where in the Call what they carry belongs.

#include "nfs/cursor.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

// The bytes that the other Read chunks are inserted into: inline, or in the
// Position-Zero Read chunk. Unset where the message is neither.
std::optional<uint64_t> base_length(const flow::Message& call) {
  if (call.header->is_msg()) {
    return call.payload_length;
  }
  if (!call.header->is_nomsg()) {
    return std::nullopt;  // RDMA_MSGP pads what is inline
  }
  return call.header->chunks.position_zero_length();
}

// The chunk at the least Position above `after`, all its segments together;
// false where there is none.
bool next_read_chunk(const base::List<rpcrdma::ReadSegment>& reads, uint32_t after,
                     const rpcrdma::ReadSegment*& first, uint64_t& length) {
  first = nullptr;
  for (const rpcrdma::ReadSegment& read : reads) {
    if (read.position > after && (first == nullptr || read.position < first->position)) {
      first = &read;
      length = 0;
    }
    if (first != nullptr && read.position == first->position) {
      length += read.target.length;
    }
  }
  return first != nullptr;
}

// Between two chunks are inline bytes, or none; never fewer, and no more than there are.
// RFC 5666 §3.7 lets roundup have a chunk of its own, at the very end of the data.
void report_impossible_position(const flow::Message& message, uint64_t base, Report& report) {
  const auto& reads = message.header->chunks.reads;
  uint64_t end = 0;  // of the data of the chunk before, padding not counted
  const rpcrdma::ReadSegment* chunk = nullptr;
  uint64_t length = 0;
  uint64_t carried = 0;  // by the chunks so far, with their padding
  uint64_t taken = 0;    // of `base` so far
  for (uint32_t after = 0; next_read_chunk(reads, after, chunk, length); after = chunk->position) {
    if (report.rfc5666() && chunk->position == end && end + length == nfs::padded(end)) {
      continue;
    }
    if (chunk->position < carried + taken) {
      report("Read chunk has Position {}, inside the Read chunk before it, which ends at {}", chunk->position,
             carried + taken)
          .in(chunk->at);
      return;
    }
    taken = chunk->position - carried;
    if (taken > base) {
      report("Read chunk has Position {}, but there are only {} bytes before it", chunk->position,
             base + carried)
          .in(chunk->at);
      return;
    }
    carried += nfs::padded(length);
    end = chunk->position + length;
  }
}

// A Requester makes the list in the order of the message, a chunk at a time. Other orders can be read.
void report_unordered_list(const base::List<rpcrdma::ReadSegment>& reads, bool reply, Report& report) {
  for (size_t i = 1; i < reads.size(); ++i) {
    if (reads[i].position < reads[i - 1].position) {
      report(
          "Read segment {} has Position {}, but the one before it has {}: the list is not in the order of "
          "the {}",
          i + 1, reads[i].position, reads[i - 1].position, reply ? "Reply" : "Call")
          .in(reads[i].at)
          .severity(Severity::warning);
      return;
    }
  }
}

Outcome check_impossible_position(const flow::Message& message, Report& report) {
  const auto& reads = message.header->chunks.reads;
  const std::optional<uint64_t> base = base_length(message);
  if (reads.empty() || !base) {
    return Outcome::not_applicable;
  }
  if (message.decoded.stop) {
    return Outcome::undecided;
  }
  // RFC 8166 has no Read lists in Replies; where one has Write chunks, too, Positions may count them or not.
  const bool reply = message.direction == flow::Direction::reply;
  if (reply && (!report.rfc5666() || !message.header->chunks.writes.empty())) {
    return Outcome::not_applicable;
  }
  const bool both = message.header->is_msg() && reads[0].position == 0;  // another rule's: sent twice
  // The walk looks through the list once per chunk; real lists are short.
  constexpr size_t kMostSegments = 1024;
  if (both || reads.size() > kMostSegments) {
    return Outcome::undecided;
  }
  report_impossible_position(message, *base, report);
  report_unordered_list(reads, reply, report);
  return Outcome::done;
}

}  // namespace

constinit const Rule impossible_position = {
    .id = "CHK-03",
    .name = "impossible-read-position",
    .source = {"RFC 8166", "3.4.5"},
    .about = kinds::calls | kinds::replies,
    .message = check_impossible_position,
    .plain_message = plain::asked_with(plain::reads),
};

}  // namespace steertag::rules
