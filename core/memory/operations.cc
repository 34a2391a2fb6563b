#include "memory/operations.h"

#include <algorithm>

namespace steertag::memory {

Exchange* Operations::on_rdma(const rdma::RdmaOp& op) {
  const bool answer = op.kind == rdma::OpKind::read_response;
  if (op.kind == rdma::OpKind::other || (answer && op.id == 0)) {
    return nullptr;
  }
  const Side owner = answer ? op.from : rdma::other(op.from);
  Current& current = current_of(op, owner);
  uint64_t length = op.memory.length;
  if (op.first && op.announced_length) {
    length = std::max<uint64_t>(length, *op.announced_length);
  }
  if (length == 0) {
    return nullptr;
  }
  const Range range{owner,
                    op.kind != rdma::OpKind::write,
                    op.memory.handle,
                    op.memory.offset,
                    last_of(op.memory.offset, length),
                    op.memory.offset > UINT64_MAX - (length - 1)};
  const Node begins_in = choose(current, range);
  if (!answer && connection_.rpcrdma && advertised_.judge() != nullptr) {
    judge(op, current, range, begins_in);
  }
  if (op.kind == rdma::OpKind::read_request) {
    reads_[rdma::index(op.from)].add({op.id, current.choice});
  }
  Exchange* const exchange = place(op, current, range, begins_in);
  if (settings_.for_placements && op.kind != rdma::OpKind::read_request &&
      (connection_.rpcrdma || settings_.for_rewriting)) {
    report_placements(op, owner);
  }
  return exchange;
}

Operations::Choice Operations::Reads::find(uint64_t id) const {
  const auto found = std::find_if(kept.begin(), kept.end(), [=](const Read& read) { return read.id == id; });
  return found != kept.end() ? found->choice : Choice{};
}

Operations::Current& Operations::current_of(const rdma::RdmaOp& op, Side owner) {
  const bool answer = op.kind == rdma::OpKind::read_response;
  const Side started_by = rdma::other(owner);
  Current& current = (answer ? answered_ : started_)[rdma::index(started_by)];
  if (current.id != op.id) {
    current = {op.id, op.memory.offset, false, {}, kNone};
    if (answer) {
      current.choice = reads_[rdma::index(started_by)].find(op.id);
    }
  }
  return current;
}

// The live place of the Call which was chosen that holds the byte.
Operations::Node Operations::find_chosen(Current& current, const Range& range, uint64_t byte) const {
  const SegmentIndex& live = advertised_.live(range.owner);
  const Advertisement* chosen = advertised_.seats().find(current.choice);
  if (chosen == nullptr) {
    return kNone;
  }
  Node node = current.latest;
  if (node == kNone || live.at(node).handle != range.handle || !live.at(node).holds(byte)) {
    node = chosen->find(live, range.owner, range.handle, range.reading, byte);
  }
  current.latest = node;
  return node != kNone && live.live(node) ? node : kNone;
}

// The place that holds the first byte, of a Call that advertises the whole range if there is one; kNone: no
// Call that is unanswered, or not the one that was chosen before, advertises it.
Operations::Node Operations::choose(Current& current, const Range& range) const {
  const SegmentIndex& live = advertised_.live(range.owner);
  const Node chosen = find_chosen(current, range, range.begin);
  if (chosen != kNone && live.at(chosen).reach >= range.last) {
    return chosen;
  }
  const uint64_t begin = std::min(current.begin, range.begin);
  Node other = live.find(range.handle, range.reading, {.begin = begin, .last = begin, .reach = range.last});
  if (other == kNone && advertised_.seats().find(current.choice) == nullptr) {
    other = live.find(range.handle, range.reading, SegmentIndex::Query::byte(range.begin));
  }
  if (other == kNone) {
    return chosen;
  }
  const Advertisement* advertisement = live.at(other).advertisement;
  current.choice = {advertisement->seat, advertisement->ordinal};
  current.latest = kNone;
  return find_chosen(current, range, range.begin);
}

// Reported once an operation, at the piece that shows the most: at its first, or at the one that goes astray.
void Operations::judge(const rdma::RdmaOp& op, Current& current, const Range& range, Node begins_in) {
  const SegmentIndex& live = advertised_.live(range.owner);
  const bool covered = begins_in != kNone && live.at(begins_in).reach >= range.last && !range.wraps;
  if (current.astray || (!op.first && covered)) {
    return;
  }
  Access access;
  access.connection = &connection_;
  access.op = &op;
  access.owner = range.owner;
  access.reading = range.reading;
  access.range = op.memory;
  if (op.first) {
    access.range.length = std::max(op.memory.length, op.announced_length.value_or(0));
  }
  access.unsure = advertised_.unread().any(range.owner);
  if (begins_in != kNone) {
    const Place& place = live.at(begins_in);
    access.exchange = place.advertisement->exchange;
    access.segment = &place.advertisement->segment(place);
  }
  if (!covered) {
    access.astray = begins_in == kNone ? range.begin : live.at(begins_in).reach + 1;
    advertised_.judge()->explain(access, advertised_, advertised_.seats().find(current.choice));
    current.astray = true;
  }
  sink_.on_access(access);
}

// An operation may span segments that lie side by side: pieces of one registration. Where the Call that it is
// for has no more, what others advertise is taken, and be it what was answered.
Exchange* Operations::place(const rdma::RdmaOp& op, Current& current, Range range, Node begins_in) {
  const SegmentIndex& live = advertised_.live(range.owner);
  touched_.clear();
  if (op.memory.length == 0) {
    return nullptr;
  }
  range.last = last_of(op.memory.offset, op.memory.length);
  uint64_t last = range.begin;  // byte that is known to be advertised, once a place was found
  Node node = begins_in;
  for (uint64_t byte = range.begin;; byte = last + 1) {
    for (const auto among : {SegmentIndex::Among::live, SegmentIndex::Among::all}) {
      if (node == kNone) {
        node = live.find(range.handle, range.reading, SegmentIndex::Query::byte(byte, among));
      }
    }
    if (node == kNone) {
      advertised_.early().note_access(range.owner, range.handle, op.frames.back().time_ns);
      break;
    }
    touched_.push_back(node);
    last = std::min(live.at(node).last, range.last);
    if (last == range.last) {
      break;
    }
    node = find_chosen(current, range, last + 1);
  }
  Exchange* exchange = nullptr;
  for (const Node at : touched_) {
    const Place& place = live.at(at);
    exchange = exchange == nullptr ? place.advertisement->exchange : exchange;
    place.advertisement->segment(place).after_reply |= !place.open;
    if (!range.reading || !place.open) {
      advertised_.traffic().add(range.owner, at, op);
    }
  }
  if (range.reading && exchange != nullptr) {
    advertised_.traffic().add_read(range.owner, op, range.begin, last);
  }
  return exchange;
}

void Operations::report_placements(const rdma::RdmaOp& op, Side owner) const {
  const SegmentIndex& live = advertised_.live(owner);
  uint64_t begin = op.memory.offset;
  const uint64_t last = last_of(op.memory.offset, op.memory.length);
  for (const Node node : touched_) {
    const Place& place = live.at(node);
    const uint64_t last_here = std::min(place.last, last);
    sink_.on_placement(*place.advertisement->exchange, place.advertisement->segment(place), op,
                       static_cast<uint32_t>(begin - place.begin),
                       static_cast<uint32_t>(last_here - begin + 1));
    begin = last_here + 1;
  }
}

}  // namespace steertag::memory
