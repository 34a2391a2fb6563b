// HandleDirectory: on which of the connections between two hosts a handle is advertised, for the
// memory of either: a handle that is wrong on one connection may be right on another. Only
// connections that carry RPC-over-RDMA are entered.
#pragma once

#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "base/address.h"
#include "rdma/op.h"
#include "track/connection.h"

namespace steertag::memory {

class HandleDirectory {
 public:
  // `connection` has a number. It is entered once for a handle and its `owner`.
  void add(const track::Connection& connection, rdma::Side owner, uint32_t handle);
  void remove(const track::Connection& connection, rdma::Side owner, uint32_t handle);
  // The number of another connection on which the handle is advertised, between the hosts of `asking`, in the
  // same file, and not over: of the one that began first. 0: there is none.
  track::ConnectionNumber find(const track::Connection& asking, rdma::Side owner, uint32_t handle) const;
  size_t size() const { return entries_.size(); }

 private:
  struct Key {
    base::Address host, peer;
    uint32_t handle = 0;
    friend bool operator==(const Key&, const Key&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Key& key) {
      return H::combine(std::move(h), key.host, key.peer, key.handle);
    }
  };
  static Key key(const track::Connection& connection, rdma::Side owner, uint32_t handle) {
    return {connection.end(owner).address, connection.end(rdma::other(owner)).address, handle};
  }
  struct ByOrder {
    bool operator()(const track::Connection* x, const track::Connection* y) const {
      return std::pair(x->order, x->number) < std::pair(y->order, y->number);
    }
  };
  using Several = absl::btree_set<const track::Connection*, ByOrder>;
  struct Entry {
    const track::Connection* only = nullptr;
    std::unique_ptr<Several> several;  // where there is not just one
  };
  absl::flat_hash_map<Key, Entry> entries_;
};

}  // namespace steertag::memory
