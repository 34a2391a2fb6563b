#include "flow/history.h"

#include <algorithm>

namespace steertag::flow {

namespace {

// A Requester has a Reply in hand at the latest this long after it passed the tap.
constexpr int64_t kFlightNs = 1'000'000;
// The largest receive buffer that private data can announce (RFC 8797 §4.2).
constexpr uint32_t kLargestThreshold = 256 * 1024;

}  // namespace

// Whose Calls this message has to do with: a Reply's receiver's.
Side History::requester_of(const Message& message) {
  return message.direction == Direction::reply ? rdma::other(message.from) : message.from;
}

int64_t History::window_ns(const End& end) const {
  return end.least_latency_ns == INT64_MAX ? kFlightNs : std::max(kFlightNs, end.least_latency_ns);
}

std::optional<uint32_t> History::inline_threshold(Side from) const {
  if (!connection_.setup_seen()) {
    return std::nullopt;
  }
  const rpcrdma::PrivateData& sender = connection_.end(from).private_data;
  const rpcrdma::PrivateData& receiver = connection_.end(rdma::other(from)).private_data;
  if (!sender.usable() || !receiver.usable()) {
    return rpcrdma::default_inline_threshold;
  }
  return std::min({std::max(sender.send_size, rpcrdma::default_inline_threshold),
                   std::max(receiver.receive_size, rpcrdma::default_inline_threshold), kLargestThreshold});
}

const Standing& History::before(const Message& message) {
  const Side requester = requester_of(message);
  End& account = end(requester);
  const uint32_t xid = message.header->xid;
  Standing& s = standing_;
  s.open = exchanges_.find_open(requester, xid);
  s.completed.reset();
  if (s.open == nullptr && message.direction == Direction::reply) {
    const auto found = std::find_if(account.answered.rbegin(), account.answered.rend(),
                                    [&](const Answered& a) { return a.xid == xid; });
    if (found != account.answered.rend() && found->owed == 0) {
      s.completed = found->completion;
    }
  }
  const uint32_t adds = message.direction == Direction::call && s.open == nullptr ? 1 : 0;
  s.credits.outstanding = exchanges_.open_calls(requester) + adds;
  s.credits.certain = exchanges_.certainly_open_calls(requester) + adds;
  s.credits.most_granted = account.grants.most(message.at.time_ns, window_ns(account));
  s.credits.requested = account.requested;
  s.credits.any_grant = account.any_grant;
  s.agreed = agreed_;
  s.refused = end(message.from).refused;
  s.credits.refused_before = account.refused.has_value();
  s.ordinal = end(message.from).messages + 1;
  s.callbacks = callbacks_.state();
  s.inline_threshold = inline_threshold(message.from);
  s.oversized_before = complained_ ? 0 : end(message.from).oversized;
  return s;
}

void History::note(const Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  ++end(message.from).messages;
  callbacks_.note(message);
  const std::optional<uint32_t> threshold = inline_threshold(message.from);
  end(message.from).oversized += threshold && message.length > *threshold ? 1 : 0;
  End& account = end(requester_of(message));
  if (message.direction == Direction::call) {
    account.requested = Established<uint32_t>{h.credit, message.at};
  } else if (message.direction == Direction::reply) {
    note_answer(message, account);
  }
}

void History::note_answer(const Message& message, End& requester) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (h.credit != 0) {
    requester.grants.note(h.credit, message.at);
  }
  if (!h.is_error()) {
    requester.any_grant = true;
    if (!agreed_) {
      agreed_ = Established<uint32_t>{h.version, message.at};
    }
  }
  if (h.error_v1 && h.error_v1->code == rpcrdma::v1::ErrorCode::vers) {
    requester.refused = Established<VersionRange>{{h.error_v1->vers_low, h.error_v1->vers_high}, message.at};
  } else if (h.error_v2 && h.error_v2->code == rpcrdma::v2::ErrorCode::vers) {
    requester.refused = Established<VersionRange>{{h.error_v2->vers_low, h.error_v2->vers_high}, message.at};
  }
  Answered answered{h.xid, {}, 0};
  answered.completion.reply = message.at;
  answered.completion.error = h.is_error();
  if (const Exchange* call = exchanges_.find_open(requester_of(message), h.xid)) {
    answered.completion.call_seen = true;
    answered.completion.call = *call->call;
    answered.owed = call->resent;
    requester.least_latency_ns =
        std::min(requester.least_latency_ns, std::max<int64_t>(0, message.at.time_ns - call->call->time_ns));
  } else {
    const auto found = std::find_if(requester.answered.rbegin(), requester.answered.rend(),
                                    [&](const Answered& a) { return a.xid == h.xid; });
    if (found != requester.answered.rend() && found->owed != 0) {
      --found->owed;
    }
    return;
  }
  requester.answered.push_back(answered);
  if (requester.answered.size() > kMaxCompletions) {
    requester.answered.pop_front();
  }
}

}  // namespace steertag::flow
