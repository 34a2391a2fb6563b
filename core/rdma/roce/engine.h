// Engine: one pair of QPs, from captured packets to rdma::RdmaOp. It emulates
// the receivers of both ends rather than believing the tap (IBTA vol. 1 §9.7):
// a packet counts when the receiver would have accepted it.
//
//   PSN as expected   accepted; then what was held and now follows on
//   PSN behind        a retransmission
//   PSN ahead         held until the hole is filled (the network lost it, and the
//                     sender repeats it) or the peer acknowledges past the hole
//                     (the capture lost it: on_gap, and on from there)
//
// A packet that acknowledges what was not seen yet waits too, and so does what
// follows it from the same end: where taps are merged, an effect may stand before
// its cause. The wait is short; then the cause is missing from the capture.
//
// Where ICRCs are verified, a packet whose ICRC is wrong is dropped, as its
// receiver does, once others of that direction were right; its good copy, or the
// acknowledgment that there was one, settles the rest.
//
// What does not belong into the sequence is told as an Anomaly (engine_anomalies.cc)
// and emulated on as well as may be; it is told only of accepted packets, and only
// where the packets before them are known.
//
// The table of connections owns one per connection, tells it what the CM said,
// and hands it every RC packet of both directions in capture order.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "frame.h"
#include "rdma/anomaly.h"
#include "rdma/op.h"
#include "rdma/roce/copies.h"
#include "rdma/roce/icrc_watch.h"
#include "rdma/roce/packet.h"
#include "rdma/roce/reads.h"

namespace steertag::rdma::roce {

OpKind kind_of(Opcode opcode);  // `other` for what RPC-over-RDMA does not use, and for acknowledgments

class Engine {
 public:
  // Bounds per direction on what waits behind a hole. Where one is reached the
  // hole is taken for capture loss.
  static constexpr size_t kMaxHeldPackets = 4096;
  static constexpr size_t kMaxHeldBytes = 1 << 20;
  // How long, in captured time and in packets of that end, an acknowledgment
  // waits for what it acknowledges.
  static constexpr int64_t kPatienceNs = 2'000'000;
  static constexpr size_t kPatiencePackets = 256;
  // Dropped packets that are remembered, and successive First and Middle packets
  // of another size before the path MTU is believed to be that.
  static constexpr size_t kMaxDropped = 16;
  static constexpr uint32_t kMtuPatience = 4;
  // Holes that are remembered, so that a packet which a merged tap shows late
  // still counts.
  static constexpr size_t kMaxHoles = 16;

  explicit Engine(Listener& listener) : listener_(listener) {}

  // From the CM: path MTU in bytes; the PSN that `sender` starts with.
  void set_path_mtu(uint32_t bytes);
  void expect(Side sender, uint32_t first_psn);

  // A side has asked to disconnect. What either sends from here on is received only if it is acknowledged:
  // the rest is told at the end, as RdmaOp::unreceived and Anomaly::Kind::unreceived.
  void close(const Stamp& at) { closed_ = at; }
  // The ICRC of a packet that `from` sent to another QP, the CM's. Right ones prove nothing of this one's.
  void check(Side from, const IcrcCheck& icrc, const Stamp& at);

  // `packet.icrc` is looked at where the caller has filled it in.
  void on_packet(Side from, const Packet& packet, const Stamp& at);
  void finish(const Stamp& at);  // what is still held is told

  // Whether it may follow what was seen: by its PSN, which is not far from the one that is expected.
  bool goes_on(Side from, const Packet& packet) const;
  // Nothing that `from` sent is known or suspected to be missing, from the first packet seen to the latest.
  bool whole(Side from) const;
  // Read Requests among what `from` sent again, whole or from the middle.
  uint32_t repeated_reads(Side from) const { return flows_[index(from)].repeated_reads; }
  uint64_t lost() const { return lost_; }  // packets that the capture lacks
  // What `from` would send next; unset where it has sent nothing.
  std::optional<uint32_t> next_psn(Side from) const;
  // Does the packet stand where `from` began, although that has been acknowledged?
  bool begins_again(Side from, const Packet& packet) const;

 private:
  struct Held {
    Packet packet;  // its payload view is set from `bytes` on delivery
    Stamp at;
    std::vector<uint8_t> bytes;
  };
  struct Hole {
    uint32_t first, end;  // PSNs [first, end)
  };
  // The Send or Write that a direction is in the middle of.
  struct Running {
    OpKind kind = OpKind::other;
    bool active = false;
    uint64_t id = 0;
    uint32_t done = 0;  // bytes of it so far
    Memory memory;      // Write: the whole, as its RETH announces
    uint32_t first_psn = 0;
    Stamp at;                  // its first packet
    bool interrupted = false;  // by a hole
  };
  struct Missing {  // the hole at the end of `holes` while it may still grow
    uint32_t first = 0, end = 0;
    Stamp at;
    std::optional<Stamp> proof;  // acknowledges all of it
  };
  struct Flow {  // the requests of one side
    bool synced = false;
    uint32_t first = 0;  // PSN
    uint32_t expected = 0;
    std::optional<uint32_t> unsized_read;     // length of a Read whose PSN count waits for the path MTU
    std::vector<std::unique_ptr<Held>> held;  // ascending by PSN
    size_t held_bytes = 0;
    std::optional<uint32_t> acknowledged;  // newest PSN that the peer confirmed ahead of `expected`
    Stamp acknowledged_at;
    uint32_t confirmed = 0;  // the peer accepted everything before this PSN, as far as is known
    std::vector<Hole> holes;
    std::optional<Missing> missing;
    uint32_t behind = 0;  // packets in a row behind `expected`: the flow may have started over
    uint32_t behind_last = 0;
    Running running;
    bool aware = false;          // of what may come next: `running` goes on, or another operation starts
    OpKind cut = OpKind::other;  // the latest operation that was cut off: its rest is no news
    uint64_t started = 0;        // operations
    std::optional<uint32_t> invalidation;  // PSN of the packet that ended the latest Send With Invalidate
    Reads reads;
    uint32_t reads_peak = 1;  // outstanding
    uint32_t repeated_reads = 0;
    uint64_t told_at_gap = 0;  // Engine::told_, when its latest gap was told
    bool lossy = false;
    uint32_t inner_size =
        0;  // bytes in the first First or Middle packet of this side, requests and responses
    Copies copies;
    IcrcWatch icrc;
    std::vector<uint32_t> dropped;  // PSNs of the latest requests whose ICRC was wrong
    // Packets of this side, requests and responses, that wait for their cause.
    std::vector<std::unique_ptr<Held>> effects;
  };

  Flow& flow(Side side) { return flows_[index(side)]; }
  void tell(RdmaOp& op) {
    ++told_;
    op.unreceived = unreceived_;
    listener_.on_op(op);
  }

  void take(Side from, const Packet& packet, const Stamp& at);
  bool before_its_cause(Side from, const Packet& packet);
  void release(Side from, const Stamp& now);
  void release_one(Side from);
  std::unique_ptr<Held> copy(const Packet& packet, const Stamp& at);
  void on_request(Side from, const Packet& packet, const Stamp& at);
  void on_response(Side from, const Packet& packet, const Stamp& at);
  void confirm(Side requester, uint32_t psn, const Stamp& at);
  void size_pending_read(Flow& f, uint32_t next_psn);

  void accept(Side from, const Packet& packet, const Stamp& at);
  void accept_data(Side from, const Packet& packet, OpKind kind, const Stamp& at);
  void accept_read(Side from, const Packet& packet, const Stamp& at);
  void deliver_response(Side from, const Packet& packet, const Stamp& at);
  void complain(Side from, const Packet& packet, const Stamp& at);

  void hold(Side from, const Packet& packet, const Stamp& at);
  void drain(Side from);
  bool late(const Stamp& at) const { return closed_ && captured_before(*closed_, at); }  // behind the DREQ
  bool may_accept(const Flow& f, const Packet& packet, const Stamp& at) const;
  void tell_unreceived(Side from);
  void give_up_hole(Side from, uint32_t up_to, const Stamp& at, const std::optional<Stamp>& proof);
  bool resume(Running& running, const Packet& packet) const;
  void settle(Side from, const Stamp& at);
  static void forget_holes(Flow& f);
  void forget(Flow& f);
  void on_behind(Side from, const Packet& packet, const Stamp& at);
  void start_over(Side from, const Packet& packet, const Stamp& at);

  void watch_order(Side from, const Packet& packet, const Stamp& at);
  void watch_size(Side from, const Packet& packet, const Stamp& at);
  void watch_write_end(Side from, const Packet& packet, const Stamp& at);
  bool watch_response(Side from, const Packet& packet, uint32_t place, uint64_t offset, OutstandingRead& read,
                      const Stamp& at);
  void watch_depth(Side requester, const OutstandingRead& read);
  void remember(Side from, const Packet& packet, const Stamp& at);
  void compare(Side from, const std::optional<Copy>& first, const Packet& second, const Stamp& at);
  bool drops(Side from, const Packet& packet, const Stamp& at);
  void tell_missing(Side from);

  uint32_t mtu_or_least() const { return path_mtu_ ? path_mtu_ : 256; }
  void learn_path_mtu(const Packet& packet);

  Listener& listener_;
  uint32_t path_mtu_ = 0;          // bytes; 0: not known yet
  bool path_mtu_guessed_ = false;  // from the PSNs around a Read
  bool path_mtu_shown_ = false;    // a First or Middle packet had that size
  uint32_t other_mtu_ = 0;         // the size that the latest ones have instead ...
  uint32_t other_mtu_run_ = 0;     // ... and how many they are
  std::array<Flow, 2> flows_;
  std::vector<std::unique_ptr<Held>> spare_;
  uint64_t lost_ = 0;
  uint64_t told_ = 0;            // operations, of both sides
  std::optional<Stamp> closed_;  // by this DREQ
  bool unreceived_ = false;      // what is told at the moment
};

}  // namespace steertag::rdma::roce
