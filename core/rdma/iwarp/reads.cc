#include "rdma/iwarp/reads.h"

#include <algorithm>

namespace steertag::rdma::iwarp {
namespace {

// Reads behind the newest that are compared with it.
constexpr size_t kFewReads = 64;

}  // namespace

Reads::Room Reads::push(const OutstandingRead& read) {
  Room room = Room::enough;
  if (size() >= kMaxReads) {
    pop(1);
    room = Room::oldest_forgotten;
  }
  if (first_ >= 64 && first_ > reads_.size() / 2) {
    const auto forgotten = static_cast<ptrdiff_t>(first_);
    reads_.erase(reads_.begin(), reads_.begin() + forgotten);
    sinks_.erase(sinks_.begin(), sinks_.begin() + forgotten);
    first_ = 0;
  }
  const Sink sink{read.sink_offset, read.sink_stag, read.source.length};
  if (!shared_) {
    const auto few = static_cast<ptrdiff_t>(std::min(size(), kFewReads));
    shared_ = last_.same_place(sink) || std::any_of(sinks_.end() - few, sinks_.end(), [&](const Sink& other) {
                return other.same_place(sink);
              });
  }
  ++seen_;
  last_ = sink;
  reads_.push_back(read);
  sinks_.push_back(sink);
  return room;
}

void Reads::pop(size_t count) {
  first_ += count;
  if (empty()) {
    reads_.clear();
    sinks_.clear();
    first_ = 0;
  }
}

void Reads::release() {
  std::vector<OutstandingRead>().swap(reads_);
  std::vector<Sink>().swap(sinks_);
  first_ = 0;
}

size_t Reads::find(uint32_t stag, uint64_t offset, uint32_t length) const {
  const auto found =
      std::find_if(sinks_.begin() + static_cast<ptrdiff_t>(first_), sinks_.end(), [=](const Sink& sink) {
        const uint64_t into = offset - sink.offset;  // huge where it lies before
        return stag == sink.stag && (into < sink.length || (into == 0 && length == 0));
      });
  return static_cast<size_t>(found - sinks_.begin()) - first_;
}

}  // namespace steertag::rdma::iwarp
