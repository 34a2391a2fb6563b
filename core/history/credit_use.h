// CreditUse: how many credits a Requester asks for (RFC 8166 §3.3.1), how many Calls it sent under a known
// grant, and how many of them took the last credit: after such a Call it could not send another one. Whether
// it wanted to, the wire does not say; who asks for more than is granted, and does this often, did.
#pragma once

#include <cstdint>
#include <optional>

#include "flow/message.h"
#include "flow/standing.h"
#include "history/grant_trend.h"

namespace steertag::history {

class CreditUse {
 public:
  struct Calls {
    uint64_t all = 0, took_last = 0;
    Stamp first_of_last;  // the first one that took the last credit; set where took_last is not 0

    void note(bool last, const Stamp& at) {
      ++all;
      if (last && took_last++ == 0) {
        first_of_last = at;
      }
    }
  };

  // Where it conveys no RPC, or Calls or grants may be missing from the capture, a Call does not count.
  void note(const Message& call, const GrantTrend& grants) {
    requested_ = Established<uint32_t>{call.header->credit, call.at};
    const CreditAccount& credits = call.standing->credits;
    if (!conveys_rpc(call) || !credits.most_granted || credits.outstanding != credits.certain) {
      return;
    }
    const bool last = credits.certain >= credits.most_granted->value;
    calls_.note(last, call.at);
    if (const std::optional<GrantTrend::Reduced>& reduced = grants.reduced()) {
      if (reduced_at_ != reduced->at) {
        reduced_at_ = reduced->at;
        since_reduced_ = {};
      }
      since_reduced_.note(last, call.at);
    }
  }

  const std::optional<Established<uint32_t>>& requested() const { return requested_; }  // by the newest Call
  const Calls& calls() const { return calls_; }
  // Since the latest reduction of the grant that a Call was sent under; under() tells which.
  const Calls& since_reduced() const { return since_reduced_; }
  bool under(const GrantTrend::Reduced& reduced) const { return reduced_at_ == reduced.at; }

 private:
  std::optional<Established<uint32_t>> requested_;
  Calls calls_, since_reduced_;
  std::optional<Stamp> reduced_at_;
};

}  // namespace steertag::history
