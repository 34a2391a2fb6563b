// History: what the messages of one connection have established so far, for
// both directions: grants, the version agreed upon, sizes, XIDs answered. Asked
// before each message for its Standing; told of it afterwards.
//
// Kept only with Options::for_rules. Everything in it is bounded.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "flow/callbacks.h"
#include "flow/characteristics.h"
#include "flow/exchanges.h"
#include "flow/grants.h"
#include "flow/message.h"
#include "flow/refusals.h"
#include "flow/standing.h"

namespace steertag::flow {

class History {
 public:
  static constexpr size_t kMaxCompletions = 256;  // remembered of each Requester; the oldest gives way
  static constexpr size_t kMaxOwedDones = 256;
  static constexpr size_t kMaxStrayDones = 64;

  History(const track::Connection& connection, Exchanges& exchanges, Advertised& advertised)
      : connection_(connection), exchanges_(exchanges), advertised_(advertised) {
    unknown_.characteristics = &characteristics_;
  }

  const Standing& unknown() const { return unknown_; }

  // A Reply with a Read list, for which its Requester has sent no RDMA_DONE (RFC 5666 §3.8).
  struct OwedDone {
    uint32_t xid = 0;
    Stamp reply;
  };
  // An RDMA_DONE of `requester` for which no Reply is known; the first ones.
  struct StrayDone {
    uint32_t xid = 0;
    Stamp at;
  };
  const std::vector<StrayDone>& stray_dones(Side requester) const {
    return ends_[rdma::index(requester)].stray_dones;
  }
  const std::deque<OwedDone>& owed_dones(Side requester) const {
    return ends_[rdma::index(requester)].owed_dones;
  }

  // What stands at this message; good until the next call.
  const Standing& before(const Message& message);
  // The message takes effect. Called before the table of Exchanges hears of it.
  void note(const Message& message);
  void note_gap(Side from) {
    end(rdma::other(from)).grants.note_gap();
    end(from).owed_dones.clear();  // one of them may be missing
    characteristics_.note_gap(from);
    callbacks_.note_gap();
  }
  // `by` has acknowledged all that its peer has sent.
  void note_acknowledged(Side by, const Stamp& at);
  void note_fault(const rdma::Fault& fault) {
    complained_ |= fault.kind != rdma::Fault::Kind::nak_sequence && fault.kind != rdma::Fault::Kind::rnr;
  }

  // Bytes that a Send from `from` may have by both ends' private data; unset
  // where the capture does not hold both (RFC 8797 §4.2, RFC 8166 §3.3.3).
  std::optional<uint32_t> inline_threshold(Side from) const;
  // A Call of `requester` with this XID was answered, among the latest.
  bool answered(Side requester, uint32_t xid) const;
  const Characteristics& characteristics() const { return characteristics_; }
  // What CONF_RDMA has settled of `side`, if anything.
  const std::optional<Configured>& configured(Side side) const { return ends_[rdma::index(side)].configured; }
  std::optional<Stamp> newest_served() const;  // the newest message, of either end, that was answered
  int64_t flight_ns() const;                   // at most this long a message is under way, as far as is known

 private:
  struct Answered {
    uint32_t xid = 0;
    Completion completion;
    uint32_t owed = 0;  // Replies that are still due, since the Call was sent more than once
  };
  struct End {      // one end as a Requester, except where said
    Grants grants;  // to it
    bool any_grant = false;
    std::optional<Established<uint32_t>> requested;
    std::optional<Established<VersionRange>> refused;  // that it was told of
    std::optional<Stamp> refused_heard;                // when it is known to have received that
    int64_t least_latency_ns = INT64_MAX;
    std::deque<Answered> answered;
    bool invalidated = false;  // it has sent a Send With Invalidate
    Refusals refusals;
    std::deque<OwedDone> owed_dones;  // for Replies to it
    std::vector<StrayDone> stray_dones;
    uint64_t messages = 0;   // that it sent
    uint32_t oversized = 0;  // Sends of it above the limit
    std::optional<Configured> configured;
    struct {  // its newest CONF_RDMA Call
      uint32_t xid = 0;
      std::optional<rpcrdma::config::Request> request;
    } configuration;
  };

  static Side requester_of(const Message& message);
  int64_t window_ns(const End& end) const;
  std::optional<uint32_t> send_limit(const Message& message, std::optional<uint32_t> by_setup) const;
  std::optional<uint32_t> configured_limit(const Message& message, std::optional<uint32_t> by_setup) const;
  void note_configuration(const Message& message);
  void note_answer(const Message& message, End& requester);
  void note_done(const Message& message);
  void note_terms(const Message& message, End& requester);
  void note_credit(const Message& message, End& requester);
  void note_raise(const Message& message, End& requester);
  void note_agreement(const Message& message, End& requester);
  static void note_refusal(const Message& message, VersionRange range, End& requester);
  static bool knew(const Message& message, const std::optional<Stamp>& heard);
  End& end(Side side) { return ends_[rdma::index(side)]; }

  const track::Connection& connection_;
  Exchanges& exchanges_;
  Advertised& advertised_;
  std::array<End, 2> ends_;
  std::optional<Established<uint32_t>> agreed_;
  Side agreed_by_ = Side::a;           // the sender of that Reply
  std::optional<Stamp> agreed_heard_;  // when its receiver is known to have it
  Characteristics characteristics_;
  // From the first frame of the setup to the first message: a way to the peer and back, at either end.
  int64_t setup_ns_ = 0;
  bool may_be_configured_ = false;  // a message that the snaplen cut may have been CONF_RDMA
  bool complained_ = false;         // some receiver did not take what it was sent
  CallbackWatch callbacks_;
  Standing standing_;
  Standing unknown_;
};

}  // namespace steertag::flow
