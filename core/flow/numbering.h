// Numbering: gives connections their numbers, in the order of their first frames as far as
// that can be known: when one is found to carry RPC-over-RDMA, those that began before it
// and look as if they did go first.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>

#include "track/connection.h"

namespace steertag::flow {

class Numbering {
 public:
  class Client {
   public:
    virtual track::Connection& connection() = 0;
    virtual void on_numbered() = 0;

   protected:
    ~Client() = default;
  };

  // Something speaks for it, or no longer does.
  void note_promising(Client& client) { promising_.emplace(client.connection().order, &client); }
  void forget(Client& client) { promising_.erase(client.connection().order); }
  // It carries RPC-over-RDMA.
  void claim(Client& client) {
    while (!promising_.empty() && promising_.begin()->first < client.connection().order) {
      Client& earlier = *promising_.begin()->second;
      promising_.erase(promising_.begin());
      number(earlier);
    }
    forget(client);
    number(client);
  }

 private:
  void number(Client& client) {
    if (client.connection().number == 0) {
      client.connection().number = ++last_;
      client.on_numbered();
    }
  }

  absl::btree_map<uint64_t, Client*> promising_;  // by Connection::order
  uint32_t last_ = 0;
};

}  // namespace steertag::flow
