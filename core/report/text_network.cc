#include "attempt/words.h"
#include "base/counted.h"
#include "base/units.h"
#include "report/text_parts.h"
#include "report/text_stats.h"
#include "stats/operation.h"

namespace steertag::report {
namespace {

using stats::Load;
using stats::Remark;
using stats::Standout;

std::string not_ready(const Remark& remark, const TextStyle& style) {
  const Load& load = *remark.load;
  std::string text;
  const auto add = [&](const stats::EndLoad& end, std::string_view role) {
    const uint64_t times = end.rnr_naks + end.zero_windows;
    if (times != 0 && (!load.both_not_ready() || &end == remark.end)) {
      text += fmt::format("{}{} {} had no {} {}", text.empty() ? "The " : ", the ", role, end.address.text(),
                          end.rnr_naks != 0 ? "receive buffer ready" : "room for more bytes",
                          base::counted(times, "time"));
    }
  };
  add(load.client, load.roles_known ? "client" : "end");
  add(load.server, load.roles_known ? "server" : "end");
  const bool tcp = load.transport == rdma::Transport::iwarp;
  text += fmt::format(" ({}, connection #{})", tcp ? "TCP windows of zero" : "RNR NAKs", load.number);
  if (remark.rpcs != 0) {
    text += fmt::format("; {} waited {} for that", base::counted(remark.rpcs, "RPC"),
                        base::duration_text(static_cast<int64_t>(remark.time_ns)));
  }
  if (remark.evidence.any()) {
    const std::string frame = frame_text(remark.evidence.at, style);
    text += remark.evidence.weight <= 0 ? fmt::format("; the first in frame {}", frame)
                                        : fmt::format("; the RPC in frame {} met most of it", frame);
  }
  return text;
}

// "; 12 RPCs met that, the longest: NFSv3 READ in frame 7 (8.06 ms; half of all take at most 2.00 ms), NFSv3
// READ in frame 9 (8.00 ms)".
std::string met_by(const Remark& remark, const TextStyle& style) {
  std::string text;
  const stats::Topic* explained = nullptr;
  for (const stats::Remark::Dear& dear : remark.dearest) {
    const stats::Topic* const topic = dear.topic;
    const bool known = topic != nullptr && topic->operation.known();
    text += fmt::format("{}{} in frame {} ({}", text.empty() ? ", the longest: " : ", ",
                        known ? stats::name(topic->operation) : "one", frame_text(dear.evidence.at, style),
                        base::duration_text(dear.evidence.weight));
    if (topic != nullptr && topic != explained && topic->undisturbed.count() != 0) {
      text += fmt::format("; half of all take at most {}",
                          base::duration_text(topic->undisturbed.percentile(0.5)));
      explained = topic;
    }
    text += ')';
  }
  return fmt::format("; {} met that{}", base::counted(remark.rpcs, "RPC"), text);
}

std::string congestion(const Remark& remark, const TextStyle& style) {
  const Load& load = *remark.load;
  const uint64_t marks = load.client.ecn_ce + load.server.ecn_ce + load.client.cnps + load.server.cnps;
  if (marks == 0) {
    return fmt::format("The network is congested: {} stopped some link while connection #{} was open{}",
                       base::counted(load.pauses, "pause frame"), load.number,
                       remark.rpcs == 0 ? "" : met_by(remark, style));
  }
  const std::string pauses = load.pauses == 0 ? ""
                                              : fmt::format(", while {} stopped some link",
                                                            base::counted(load.pauses, "pause frame"));
  return fmt::format(
      "The network is congested: on connection #{} it marked {} (ECN), and {} asked to slow down{}; the "
      "first in frame {}{}",
      load.number, base::counted(load.client.ecn_ce + load.server.ecn_ce, "packet"),
      base::counted(load.client.cnps + load.server.cnps, "CNP"), pauses,
      frame_text(remark.evidence.at, style), remark.rpcs == 0 ? "" : met_by(remark, style));
}

// What the network did to a connection.
std::string passage(const Remark& remark, const TextStyle& style) {
  const Load& load = *remark.load;
  const std::string frame = frame_text(remark.evidence.at, style);
  const std::string client = load.client.address.text(), server = load.server.address.text();
  switch (remark.kind) {
    case Standout::outage: {
      const stats::EndLoad& end = *load.cut_off();
      return fmt::format("For {}, from frame {} on, nothing got through on connection #{}: {}",
                         base::duration_text(end.outage.length_ns), frame, load.number, sent_in_vain(load));
    }
    case Standout::reconnect:
      return fmt::format(
          "{} connected to {} again (#{} after #{}), and sent {} again there, up to {} after it was sent "
          "first: the "
          "one in frame {}",
          client, server, load.number, load.taken_from, base::counted(load.taken_over, "Call"),
          base::duration_text(remark.evidence.weight), frame);
    case Standout::reordering:
      return fmt::format(
          "The network changed the order of packets on connection #{}: {} of {} and {} of {} came "
          "behind others, the first in frame {}",
          load.number, load.client.passage.reordered, client, load.server.passage.reordered, server, frame);
    default:
      return lower_bounds_text({.connections = remark.alike + uint64_t{1},
                                .connection = load.number,
                                .client = load.client.address,
                                .packets = load.client.passage.unseen,
                                .first = remark.evidence.at},
                               style);
  }
}

}  // namespace

std::string icmp_text(const track::IcmpErrors& errors, const TextStyle& style) {
  return fmt::format("{}, {}{}, by {}, in frame {}", errors.count,
                     errors.count == 1 ? "" : "the last: ", attempt::words(attempt::reason_of(errors.latest)),
                     errors.latest.by.text(), frame_text(errors.at, style));
}

std::string retries_text(const track::Retries& retries) {
  constexpr uint8_t kForEver = 7;  // IBTA vol. 1, §9.7.5.2.8
  std::string rnr = fmt::format("after RNR NAKs {}",
                                retries.rnr == kForEver ? "for ever" : base::counted(retries.rnr, "time"));
  if (!retries.count) {
    return rnr;
  }
  const uint8_t exponent = retries.ack_timeout.value_or(0);
  const std::string after = exponent == 0 ? "without an ACK timeout"
                                          : "each after " + base::duration_text(int64_t{4096} << exponent);
  return fmt::format("up to {}, {}; {}", base::counted(*retries.count, "time"), after, rnr);
}

std::string sent_in_vain(const Load& load) {
  const stats::EndLoad& end = *load.cut_off();
  const stats::EndLoad& peer = &end == &load.server ? load.client : load.server;
  return fmt::format("{} sent the same {} times again, and {} did not acknowledge it", end.address.text(),
                     end.outage.repeated, peer.address.text());
}

std::string network_sentence(const Remark& remark, const TextStyle& style) {
  switch (remark.kind) {
    case Standout::not_ready:
      return not_ready(remark, style);
    case Standout::congestion:
      return congestion(remark, style);
    default:
      return passage(remark, style);
  }
}

}  // namespace steertag::report
