// Surroundings: how far from what was chosen each frame is, by its packet: a second look at a trace, once it
// is known what was chosen. The nearest frames are what an extract is made of; where these alone do not show
// what the whole trace shows, the next Level is added (proof.h), until it does.
//
// It is fed each frame of the trace, in order, and decodes its packet; it follows no connection.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "extract/chosen.h"
#include "extract/frame_levels.h"
#include "frame.h"
#include "link/decoder.h"
#include "rdma/roce/packet.h"

namespace steertag::extract {

enum Level : uint8_t {
  kItself,      // the frames chosen, setups, ACKs, RDMA Read Requests
  kNear,        // of the same connection, a few before and behind each of them
  kBetween,     // of the same connection, between the first and the last of them
  kBefore,      // of the same connection, from its beginning to the last of them
  kConnection,  // all of the same connection
  kHosts,       // all between the same hosts
  kAll,         // all
};

class Surroundings {
 public:
  Surroundings(const Chosen& chosen, link::Decoder::Options ports);

  void pass(const Frame& frame);
  Level level(const Stamp& frame) const {
    const uint8_t level = levels_.at(frame);
    return level == FrameLevels::kNone ? kAll : static_cast<Level>(level);
  }
  bool full() const { return levels_.full(); }

 private:
  // What is known of a connection at the frame at hand.
  struct Followed {
    const ChosenConnection* chosen = nullptr;
    uint64_t passed = 0;         // of its chosen frames
    std::deque<Stamp> before{};  // the latest of the others
    size_t behind = 0;           // how many more are near the latest chosen one
    // By Side: up to where what it sent is waited to be acknowledged.
    std::array<std::optional<uint32_t>, 2> waiting{};
  };
  // One direction of one connection.
  struct Way {
    size_t place = 0;  // in followed_
    rdma::Side from = rdma::Side::a;
  };
  struct Key {
    base::Address from, to;
    uint64_t ports = 0;  // TCP: both; else the QP that it goes to, below 2^24
    friend bool operator==(const Key&, const Key&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Key& key) {
      return H::combine(std::move(h), key.from, key.to, key.ports);
    }
  };
  static uint64_t tcp_ports(uint16_t source, uint16_t destination) {
    return uint64_t{1} << 40 | uint64_t{source} << 16 | destination;
  }
  using Hosts = std::pair<base::Address, base::Address>;
  static Hosts hosts(const base::Address& one, const base::Address& other) {
    return one < other ? Hosts{one, other} : Hosts{other, one};
  }

  void enter(size_t place, rdma::Side from);
  const Way* way(const Stamp& at, uint64_t ports) const;
  Level level_of(const Frame& frame);
  Level of_error() const;
  bool of_attempt(int64_t time_ns) const;
  Level of_management(const Frame& frame);
  Level of_connection(const Stamp& at, const Way& way);
  Level itself(Followed& followed);
  Level beside(Followed& followed, const Stamp& at);
  bool acknowledges(Followed& followed, rdma::Side by) const;
  void await(Followed& followed, rdma::Side from) const;
  std::optional<uint32_t> read_from() const;
  bool reads(const Followed& followed, int64_t time_ns) const;
  bool sets_up(const Followed& followed, const Stamp& at) const;

  // Of a connection, what is near: so many frames before a chosen packet, so many packets behind it.
  static constexpr size_t kNearBefore = 24, kNearBehind = 8;
  static constexpr size_t kMostFragments = 256;  // that may belong to one datagram
  static constexpr size_t kMostCommIds = 65536;  // of setups that are remembered

  const Chosen& chosen_;
  link::Decoder decoder_;
  link::Packet packet_;
  rdma::roce::Packet roce_;
  std::vector<Followed> followed_;
  absl::flat_hash_map<Key, std::vector<Way>> ways_;
  absl::flat_hash_map<Hosts, bool> hosts_;  // and whether a whole connection between them is chosen
  absl::flat_hash_set<std::pair<base::Address, uint32_t>> comm_ids_;  // of hosts, in the setups chosen
  std::vector<Stamp> fragments_;                                      // the latest
  FrameLevels levels_;
};

}  // namespace steertag::extract
