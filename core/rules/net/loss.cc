// What the capture lacks, and what the network lost: facts that every other
// verdict depends on.

#include <array>
#include <string>
#include <utility>

#include "base/counted.h"
#include "base/units.h"
#include "rules/catalog.h"
#include "rules/ending.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

using rdma::Anomaly;

bool over_tcp(const track::Connection& connection) {
  return connection.transport == rdma::Transport::iwarp;
}

Outcome check_capture_loss(const flow::Incident& incident, Report& report) {
  const Anomaly* anomaly = incident.anomaly();
  if (anomaly != nullptr && anomaly->kind == Anomaly::Kind::given_up) {
    report(
        "The memory limit was reached: part of what was known of this connection was dropped; RPCs in "
        "progress are not judged")
        .blame_nobody();
    return Outcome::done;
  }
  if (anomaly == nullptr || anomaly->kind != Anomaly::Kind::missing) {
    return Outcome::not_applicable;
  }
  if (over_tcp(*incident.connection) && !incident.connection->other_end_heard &&
      anomaly->from == rdma::Side::b) {
    return Outcome::not_applicable;  // that direction was not captured at all
  }
  const std::string what =
      over_tcp(*incident.connection)
          ? fmt::format("{} of the TCP stream, from offset {} on", base::counted(anomaly->count, "byte"),
                        anomaly->position)
          : fmt::format("{} from PSN {:#08x} on", base::counted(anomaly->count, "packet"), anomaly->position);
  const bool one = anomaly->count == 1;
  const char* are = one ? "is" : "are";
  if (anomaly->related) {
    report(
        "{}, sent by {}, {} missing from the capture, though the peer acknowledged {}; RPCs in progress are "
        "not judged",
        what, incident.connection->end(anomaly->from).address.text(), are, one ? "it" : "them")
        .with(*anomaly->related)
        .blame_nobody();
  } else {
    report("{}, sent by {}, {} not in the capture; RPCs in progress are not judged", what,
           incident.connection->end(anomaly->from).address.text(), are)
        .severity(Severity::note)
        .blame_nobody();
  }
  return Outcome::done;
}

// "10.9.0.1 sent 98 packets again within 43.0 ms, 3 NAKs": what one end did; empty: nothing.
std::string losses_of(const track::End& end) {
  std::string text;
  if (end.retransmissions != 0) {
    text = fmt::format("{} again", base::counted(end.retransmissions, "packet"));
    if (end.retransmissions > 1) {
      const int64_t took_ns = end.last_retransmission.time_ns - end.first_retransmission.time_ns;
      text += fmt::format(" within {}", base::duration_text(took_ns));
    }
  }
  for (const auto& [count, what] : {std::pair{end.naks, "NAK"}, std::pair{end.rnr_naks, "RNR NAK"}}) {
    if (count != 0) {
      text += fmt::format("{}{}", text.empty() ? "" : ", ", base::counted(count, what));
    }
  }
  return text.empty() ? text : fmt::format("{} sent {}", end.address.text(), text);
}

// Who sent what again and when. What it cost which RPC is not asked here, but by reports.
Outcome check_network_loss(const Ending& ending, Report& report) {
  const track::Connection& c = *ending.connection;
  const std::array<std::string, 2> losses = {losses_of(c.ends[0]), losses_of(c.ends[1])};
  if (losses[0].empty() && losses[1].empty()) {
    return Outcome::done;
  }
  auto entry = report("{}{}{}; steertag stats tells what it cost", losses[0],
                      losses[0].empty() || losses[1].empty() ? "" : "; ", losses[1]);
  for (const track::End& end : c.ends) {
    if (end.retransmissions != 0) {
      entry.with(end.first_retransmission).with(end.last_retransmission);
    }
  }
  return Outcome::done;
}

Outcome check_closed_with_open_calls(const Ending& ending, Report& report) {
  if (!ending.connection->ended || ending.connection->one_direction()) {
    return Outcome::not_applicable;  // the capture ends, the connection does not; or Replies are not in it
  }
  if (ending.unanswered_count == 0) {
    return Outcome::done;
  }
  std::string xids;
  for (const Ending::Unanswered& one : ending.unanswered) {
    xids += fmt::format("{}{:#010x}", xids.empty() ? "" : " ", one.xid);
  }
  auto entry =
      report("Connection ended with {} unanswered: {}{}", base::counted(ending.unanswered_count, "Call"),
             xids, ending.unanswered_count > ending.unanswered.size() ? " ..." : "");
  for (const Ending::Unanswered& one : ending.unanswered) {
    entry.with(one.call);
  }
  if (const Finding* earlier = report.earlier({"INL", "MEM", "INV", "CRD", "HDR", "NET-03", "NET-05"})) {
    entry.with(earlier->at);
  }
  return Outcome::done;
}

Outcome check_sent_after_disconnect(const flow::Incident& incident, Report& report) {
  const Anomaly* anomaly = incident.anomaly();
  if (anomaly == nullptr || anomaly->kind != Anomaly::Kind::unreceived) {
    return Outcome::not_applicable;
  }
  report("{} of {} came after the DREQ and {} never acknowledged: the peer did not receive {}",
         base::counted(anomaly->count, "packet"), incident.connection->end(anomaly->from).address.text(),
         anomaly->count == 1 ? "was" : "were", anomaly->count == 1 ? "it" : "them")
      .with(*anomaly->related)
      .blame_nobody();
  return Outcome::done;
}

Outcome check_setup_missing(const Ending& ending, Report& report) {
  const track::Connection& c = *ending.connection;
  if (over_tcp(c)) {
    return Outcome::not_applicable;
  }
  if (c.setup_seen()) {
    return Outcome::done;
  }
  size_t off = 0;
  size_t weak = 0;
  for (const Rule* rule : catalog()) {
    off += (rule->needs & needs_setup) != 0 ? 1 : 0;
    weak += (rule->needs & prefers_setup) != 0 ? 1 : 0;
  }
  const std::string_view how = c.pairing == track::Pairing::one_sided ? "only one direction was captured"
                               : c.pairing == track::Pairing::inferred
                                   ? "the QPs were paired by their traffic"
                                   : "the private data was not captured whole";
  report("Connection setup not captured, {}: {} rules are not judged, {} only as possible", how, off, weak)
      .at(c.first_frame);
  return Outcome::done;
}

}  // namespace

constinit const Rule capture_loss = {
    .id = "NET-01",
    .name = "packets-missing-from-capture",
    .severity = Severity::warning,
    .source = {"IBTA", "9.7.5"},
    .incident = check_capture_loss,
};

constinit const Rule network_loss = {
    .id = "NET-02",
    .name = "packets-sent-again",
    .severity = Severity::note,
    .source = {"IBTA", "9.7.5"},
    .ending = check_network_loss,
};

constinit const Rule closed_with_open_calls = {
    .id = "NET-11",
    .name = "connection-lost-with-open-calls",
    .severity = Severity::note,
    .source = {"RFC 8267", "6.7.2"},
    .also = "rfc8166,version-two-02",
    .ending = check_closed_with_open_calls,
};

constinit const Rule sent_after_disconnect = {
    .id = "NET-15",
    .name = "sent-after-disconnect",
    .severity = Severity::note,
    .source = {"IBTA", "12.6"},
    .incident = check_sent_after_disconnect,
};

constinit const Rule setup_missing = {
    .id = "NET-12",
    .name = "setup-not-captured",
    .severity = Severity::note,
    .source = {"IBTA", "12.6"},
    .ending = check_setup_missing,
};

}  // namespace steertag::rules
