// CmTries: follows connection setups by the CM (IBTA vol. 1, chapter 12), each from its first REQ until it
// has failed, or the connection carries RPCs. A REQ that is sent again belongs to the same try.
//
//   REQ            it begins; nothing else: unanswered
//   REJ            it is rejected, by either end
//   REP            without an RTU and without traffic it is unconfirmed
//   DREQ, late REJ it is terminated
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "attempt/attempt.h"
#include "base/address.h"
#include "rdma/roce/cm.h"
#include "track/arrival.h"
#include "track/connection.h"
#include "track/half.h"

namespace steertag::attempt {

class CmTries {
 public:
  static constexpr size_t kMost = 16384;  // tries that are followed at a time; the oldest is over

  // What failed goes to `failed`.
  explicit CmTries(std::function<void(Try&&)> failed) : failed_(std::move(failed)) {}

  void on_message(const track::Arrival& arrival, const rdma::roce::CmMessage& cm);
  // This connection carries RPCs: the try that set it up, if one did, has not failed.
  void on_came_up(const track::Connection& connection);
  // Nothing more will come of this one.
  void on_over(const track::Connection& connection);
  void finish();  // the capture ends

 private:
  struct Key {
    base::Address client, server;
    uint32_t comm_id = 0;  // the client's
    friend bool operator==(const Key&, const Key&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Key& key) {
      return H::combine(std::move(h), key.client, key.server, key.comm_id);
    }
  };
  struct Follow {
    Try told;
    uint32_t qpn = 0, starting_psn = 0;  // that the REQ names
    uint32_t server_comm_id = 0;
    uint64_t number = 0;  // counts the tries
    bool replied = false, confirmed = false, traffic = false;
    bool ended = false;  // refused or ended: how is in `told`, and it has failed unless RPCs were seen
    bool over = false;   // has failed, or came up: what is sent again changes nothing
  };
  using Tries = absl::flat_hash_map<Key, Follow>;

  void on_request(const track::Arrival& arrival, const rdma::roce::CmMessage& cm);
  Tries::iterator find(const track::Arrival& arrival, const rdma::roce::CmMessage& cm);
  Follow* of(const track::Connection& connection);
  static void end(Follow& follow, Outcome outcome, const Reason& reason, const track::Arrival& arrival);
  void conclude(Follow& follow);  // by what is known of it
  void forget(const Key& key, Follow& follow);
  void make_room();

  std::function<void(Try&&)> failed_;
  Tries tries_;
  absl::flat_hash_map<track::Half, Key> by_qpn_;  // by the packets that go to the client; the latest of each
  absl::btree_map<uint64_t, Key> by_age_;         // by Follow::number
  uint64_t begun_ = 0;
};

}  // namespace steertag::attempt
