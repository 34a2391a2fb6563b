// CmTries: follows connection setups by the CM (IBTA vol. 1, chapter 12), each from its first REQ until it
// has failed, or the connection carries RPCs. A REQ that is sent again belongs to the same try.
//
//   REQ            it begins; nothing else: unanswered
//   MRA            the next message takes longer: only after that time it is unanswered or unconfirmed
//   ICMP error     about the REQ, and no answer: it is refused; about the REP: unconfirmed
//   REJ            it is rejected, by either end; unanswered or unconfirmed where its sender waited in vain
//   REP            without an RTU and without traffic it is unconfirmed
//   DREQ, late REJ it is terminated
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "attempt/attempt.h"
#include "base/address.h"
#include "frame.h"
#include "link/icmp.h"
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
  // It quotes a datagram of RoCE: where that was a message of these tries, and nothing better comes, it is
  // how they ended.
  void on_icmp(const link::IcmpError& error, const Stamp& at);
  // The latest time of a clock (Stamp::clock()), ns.
  using Reached = std::function<int64_t(uint32_t clock)>;
  void finish(const Reached& reached = {});  // the capture ends

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
  struct Error {
    Reason reason;
    base::Address by;
    Stamp at;
  };
  struct Follow {
    Try told;
    uint32_t qpn = 0, starting_psn = 0;  // that the REQ names
    uint32_t server_comm_id = 0;
    uint64_t number = 0;  // counts the tries
    bool replied = false, confirmed = false, traffic = false;
    bool ended = false;    // refused or ended: how is in `told`, and it has failed unless RPCs were seen
    bool gave_up = false;  // who waited for an answer waits no longer
    bool intact = false;   // one of its REQs had a right ICRC, as far as that was asked
    bool over = false;     // has failed, or came up: what is sent again changes nothing
    // Of the datagram of the latest REQ: what an ICMP error quotes of it at least.
    uint16_t udp_source_port = 0, udp_length = 0, ip_id = 0;
    std::optional<Error> request_error, reply_error;  // the first that quotes a REQ, a REP
    // The latest MRA, until what it announces comes, and how long that may take.
    std::optional<Stamp> receipt;
    base::Address receipt_by;
    int64_t waits_until_ns = 0;
    uint32_t again_after_receipt = 0;  // REQs, behind the first MRA
    bool overdue = false;              // another one came, only after that time
  };
  struct Hosts {
    Key latest;
    bool heard = false;    // a message of the server
    bool went_on = false;  // the client did, with what no message of the server in the capture allows
  };
  using Tries = absl::flat_hash_map<Key, Follow>;

  void on_request(const track::Arrival& arrival, const rdma::roce::CmMessage& cm, bool damaged);
  static void on_reject(Follow& follow, const track::Arrival& arrival, const rdma::roce::CmMessage& cm,
                        bool by_client);
  static void note_again(Follow& follow, const track::Arrival& arrival, const rdma::roce::CmMessage& cm);
  Tries::iterator find(const track::Arrival& arrival, const rdma::roce::CmMessage& cm);
  Follow* of(const track::Connection& connection);
  static void end(Follow& follow, Outcome outcome, const Reason& reason, const track::Arrival& arrival);
  Follow* quoted(const link::IcmpError::Quote& quote, bool& reply);
  static void note_datagram(Follow& follow, const link::Packet& packet);
  static void wait(Follow& follow, const track::Arrival& arrival, const rdma::roce::CmMessage& cm);
  void conclude(const Key& key, Follow& follow);  // by what is known of it
  static void conclude_unanswered(Follow& follow);
  void forget(const Key& key, Follow& follow);
  void make_room();

  std::function<void(Try&&)> failed_;
  Tries tries_;
  absl::flat_hash_map<track::Half, Key> by_qpn_;  // by the packets that go to the client; the latest of each
  absl::flat_hash_map<std::pair<base::Address, base::Address>, Hosts> by_hosts_;  // by client and server
  absl::btree_map<uint64_t, Key> by_age_;                                         // by Follow::number
  uint64_t begun_ = 0;
  Reached reached_;  // once the capture is over
};

}  // namespace steertag::attempt
