// Survey: the first reading of a capture that is to be sanitized. It follows the frames as any command does,
// and makes a Plan of what it hears: for each piece of an RPC-over-RDMA message, what is written in its
// place.
//
// As soon as a message is there its transport header and its RPC header are known; arguments and results are
// when the RPC is over, since a Reply does not say what it answers, and some of either may travel in chunks.
// What never comes to that stays disguised as a whole.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer.h"
#include "event.h"
#include "sanitize/disguise.h"
#include "sanitize/plan.h"
#include "sanitize/reading.h"

namespace steertag::sanitize {

class Survey final : public Observer {
 public:
  // Pieces of Sends that wait for their message, of one end; messages of a connection that wait for their RPC
  // to be over; pieces of one RPC's messages that travel in chunks.
  static constexpr size_t kMostPieces = 16384, kMostSent = 65536, kMostPlaced = 65536;
  // Packets whose ICRC is wrong, of a sender whose ICRCs are right: the latest are remembered.
  static constexpr size_t kMostDamaged = 4096;
  // Bytes of one chunk that are looked into.
  static constexpr uint32_t kMostBytes = 1 << 20;

  // `options` as they will be for whoever reads the result.
  Survey(const Key& key, Options options, Plan& plan);

  void feed(const Frame& frame);
  void finish() { analyzer_.finish(); }
  void on(const Event& event) override;
  // Pieces and messages of a connection that wait, and pieces of chunks of all.
  size_t waiting(const track::Connection& connection) const;
  size_t damaged() const { return damaged_.size(); }  // packets that are remembered as such
  uint64_t hidden() const { return hidden_; }         // messages of which what is behind a fault was not kept

 private:
  struct Piece {  // of a Send
    uint64_t end_position = 0;
    uint32_t offset = 0;  // in the Send
    uint32_t length = 0;  // captured
    Place place;
    bool damaged = false;
  };
  struct Sent {  // a message, until its RPC is over
    std::vector<Piece> pieces;
    Front front;
    uint32_t rpc_length = 0;  // bytes of the RPC header behind it ...
    bool status = false;      // ... and the status behind that is kept, whatever it answers
    bool hidden = false;      // it is counted as such
    bool uncertain = false;   // damaged, or found where content may look like it: nothing follows from it
  };
  using SentKey = std::tuple<rdma::Side, uint32_t, uint32_t, uint64_t>;  // from, XID, file and number of `at`
  using SentMap = absl::flat_hash_map<SentKey, Sent>;
  struct Followed {
    std::array<std::deque<Piece>, 2> pieces;  // by sender
    SentMap sent;
    std::vector<const flow::Exchange*> early;  // that had pieces of chunks before it was claimed
  };
  struct Placed {  // a piece of a chunk that is a message, or a part of one, or data inside of one
    size_t segment = 0;
    uint64_t offset = 0;  // in the segment
    uint64_t skip = 0;    // in the piece
    uint32_t length = 0;  // captured bytes of the piece
    Place place;
  };

  // Those of an Exchange, which another may have taken the place of in memory.
  struct PlacedOf {
    const track::Connection* connection = nullptr;
    uint32_t xid = 0;
    std::optional<Stamp> call;
    std::vector<Placed> pieces;
    bool damaged = false;  // one of them was

    bool is_of(const flow::Exchange& x) const {
      return connection == x.connection && xid == x.xid && call == x.call;
    }
  };

  void note_damaged(const Stamp& at);
  bool is_damaged(const rdma::RdmaOp& op) const;
  std::optional<Place> place_of(const track::Connection& connection, const rdma::RdmaOp& op) const;
  void on_piece(const track::Connection& connection, const rdma::RdmaOp& op);
  void on_message(const flow::Message& message);
  void on_incident(const flow::Incident& incident);
  void on_placement(const PlacementSeen& seen);
  void on_exchange(const flow::Exchange& exchange);
  void on_close(const track::Connection& connection);
  static bool answers_uncertain(const flow::Message& reply, const SentMap& waiting);
  std::vector<Piece> pieces_of(const flow::Message& message);
  void write(const std::vector<Piece>& pieces, uint64_t at, Bytes bytes, Known known);
  // Of the RPC that is read.
  Known known() const { return reading_.call_known() ? Known::with_its_call : Known::alone; }
  void put_back(const flow::Exchange& exchange, const std::vector<uint8_t>& inlined, const Sent& sent,
                const Disguise& disguise);
  std::span<const Placed> placed_in(const flow::Exchange& exchange, std::optional<size_t> segment) const;

  Key key_;
  Plan& plan_;
  absl::flat_hash_map<const track::Connection*, Followed> followed_;
  absl::flat_hash_map<const flow::Exchange*, PlacedOf> placed_;
  Reading reading_;
  uint64_t hidden_ = 0;
  link::Decoder decoder_;
  PacketNames names_;
  std::set<std::pair<uint32_t, uint64_t>> damaged_;  // file and number of their frames
  Analyzer analyzer_;
};

}  // namespace steertag::sanitize
