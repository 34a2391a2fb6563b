#include "memory/retired.h"

#include "memory/traffic_keeper.h"

namespace steertag::memory {

Retired retired_of(const Exchange& over, const SegmentFlow& segment) {
  Retired made;
  made.xid = over.xid;
  made.target = segment.target;
  made.kind = segment.kind;
  if (segment.kind == ChunkKind::result) {
    made.advertised = over.reply.value_or(Stamp{});
    made.over = over.done;
    return made;
  }
  made.advertised = over.call.value_or(Stamp{});
  made.over = over.reply;
  made.invalidated = over.invalidated == segment.target.handle;
  made.resent = over.resent != 0;
  return made;
}

void RetiredSegments::add(const Exchange& over, const SegmentFlow& segment) {
  size_t place = ring_.size();
  if (place < kMaxKept) {
    ring_.push_back(retired_of(over, segment));
  } else {
    place = next_;
    next_ = (next_ + 1) % kMaxKept;
    ring_[place] = retired_of(over, segment);
  }
  ++added_;
  if (index_) {
    nodes_.resize(ring_.size(), SegmentIndex::kNone);
    if (nodes_[place] != SegmentIndex::kNone) {
      index_->remove(nodes_[place]);
    }
    enter(place);
  }
}

void RetiredSegments::enter(size_t place) {
  const rpcrdma::Segment& target = ring_[place].target;
  index_->reserve(target.handle);
  Place entry;
  set_bytes(entry, target);
  // The oldest of a full ring has the place at next_.
  const size_t age = (place + ring_.size() - next_) % ring_.size();
  entry.ordinal = added_ - ring_.size() + age + 1;
  entry.segment = static_cast<uint32_t>(place);
  entry.handle = target.handle;
  nodes_[place] = index_->add(entry);
}

void RetiredSegments::index_all() {
  if (!index_) {
    index_ = std::make_unique<SegmentIndex>();
    nodes_.resize(ring_.size(), SegmentIndex::kNone);
    for (size_t place = 0; place < ring_.size(); ++place) {
      enter(place);
    }
  }
}

size_t RetiredSegments::bytes() const {
  return ring_.capacity() * sizeof(Retired) + nodes_.capacity() * sizeof(SegmentIndex::Node) +
         (index_ ? sizeof(SegmentIndex) + index_->bytes() : 0);
}

const Retired* RetiredSegments::kept(SegmentIndex::Node node) const {
  return node == SegmentIndex::kNone ? nullptr : &ring_[index_->at(node).segment];
}

const Retired* RetiredSegments::find(uint32_t handle, uint64_t byte) {
  index_all();
  const Retired* holds =
      kept(index_->find(handle, kToWrite, SegmentIndex::Query::byte(byte, SegmentIndex::Among::all)));
  return holds != nullptr ? holds : find(handle);
}

const Retired* RetiredSegments::find(uint32_t handle) {
  index_all();
  return kept(index_->find(handle, kToWrite, {.among = SegmentIndex::Among::all, .anywhere = true}));
}

}  // namespace steertag::memory
