#include "track/closings.h"

namespace steertag::track {

void Closings::add(RoceLink& link, Side by, const AwaitedDrep& awaited, const Stamp& at) {
  link.connection.note_frame(at);
  link.connection.ended = rdma::EndReason::disconnect;
  link.connection.ended_by = by;
  if (!link.connection.one_direction()) {
    link.connection.end_confirmed = false;
  }
  link.closing = at;
  link.awaited = awaited;
  links_.emplace(link.among_closing(), &link);
  unconfirmed_[awaited] = &link;
}

void Closings::confirm(const AwaitedDrep& drep) {
  if (const auto found = unconfirmed_.find(drep); found != unconfirmed_.end()) {
    found->second->connection.end_confirmed = true;
    unconfirmed_.erase(found);
  }
}

void Closings::remove(const RoceLink& link) {
  links_.erase(link.among_closing());
  if (const auto found = unconfirmed_.find(link.awaited);
      found != unconfirmed_.end() && found->second == &link) {
    unconfirmed_.erase(found);
  }
}

}  // namespace steertag::track
