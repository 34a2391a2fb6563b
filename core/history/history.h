// History: what the messages of one connection have established so far, for
// both directions: grants, the version agreed upon, sizes, XIDs answered. Asked
// before each message for its Standing, and given the message afterwards.
//
// Kept only where rules ask for it, and then it brings the AccessJudge along. Everything in it is bounded.
#pragma once

#include <array>
#include <cstdint>

#include "base/fetch.h"
#include "flow/message.h"
#include "flow/standing.h"
#include "history/callbacks.h"
#include "history/characteristics.h"
#include "history/completions.h"
#include "history/credit_use.h"
#include "history/grants.h"
#include "history/in_force.h"
#include "history/kept_messages.h"
#include "history/refusals.h"
#include "history/sizes.h"
#include "history/versions.h"
#include "memory/access_judge.h"
#include "memory/handle_directory.h"
#include "rpc/connection_state.h"

namespace steertag::history {

// What the Histories of all connections of one Analyzer share.
struct Shared {
  RefusalsByHosts refusals;
  memory::HandleDirectory directory;
  KeptMessages kept;
  Standing standing, unknown;  // of the current message; where its history is not known
};

class History final : public rpc::MessageListener {
 public:
  // Both must outlive it; it must outlive what `state` is the state of.
  History(rpc::ConnectionState& state, Shared& shared);
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  // The Standing of the message is good until the next call, for any connection.
  void introduce(Message& message, bool early) override;
  void on_message(const Message& message) override;
  void on_doubt(Side from) override;
  void on_misread(Side from, uint32_t xid) override;
  void on_acknowledged(Side by, const Stamp& at) override { versions_.note_acknowledged(by, at); }
  void on_incident(Incident& incident) override;
  Answered answered(Side requester, uint32_t xid) const override;
  void expect() const override { base::fetch(*this); }
  size_t bytes() const override;

  struct End {      // one end as a Requester, except where said
    Grants grants;  // to it
    CreditUse use;  // of these
    bool any_grant = false;
    int64_t least_latency_ns = INT64_MAX;
    Completions completions;   // of its Calls
    bool invalidated = false;  // it has sent a Send With Invalidate
    uint64_t messages = 0;     // that it sent
    uint32_t oversized = 0;    // Sends of it above the limit

    size_t bytes() const { return grants.bytes() + completions.bytes(); }  // of the heap
  };
  const End& of(Side side) const { return ends_[rdma::index(side)]; }
  const Characteristics& characteristics() const { return characteristics_; }
  const Ground& ground() const { return ground_; }  // of what is in force

 private:
  // A Requester has a Reply in hand at the latest this long after it passed the tap; or, where the way to it
  // is longer than that, after the time that the setup took.
  static constexpr int64_t kFlightNs = 1'000'000;

  End& end(Side side) { return ends_[rdma::index(side)]; }
  void note_answer(const Message& message, End& requester);
  void note_credits(const Message& message, End& requester);

  const rpc::ConnectionState& state_;
  Shared& shared_;
  memory::AccessJudge judge_;
  std::array<End, 2> ends_;
  Versions versions_;
  Sizes sizes_;
  Characteristics characteristics_;
  const Ground ground_{state_.connection, sizes_, versions_, characteristics_};
  // How long a message may be under way: as long as from the first frame of the setup to the first message, a
  // round trip wherever the tap is, if that is known.
  int64_t flight_ns_ = kFlightNs;
  bool complained_ = false;  // some receiver did not take what it was sent
  CallbackWatch callbacks_;
};

}  // namespace steertag::history
