#include "attempt/tcp_try.h"

#include <utility>
#include <vector>

namespace steertag::attempt {

using rdma::Side;
using track::TcpSetup;

namespace {

Reason end_reason(const TcpSetup::End& end) {
  return {.kind = end.reset ? Reason::Kind::reset : Reason::Kind::fin};
}

void fill_unanswered(Try& told, const std::vector<Stamp>& asked) {
  told.outcome = Outcome::unanswered;
  told.frames = asked;
  told.certain = asked.size() > 1;  // its sender has waited in vain
}

// By an RST, FIN or Terminate.
void fill_end(Try& told, Outcome outcome, const Reason& reason, Side by, const Stamp& at) {
  told.outcome = outcome;
  told.reason = reason;
  told.by = told.connection.end(by).address;
  told.frames = {at};
  told.last = at;
  told.certain = outcome == Outcome::rejected || outcome == Outcome::refused;
}

// By an ICMP error about a SYN or an MPA Request: the host itself knows better than the network what it
// refuses, and that of the network may pass.
void fill_refused(Try& told, const TcpSetup::Error& refusal, Side server, size_t asked) {
  told.outcome = Outcome::refused;
  told.reason = reason_of(refusal.error);
  told.by = refusal.error.by;
  told.frames = {refusal.at};
  told.last = captured_before(told.last, refusal.at) ? refusal.at : told.last;
  told.certain = told.by == told.connection.end(server).address || asked > 1;
}

void fill_rejected(Try& told, const TcpSetup& setup, Side server) {
  fill_end(told, Outcome::rejected, {.kind = Reason::Kind::mpa_reject}, server, setup.reply);
  told.private_data = setup.reply_data;
}

bool fill_without_request(Try& told, const TcpSetup& setup, Side server) {
  if (setup.syns.empty() || setup.syn_answered) {
    return false;  // a connection of TCP, and nothing that shows what it was for
  }
  if (setup.end && setup.end->by == server && setup.end->reset) {
    fill_end(told, Outcome::refused, end_reason(*setup.end), server, setup.end->at);
  } else if (setup.syn_error) {
    fill_refused(told, *setup.syn_error, server, setup.syns.size());
  } else {
    fill_unanswered(told, setup.syns);
  }
  return true;
}

bool fill_without_reply(Try& told, const TcpSetup& setup, Side server) {
  if (!told.connection.other_end_heard || setup.spoke[rdma::index(server)]) {
    return false;  // the Reply is in the direction that was not captured, or is missing, or was cut
  }
  if (setup.request_error) {
    fill_refused(told, *setup.request_error, server, setup.requests.size());
    return true;
  }
  fill_unanswered(told, setup.requests);
  if (setup.end && setup.end->by == server) {
    fill_end(told, Outcome::unanswered, end_reason(*setup.end), server, setup.end->at);
  }
  told.certain = setup.end && setup.from_syn[rdma::index(server)];
  return true;
}

bool fill_after_setup(Try& told, const TcpSetup& setup) {
  if (told.connection.carried) {
    return false;  // something else than RPC-over-RDMA
  }
  if (setup.terminate) {
    const rdma::Fault& fault = *setup.terminate;
    fill_end(told, Outcome::terminated,
             {.kind = Reason::Kind::terminate, .layer = fault.layer, .type = fault.etype, .code = fault.code},
             fault.from, fault.at);
  } else if (setup.end) {
    fill_end(told, Outcome::terminated, end_reason(*setup.end), setup.end->by, setup.end->at);
  }
  return setup.terminate || setup.end;
}

}  // namespace

std::optional<Try> failed_try(const TcpSetup& setup, const track::Connection& connection) {
  const std::optional<Side> client = connection.client ? connection.client : setup.syn_from;
  if (!client) {
    return std::nullopt;
  }
  const Side server = rdma::other(*client);
  Try told;
  told.connection = connection;
  told.connection.client = client;
  told.first = connection.first_frame;
  told.last = connection.last_frame;
  told.for_nfs = connection.end(*client).private_data.present || connection.end(server).private_data.present;
  if (setup.rejected) {
    fill_rejected(told, setup, server);
    return told;
  }
  const bool failed = setup.requests.empty() ? fill_without_request(told, setup, server)
                      : !setup.replied       ? fill_without_reply(told, setup, server)
                                             : fill_after_setup(told, setup);
  return failed ? std::optional(std::move(told)) : std::nullopt;
}

}  // namespace steertag::attempt
