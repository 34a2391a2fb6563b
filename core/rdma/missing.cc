#include "rdma/missing.h"

namespace steertag::rdma {

std::optional<Anomaly> Missing::add(Side from, const MissingHole& hole) {
  if (hole_ && hole_->end == hole.begin) {
    hole_->end = hole.end;
    hole_->count += hole.count;
    hole_->proof = hole_->proof ? hole.proof : std::nullopt;
    return std::nullopt;
  }
  const std::optional<Anomaly> before = take(from);
  hole_ = std::make_unique<MissingHole>(hole);
  return before;
}

std::optional<Anomaly> Missing::take(Side from) {
  if (!hole_) {
    return std::nullopt;
  }
  Anomaly missing;
  missing.kind = Anomaly::Kind::missing;
  missing.from = from;
  missing.at = hole_->at;
  missing.related = hole_->proof;
  missing.position = missing.expected = hole_->begin;
  missing.found = hole_->end;
  missing.count = hole_->count;
  hole_.reset();
  return missing;
}

void Missing::shorten(uint64_t first, uint64_t next) {
  if (hole_ && hole_->begin == first) {
    hole_->begin = next;
    --hole_->count;
  }
}

}  // namespace steertag::rdma
