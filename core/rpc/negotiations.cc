#include "rpc/negotiations.h"

#include <algorithm>
#include <utility>

namespace steertag::rpc {
namespace {

// Something that the capture lacks may have answered what was asked at `at`, or used its XID.
bool may_be_hidden(const track::Connection& connection, const Stamp& at) {
  return connection.last_doubt_ns && *connection.last_doubt_ns >= at.time_ns;
}

}  // namespace

bool Negotiations::note(const Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (h.version != 2) [[likely]] {
    return false;
  }
  flush();
  if (h.is_error()) {
    return answer(message);
  }
  if (!h.is(rpcrdma::v2::Proc::optional) || h.optional.empty()) {
    return false;
  }
  switch (h.optional[0].opttype) {
    case xchar::Operation::reqxch:
      ask(message);
      return true;
    case xchar::Operation::respxch:
      return answer(message);
    default:
      return false;
  }
}

void Negotiations::ask(const Message& request) {
  Negotiation made;
  made.connection = &state_.connection;
  made.xid = request.header->xid;
  made.requester = request.from;
  made.backward = state_.connection.client && request.from != state_.connection.client;
  made.call = request.at;
  const auto& want = request.header->optional[0].request.want;
  for (size_t i = 0; i < std::min(want.size(), Negotiation::kMaxWanted); ++i) {
    made.want.push_back(term_of(want[i]));
  }
  std::vector<Negotiation>& asked = asked_[rdma::index(request.from)];
  const auto again =
      std::find_if(asked.begin(), asked.end(), [&](const Negotiation& n) { return n.xid == made.xid; });
  const bool anew = again != asked.end();
  if (anew || asked.size() == kMaxOpen) {
    const auto over = anew ? again : asked.begin();
    Negotiation unanswered = std::move(*over);
    asked.erase(over);
    unanswered.complete = anew && !may_be_hidden(state_.connection, *unanswered.call);
    report(std::move(unanswered));
  }
  asked.push_back(std::move(made));
}

// An RDMA2_ERROR answers an RPC rather than a request with the same XID, unless only the latter can be.
bool Negotiations::answer(const Message& answer) {
  const rpcrdma::TransportHeader& h = *answer.header;
  const Side requester = rdma::other(answer.from);
  std::vector<Negotiation>& asked = asked_[rdma::index(requester)];
  const auto found =
      std::find_if(asked.begin(), asked.end(), [&](const Negotiation& n) { return n.xid == h.xid; });
  const bool of_option = h.error_v2 && h.error_v2->code == rpcrdma::v2::ErrorCode::inval_option;
  if (h.is_error() &&
      (found == asked.end() || (!of_option && state_.open.find(requester, h.xid) != nullptr))) {
    return false;
  }
  Negotiation done;
  if (found != asked.end()) {
    done = std::move(*found);
    asked.erase(found);
  } else {
    done.connection = &state_.connection;
    done.xid = h.xid;
    done.requester = requester;
    done.backward = state_.connection.client && requester != state_.connection.client;
    done.complete = state_.connection.seen_from_start && !state_.connection.last_doubt_ns;
  }
  done.reply = answer.at;
  done.status = h.is_error() ? Status::transport_error : done.call ? Status::complete : Status::no_call;
  if (h.is_error()) {
    done.error = h.error_code();
  } else {
    done.response = h.optional[0].response;
  }
  report(std::move(done));
  return true;
}

void Negotiations::finish(bool ended) {
  flush();
  for (std::vector<Negotiation>& asked : asked_) {
    for (Negotiation& open : std::exchange(asked, {})) {
      const bool late =
          state_.connection.last_frame.time_ns - open.call->time_ns >= state_.common.settings.settle_ns;
      open.complete = (ended || late) && !may_be_hidden(state_.connection, *open.call);
      report(std::move(open));
    }
  }
}

void Negotiations::report(Negotiation done) {
  if (state_.connection.rpcrdma) {
    state_.common.sink.on_negotiation(done);
  } else if (held_back_.size() < kMaxOpen) {
    held_back_.push_back(std::move(done));
  }
}

void Negotiations::flush() {
  if (state_.connection.rpcrdma && !held_back_.empty()) [[unlikely]] {
    for (Negotiation& done : std::exchange(held_back_, {})) {
      state_.common.sink.on_negotiation(done);
    }
  }
}

size_t Negotiations::bytes() const {
  size_t bytes = 0;
  for (const auto* list : {&asked_[0], &asked_[1], &held_back_}) {
    bytes += list->capacity() * sizeof(Negotiation);
    for (const Negotiation& one : *list) {
      bytes += one.want.capacity() * sizeof(Term);
    }
  }
  return bytes;
}

}  // namespace steertag::rpc
