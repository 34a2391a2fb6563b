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

void fill_unanswered(Try& told, const std::vector<Stamp>& asked, bool ended) {
  told.outcome = Outcome::unanswered;
  told.pending = !ended;
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

bool fill_rejected(Try& told, const TcpSetup& setup, Side server) {
  fill_end(told, Outcome::rejected, {.kind = Reason::Kind::mpa_reject}, server, setup.reply);
  told.private_data = setup.reply_data;
  return true;
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
    fill_unanswered(told, setup.syns, setup.end.has_value());
  }
  return true;
}

// The server has answered, and no initiator can go on with that: it closes (RFC 5044 §7.1.1). Of a Reply that
// was only begun the rest may be missing from the capture.
void fill_invalid(Try& told, const TcpSetup& setup, Side server, const Stamp& at) {
  told.outcome = Outcome::unanswered;
  told.reason = {.kind = Reason::Kind::invalid_reply};
  told.by = told.connection.end(server).address;
  told.frames = {at};
  told.certain = setup.reply_invalid && setup.from_syn[rdma::index(server)];
}

bool fill_without_reply(Try& told, const TcpSetup& setup, Side server) {
  const std::optional<Stamp>& first_data = setup.first_data[rdma::index(server)];
  const bool given_up = setup.reply_begun && setup.end;
  if (first_data && !told.connection.carried && (setup.reply_invalid || given_up)) {
    fill_invalid(told, setup, server, *first_data);
    return true;
  }
  if (!told.connection.other_end_heard || setup.spoke[rdma::index(server)]) {
    return false;  // the Reply is in the direction that was not captured, or is missing, or was cut
  }
  if (setup.request_error) {
    fill_refused(told, *setup.request_error, server, setup.requests.size());
    return true;
  }
  fill_unanswered(told, setup.requests, setup.end.has_value());
  if (setup.end && setup.end->by == server) {
    fill_end(told, Outcome::unanswered, end_reason(*setup.end), server, setup.end->at);
  }
  told.certain = setup.end && setup.from_syn[rdma::index(server)];
  return true;
}

bool fill_after_setup(Try& told, const TcpSetup& setup, Side server) {
  if (told.connection.carried) {
    return false;  // something else than RPC-over-RDMA
  }
  const std::optional<Side> by = setup.terminate ? std::optional(setup.terminate->from)
                                 : setup.end     ? std::optional(setup.end->by)
                                                 : std::nullopt;
  if (setup.reply_invalid && by == rdma::other(server)) {
    fill_invalid(told, setup, server, setup.reply);
  } else if (setup.terminate) {
    const rdma::Fault& fault = *setup.terminate;
    fill_end(told, Outcome::terminated,
             {.kind = Reason::Kind::terminate, .layer = fault.layer, .type = fault.etype, .code = fault.code},
             fault.from, fault.at);
  } else if (setup.end) {
    fill_end(told, Outcome::terminated, end_reason(*setup.end), setup.end->by, setup.end->at);
  }
  return by.has_value();
}

// Whoever was captured first.
void client_first(track::Connection& connection) {
  if (connection.client == Side::b) {
    std::swap(connection.ends[0], connection.ends[1]);
    connection.client = Side::a;
    connection.ended_by =
        connection.ended_by ? std::optional(rdma::other(*connection.ended_by)) : std::nullopt;
  }
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
  const bool failed = setup.rejected           ? fill_rejected(told, setup, server)
                      : setup.requests.empty() ? fill_without_request(told, setup, server)
                      : !setup.replied         ? fill_without_reply(told, setup, server)
                                               : fill_after_setup(told, setup, server);
  if (!failed) {
    return std::nullopt;
  }
  client_first(told.connection);
  return told;
}

}  // namespace steertag::attempt
