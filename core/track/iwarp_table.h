// IwarpTable: the TCP connections that are, or may turn out to be, iWARP. It hands each
// segment to its TcpConnection, once however often it was captured, starts a new epoch
// where ports are used again, and forgets streams that are something else. After the
// end of a connection, a SYN, an MPA Request or Reply, or data with other sequence
// numbers belongs to a new one.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/budget.h"
#include "base/idlest.h"
#include "frame.h"
#include "link/icmp.h"
#include "link/packet.h"
#include "moment.h"
#include "rdma/iwarp/tcp_connection.h"
#include "track/arrival.h"
#include "track/connection.h"
#include "track/recent.h"

namespace steertag::track {

class IwarpTable {
 public:
  // TCP connections that are remembered at a time, of any kind. Where there are
  // more, those that are not iWARP are forgotten, then the idlest of the others.
  static constexpr size_t kMaxFlows = 65536;
  // ECN marks of one of them that are reported once it is known to be iWARP; all are counted.
  static constexpr size_t kMaxEarlyMarks = 64;

  // What it holds is charged to `budget`, which must outlive it. `now` is set to the Moment of each
  // report to the Observer.
  IwarpTable(Observer& observer, rdma::iwarp::Options options, base::Budget& budget, Moment& now);
  ~IwarpTable();

  void on_packet(const Arrival& arrival);
  // An ICMP error about a segment.
  void on_icmp(const link::IcmpError& error, const Stamp& at);
  void finish();
  // Gives up things of that kind until the budget is eased, or none is left.
  void give_up(GiveUp what, const Stamp& at);

  uint64_t crc_errors() const;

 private:
  struct Key {
    base::Address low, high;  // the lower {address, port} first
    uint16_t low_port = 0, high_port = 0;
    friend bool operator==(const Key&, const Key&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Key& k) {
      return H::combine(std::move(h), k.low, k.high, k.low_port, k.high_port);
    }
  };
  struct Flow;
  struct Entry;
  // What a packet belongs to.
  struct Place {
    Entry* entry = nullptr;  // null: nowhere yet
    bool from_low = false;
  };
  // The sequence numbers with which the directions of a connection that is over would have continued.
  struct Over {
    std::optional<uint32_t> from_low, from_high;
    bool is_past(bool from_low, const link::Packet& packet) const;
  };
  struct Entry {
    std::unique_ptr<Flow> flow;  // null: known to be something else, or over
    std::optional<Over> over;
  };
  // The order in which flows give way: first those no longer followed, then those not heard of for longest.
  struct Idle {
    bool followed = false;
    int64_t heard_ns = 0;
    uint64_t order = 0;
    friend auto operator<=>(const Idle&, const Idle&) = default;
  };

  static bool is_from_low(const link::Packet& packet);
  static Key key_of(const link::Packet& packet);
  Place find(const link::Packet& packet);
  Entry& enter(const Arrival& arrival);
  std::unique_ptr<Flow> open(const link::Packet& packet, bool from_low, const Stamp& at, uint64_t order);
  void close(const Key& key, Entry& entry);
  void replace(const Key& key, Entry& entry, const Stamp& at);
  void make_room(const Stamp& at);
  void trim_idlest();
  std::optional<Idle> idle(const Key& key) const;

  void forget(const Key& key, const Stamp& at);
  void shrink(Flow& flow, GiveUp what, const Stamp& at);
  void charge();

  Observer& observer_;
  base::Budget& budget_;
  base::Account account_;  // for entries; each Flow has its own
  Moment& now_;
  rdma::iwarp::Options options_;
  absl::flat_hash_map<Key, Entry> flows_;
  Recent<Place> recent_;            // of flows_
  base::Idlest<Key, Idle> idlest_;  // of flows_
  uint64_t crc_errors_ = 0;
};

}  // namespace steertag::track
