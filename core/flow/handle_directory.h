// HandleDirectory: on which connections a handle is live in the memory of one host, across
// all connections that have a number: what an operation names wrongly on one of them may be
// right on another.
#pragma once

#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "base/address.h"
#include "track/connection.h"

namespace steertag::flow {

class HandleDirectory {
 public:
  // `connection` has a number. A connection is entered once for a handle and a host.
  void add(const base::Address& host, uint32_t handle, const track::Connection& connection);
  void remove(const base::Address& host, uint32_t handle, const track::Connection& connection);
  // The smallest number of another connection that is not over, in the file where `asking` is; 0: none.
  uint32_t find(const base::Address& host, uint32_t handle, const track::Connection& asking) const;
  size_t size() const { return entries_.size(); }

 private:
  struct ByNumber {
    bool operator()(const track::Connection* x, const track::Connection* y) const {
      return x->number < y->number;
    }
  };
  using Several = absl::btree_set<const track::Connection*, ByNumber>;
  struct Entry {
    const track::Connection* only = nullptr;
    std::unique_ptr<Several> several;  // where there is not just one
  };
  absl::flat_hash_map<std::pair<base::Address, uint32_t>, Entry> entries_;
};

}  // namespace steertag::flow
