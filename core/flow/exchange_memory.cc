// The memory side of the table of Exchanges: what Calls, and Replies with a Read
// list, have offered, for the Standing of a message, and where RDMA Reads and
// Writes fall into it.

#include <algorithm>
#include <utility>

#include "flow/exchange_table.h"

namespace steertag::flow {

namespace {

// Each handle under which the Exchange offers memory of `owner`; a run of segments under one handle counts
// once.
template <typename Visit>
void each_handle(const Exchange& exchange, Side owner, const Visit& visit) {
  const SegmentFlow* before = nullptr;
  for (const SegmentFlow& segment : exchange.segments) {
    if (owner_of(segment.kind, exchange.requester) != owner) {
      continue;
    }
    if (before == nullptr || before->target.handle != segment.target.handle) {
      visit(segment.target.handle);
    }
    before = &segment;
  }
}

}  // namespace

const Exchange* ExchangeTable::find_offer(Side owner, uint32_t handle) const {
  const LiveSegments::Place* place = live_[rdma::index(owner)].find_any(handle);
  return place == nullptr || !place->live() ? nullptr : &exchange(place->exchange);
}

std::optional<Stamp> ExchangeTable::rescinded(Side owner, uint32_t handle) const {
  const LiveSegments::Place* place = live_[rdma::index(owner)].find_any(handle);
  if (place == nullptr) {
    return access_.rescinded(owner, handle);
  }
  return place->live() ? std::nullopt : place->rescinded;
}

std::optional<Overlap> ExchangeTable::find_overlap(const Message& call) const {
  const auto look = [&](const base::List<rpcrdma::WriteChunk>& chunks) -> std::optional<Overlap> {
    for (const rpcrdma::WriteChunk& chunk : chunks) {
      for (const rpcrdma::Segment& ours : chunk.target) {
        const LiveSegments::Place* place = ours.length == 0 ? nullptr
                                                            : live_[rdma::index(call.from)].find_overlap(
                                                                  ours.handle, ours.offset, ours.length);
        if (place != nullptr && exchange(place->exchange).xid != call.header->xid) {
          const Exchange& other = exchange(place->exchange);
          return Overlap{&ours, &other, &other.segments[place->segment]};
        }
      }
    }
    return std::nullopt;
  };
  const std::optional<Overlap> found = look(call.header->chunks.writes);
  return found ? found : look(call.header->chunks.reply);
}

// Before the Exchange offers `results`: who has offered these bytes for results, too, and was not answered.
void ExchangeTable::mark_shared(uint32_t number, const rpcrdma::Segment& results) {
  Exchange& ours = slots_[number]->exchange;
  live_[rdma::index(ours.requester)].each_overlap(results.handle, results.offset, results.length,
                                                  [&](const LiveSegments::Place& place) {
                                                    if (!for_reading(place.kind)) {
                                                      ours.shares_memory = true;
                                                      slots_[place.exchange]->exchange.shares_memory = true;
                                                    }
                                                  });
}

// --- what is on offer ---

// The segments of the Exchange from the `first` on.
void ExchangeTable::advertise(uint32_t number, uint32_t first) {
  const Exchange& x = slots_[number]->exchange;
  for (uint32_t i = first; i < x.segments.size(); ++i) {
    const SegmentFlow& s = x.segments[i];
    const Side owner = owner_of(s.kind, x.requester);
    LiveSegments& live = live_[rdma::index(owner)];
    if (!live.has_room(s.target.handle)) {
      slots_[number]->cut = true;
      access_.note_cut(owner);
      continue;
    }
    if (settings_.for_rules && !for_reading(s.kind)) {
      mark_shared(number, s.target);
    }
    live.add(s.target.handle, {number, i, s.target.offset, s.target.length, s.kind, false, {}});
  }
}

// What the Exchange offers of `owner` is not to be touched any more.
void ExchangeTable::mark_over(uint32_t number, Side owner) {
  each_handle(slots_[number]->exchange, owner,
              [&](uint32_t handle) { live_[rdma::index(owner)].mark_replied(handle, number); });
}

void ExchangeTable::take_back(uint32_t number) {
  const Exchange& x = slots_[number]->exchange;
  if (std::exchange(slots_[number]->unreadable, false)) {
    access_.end_unreadable(x.requester);
  }
  for (const Side owner : {Side::a, Side::b}) {
    each_handle(x, owner, [&](uint32_t handle) { live_[rdma::index(owner)].remove(handle, number); });
  }
  if (!settings_.for_rules) {
    return;
  }
  for (const SegmentFlow& segment : x.segments) {
    access_.retire(x, segment);
  }
}

// --- RDMA Reads and Writes ---

void ExchangeTable::on_rdma(const rdma::RdmaOp& op) {
  switch (op.kind) {
    case rdma::OpKind::write:
    case rdma::OpKind::read_request:
      if (settings_.for_rules && telling_) {
        judge(op);
      }
      place(op, rdma::other(op.from), op.kind == rdma::OpKind::read_request);
      break;
    case rdma::OpKind::read_response:
      if (op.id != 0) {
        place(op, op.from, true);
      }
      break;
    default:
      break;
  }
}

void ExchangeTable::judge(const rdma::RdmaOp& op) {
  const Side owner = rdma::other(op.from);
  if (const Access* access = access_.judge(op, live_[rdma::index(owner)], *this)) {
    Access told = *access;
    told.connection = &connection_;
    if (told.verdict == Verdict::never_offered) {
      told.elsewhere = sink_.find_elsewhere(connection_, owner, told.range.handle);
    }
    sink_.on_access(told);
  }
}

// One operation may span segments of one handle that lie side by side: pieces of one registration. What is
// read may be read for every Call that offers it: nothing on the wire says for which.
void ExchangeTable::place(const rdma::RdmaOp& op, Side owner, bool reading) {
  uint32_t done = 0;
  LiveSegments::Place first;
  while (done < op.memory.length) {
    const LiveSegments::Place* found =
        live_[rdma::index(owner)].find(op.memory.handle, op.memory.offset + done, reading);
    if (found == nullptr || for_reading(found->kind) != reading) {
      early_.note_access(owner, op.memory.handle, op.frames.back().time_ns);
      return;
    }
    const LiveSegments::Place at = *found;
    first = done == 0 ? at : first;
    const uint64_t inside = op.memory.offset + done - at.offset;
    const uint32_t length =
        static_cast<uint32_t>(std::min<uint64_t>(op.memory.length - done, at.length - inside));
    touch(at, op, done, length);
    if (telling_ && op.kind != rdma::OpKind::read_request) {
      const Exchange& x = exchange(at.exchange);
      sink_.on_placement(x, x.segments[at.segment], op, static_cast<uint32_t>(inside), length);
    }
    done += length;
  }
  if (!reading || done == 0) {
    return;
  }
  const rdma::Memory& range = op.memory;
  live_[rdma::index(owner)].each_overlap(
      range.handle, range.offset, range.length, [&](const LiveSegments::Place& other) {
        const bool touched = other.exchange == first.exchange && other.segment == first.segment;
        if (for_reading(other.kind) && !touched) {
          const uint64_t skip = other.offset > range.offset ? other.offset - range.offset : 0;
          const uint64_t left = other.length - (range.offset + skip - other.offset);
          touch(other, op, static_cast<uint32_t>(skip),
                static_cast<uint32_t>(std::min<uint64_t>(range.length - skip, left)));
        }
      });
}

// The same bytes may be touched twice by one piece, which changes nothing.
void ExchangeTable::touch(const LiveSegments::Place& place, const rdma::RdmaOp& op, uint32_t skip,
                          uint32_t length) {
  Slot& slot = *slots_[place.exchange];
  SegmentFlow& segment = slot.exchange.segments[place.segment];
  const uint32_t offset = static_cast<uint32_t>(op.memory.offset + skip - place.offset);
  segment.after_reply |= segment.kind == ChunkKind::result ? slot.exchange.done.has_value() : slot.replied;
  if (op.kind != rdma::OpKind::read_response && segment.last_op != op.id) {
    segment.last_op = op.id;
    ++segment.ops;
  }
  if (op.kind == rdma::OpKind::read_request) {
    segment.requested.add(offset, length);
    return;
  }
  if (segment.moved.add(offset, length) != 0) {
    for (const Stamp& frame : op.frames) {
      if (segment.frames.size() < SegmentFlow::kMaxFrames &&
          (segment.frames.empty() || !(segment.frames.back() == frame))) {
        segment.frames.push_back(frame);
      }
    }
    const Bytes bytes = slice(op.payload, skip, length);
    if (offset < settings_.payload_limit && !bytes.empty()) {
      const size_t kept = std::min<size_t>(bytes.size(), settings_.payload_limit - offset);
      segment.data.resize(std::max<size_t>(segment.data.size(), offset + kept));
      std::copy_n(bytes.begin(), kept, segment.data.begin() + offset);
      segment.held.add(offset, kept);
    }
  }
}

}  // namespace steertag::flow
