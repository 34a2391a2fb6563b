// History: what the messages of one connection have established so far, for
// both directions: grants, the version agreed upon, sizes, XIDs answered. Asked
// before each message for its Standing, and given the message afterwards.
//
// Kept only with Settings::for_rules. Everything in it is bounded.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "flow/callbacks.h"
#include "flow/characteristics.h"
#include "flow/completions.h"
#include "flow/credit_use.h"
#include "flow/exchanges.h"
#include "flow/grants.h"
#include "flow/in_force.h"
#include "flow/message.h"
#include "flow/sizes.h"
#include "flow/standing.h"
#include "flow/versions.h"

namespace steertag::flow {

struct Common;

class History {
 public:
  History(const track::Connection& connection, Common& common, Exchanges& exchanges, Advertised& advertised)
      : connection_(connection),
        common_(common),
        exchanges_(exchanges),
        advertised_(advertised),
        sizes_(connection) {}

  // The Standing of a message whose history is not known; good until the next call, for any connection.
  const Standing& unknown() const;
  // The Standing of this message; good until the next call, for any connection.
  const Standing& before(const Message& message);
  // The message takes effect. Called before Exchanges hears of it.
  void note(const Message& message);
  void note_gap(Side from);
  // What was noted as the Reply of `from` with that XID was a Call.
  void note_misread(Side from, uint32_t xid);
  // `by` has acknowledged all that its peer has sent.
  void note_acknowledged(Side by, const Stamp& at) { versions_.note_acknowledged(by, at); }
  void note_fault(const rdma::Fault& fault) {
    complained_ |= fault.kind != rdma::Fault::Kind::nak_sequence && fault.kind != rdma::Fault::Kind::rnr;
  }

  struct End {      // one end as a Requester, except where said
    Grants grants;  // to it
    CreditUse use;  // of these
    bool any_grant = false;
    int64_t least_latency_ns = INT64_MAX;
    Completions completions;   // of its Calls
    bool invalidated = false;  // it has sent a Send With Invalidate
    uint64_t messages = 0;     // that it sent
    uint32_t oversized = 0;    // Sends of it above the limit

    size_t bytes() const { return grants.bytes() + completions.bytes(); }
  };
  const End& of(Side side) const { return ends_[rdma::index(side)]; }
  const Characteristics& characteristics() const { return characteristics_; }
  const Ground& ground() const { return ground_; }  // of what is in force
  int64_t flight_ns() const;                        // how long a message may be under way, as far as is known

  size_t bytes() const {  // of the heap
    return characteristics_.bytes() + callbacks_.bytes() + ends_[0].bytes() + ends_[1].bytes();
  }

 private:
  End& end(Side side) { return ends_[rdma::index(side)]; }
  void note_answer(const Message& message, End& requester);
  void note_credits(const Message& message, End& requester);

  const track::Connection& connection_;
  Common& common_;
  Exchanges& exchanges_;
  Advertised& advertised_;
  std::array<End, 2> ends_;
  Versions versions_;
  Sizes sizes_;
  Characteristics characteristics_;
  const Ground ground_{connection_, sizes_, versions_, characteristics_};
  // From the first frame of the setup to the first message: a round trip, wherever the tap is.
  int64_t setup_ns_ = 0;
  bool complained_ = false;  // some receiver did not take what it was sent
  CallbackWatch callbacks_;
};

}  // namespace steertag::flow
