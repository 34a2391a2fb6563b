#include "sanitize/targets.h"

#include <algorithm>
#include <limits>
#include <utility>

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

const Targets::Span* Targets::Known::find(uint32_t handle) const {
  for (const Spans* spans : {&latest, &earlier}) {
    if (const auto found = spans->find(handle); found != spans->end()) {
      return &found->second;
    }
  }
  return nullptr;
}

void Targets::add(const track::Connection& connection, uint32_t handle, uint64_t offset, uint32_t length) {
  Known& known = of_[&connection];
  Spans& spans = known.latest;
  if (spans.size() >= kMost / 2) {
    known.earlier = std::move(spans);
    spans.clear();
  }
  const uint64_t end = offset + std::min<uint64_t>(length, std::numeric_limits<uint64_t>::max() - offset);
  const Span* const before = known.find(handle);
  const Span all = before == nullptr ? Span{offset, end}
                                     : Span{std::min(before->begin, offset), std::max(before->end, end)};
  spans[handle] = all;
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
    const Span* const span = found == of_.end() ? nullptr : found->second.find(handle);
    return span != nullptr && (!offset || (*offset >= span->begin && *offset <= span->end));
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
  return found == of_.end() ? 0 : found->second.latest.size() + found->second.earlier.size();
}

}  // namespace steertag::sanitize
