#include "memory/handle_directory.h"

#include "base/check.h"

namespace steertag::memory {

void HandleDirectory::add(const track::Connection& connection, rdma::Side owner, uint32_t handle) {
  STEERTAG_CHECK(connection.number != 0);
  Entry& entry = entries_[key(connection, owner, handle)];
  if (entry.only == nullptr && entry.several == nullptr) {
    entry.only = &connection;
    return;
  }
  if (entry.several == nullptr) {
    entry.several = std::make_unique<Several>();
    entry.several->insert(std::exchange(entry.only, nullptr));
  }
  entry.several->insert(&connection);
}

void HandleDirectory::remove(const track::Connection& connection, rdma::Side owner, uint32_t handle) {
  const auto found = entries_.find(key(connection, owner, handle));
  if (found == entries_.end()) {
    return;
  }
  Entry& entry = found->second;
  if (entry.several != nullptr) {
    entry.several->erase(&connection);
  }
  if (entry.only == &connection || (entry.several != nullptr && entry.several->empty())) {
    entries_.erase(found);
  }
}

track::ConnectionNumber HandleDirectory::find(const track::Connection& asking, rdma::Side owner,
                                              uint32_t handle) const {
  const auto found = entries_.find(key(asking, owner, handle));
  if (found == entries_.end()) {
    return 0;
  }
  const auto serves = [&](const track::Connection& other) {
    return &other != &asking && !other.ended && other.last_frame.clock() == asking.last_frame.clock();
  };
  const Entry& entry = found->second;
  if (entry.only != nullptr) {
    return serves(*entry.only) ? entry.only->number : track::ConnectionNumber();
  }
  for (const track::Connection* other : *entry.several) {
    if (serves(*other)) {
      return other->number;
    }
  }
  return 0;
}

}  // namespace steertag::memory
