#include "sanitize/targets.h"

#include <algorithm>
#include <limits>

#include "rdma/iwarp/ddp.h"
#include "rdma/iwarp/rdmap.h"
#include "sanitize/fpdu.h"
#include "wire/reader.h"

namespace steertag::sanitize {
namespace {

namespace iwarp = rdma::iwarp;

// The RDMAP header of a Read Request; unset where the FPDU is of another kind, or ends in it.
std::optional<iwarp::ReadRequestHeader> request_in(Bytes plain) {
  iwarp::UntaggedHeader ddp;
  iwarp::ReadRequestHeader request;
  const Bytes segment = slice(plain, kLengthField);
  const bool read = !wire::read(segment, ddp) && !ddp.control.tagged() &&
                    ddp.control.opcode() == iwarp::Opcode::read_request &&
                    !wire::read(slice(segment, iwarp::UntaggedHeader::kSize), request);
  return read ? std::optional(request) : std::nullopt;
}

}  // namespace

void Targets::add(const track::Connection& connection, uint32_t handle, uint64_t offset, uint32_t length) {
  Spans& spans = of_[&connection];
  if (spans.size() >= kMost) {
    spans.clear();
  }
  const uint64_t end = offset + std::min<uint64_t>(length, std::numeric_limits<uint64_t>::max() - offset);
  const auto [at, fresh] = spans.try_emplace(handle, Span{offset, end});
  if (!fresh) {
    at->second = {std::min(at->second.begin, offset), std::max(at->second.end, end)};
  }
}

void Targets::add(const track::Connection& connection, const rpcrdma::TransportHeader& header) {
  const auto add_segment = [&](const rpcrdma::Segment& segment) {
    add(connection, segment.handle, segment.offset, segment.length);
  };
  for (const rpcrdma::ReadSegment& read : header.chunks.reads) {
    add_segment(read.target);
  }
  for (const auto* chunks : {&header.chunks.writes, &header.chunks.reply}) {
    for (const rpcrdma::WriteChunk& chunk : *chunks) {
      std::for_each(chunk.target.begin(), chunk.target.end(), add_segment);
    }
  }
}

void Targets::add_request(const track::Connection& connection, Bytes plain) {
  if (const auto request = request_in(plain)) {
    add(connection, request->sink_stag, request->sink_offset, request->size);
  }
}

bool Targets::named(const track::Connection& connection, Bytes plain) const {
  const auto found = of_.find(&connection);
  const auto holds = [&](uint32_t handle, std::optional<uint64_t> offset) {
    const auto span = found == of_.end() ? Spans::const_iterator() : found->second.find(handle);
    return found != of_.end() && span != found->second.end() &&
           (!offset || (*offset >= span->second.begin && *offset <= span->second.end));
  };
  const Bytes segment = slice(plain, kLengthField);
  iwarp::TaggedHeader tagged;
  iwarp::UntaggedHeader untagged;
  if (!wire::read(segment, tagged) && tagged.control.tagged()) {
    return holds(tagged.stag, tagged.offset);
  }
  if (wire::read(segment, untagged)) {
    return false;
  }
  if (const auto request = request_in(plain)) {
    return holds(request->source_stag, request->source_offset);
  }
  return untagged.invalidate_stag == 0 || holds(untagged.invalidate_stag, std::nullopt);
}

size_t Targets::size(const track::Connection& connection) const {
  const auto found = of_.find(&connection);
  return found == of_.end() ? 0 : found->second.size();
}

}  // namespace steertag::sanitize
