#include <algorithm>
#include <string>

#include "base/counted.h"
#include "base/units.h"
#include "report/incident.h"
#include "report/table.h"
#include "report/text_parts.h"
#include "report/text_stats.h"
#include "stats/operation.h"

namespace steertag::report {
namespace {

using stats::Load;
using stats::Remark;
using stats::Standout;

// "NFSv3 READ time", "RPC time" where the operation is not known.
std::string of_op(const Remark& remark, std::string_view what) {
  const stats::Operation& operation = remark.topic->operation;
  return operation.known() ? fmt::format("{} {}", stats::name(operation), what) : std::string(what);
}
std::string time_of_op(const Remark& remark) {
  return remark.topic->operation.known() ? of_op(remark, "time") : "RPC time";
}

// "NFSv3 READ time at 10.9.0.1".
std::string time_at(const Remark& remark) {
  return fmt::format("{} at {}", time_of_op(remark), remark.topic->server.text());
}

// "2 of 3 NFSv3 READ RPCs at 10.9.0.1".
std::string rpcs_at(const Remark& remark) {
  return fmt::format("{} of {} {} at {}", remark.rpcs, remark.of,
                     of_op(remark, remark.of == 1 ? "RPC" : "RPCs"), remark.topic->server.text());
}

// What one RPC spent on it.
std::string each(const Remark& remark) {
  return base::duration_text(static_cast<int64_t>(remark.time_ns / std::max<uint64_t>(remark.rpcs, 1)));
}

// What was lost may have cost more than the capture shows.
std::string meanwhile(const Remark& remark) {
  const uint32_t disturbed = remark.evidence.disturbed;
  return disturbed == 0 ? ""
                        : fmt::format(", while {} {} sent again or refused on its connection",
                                      base::counted(disturbed, "packet"), disturbed == 1 ? "was" : "were");
}

std::string longest(const Remark& remark, const TextStyle& style) {
  return fmt::format("; the longest, {}, is the RPC in frame {}", base::duration_text(remark.evidence.weight),
                     frame_text(remark.evidence.at, style));
}

std::string alike(const Remark& remark) {
  return remark.alike == 0
             ? ""
             : fmt::format("; the same is true of {}", base::counted(remark.alike, "other operation"));
}

std::string grant(const Load& load, const TextStyle& style) {
  const track::Credits& credits = load.credits;
  std::string text = !credits.granted_max ? "an unknown number granted"
                     : *credits.granted_min == *credits.granted_max
                         ? fmt::format("{} granted", *credits.granted_max)
                         : fmt::format("{} to {} granted", *credits.granted_min, *credits.granted_max);
  if (load.requested_max > credits.granted_max.value_or(load.requested_max)) {
    text += fmt::format(", {} wanted", load.requested_max);
  }
  if (load.reduced) {
    text += fmt::format(", reduced from {} to {} in frame {} and never raised again", load.reduced->before,
                        load.reduced->now, frame_text(load.reduced->at, style));
  }
  if (credits.at_limit_ns.value_or(0) > 0) {
    text += fmt::format(", all in use for {} on connection #{}", base::duration_text(*credits.at_limit_ns),
                        load.number);
  }
  return text;
}

std::string credits(const Remark& remark, const TextStyle& style) {
  if (remark.topic == nullptr) {
    return fmt::format("{} grants fewer credits than {} could use: {}; that connection begins in frame {}",
                       remark.load->server.address.text(), remark.load->client.address.text(),
                       grant(*remark.load, style), frame_text(remark.load->first, style));
  }
  return fmt::format(
      "At least {} of {} is the wait for credits{}; the longest, {}, ends with the Call in frame {}",
      base::percent_text(remark.share), time_at(remark),
      remark.load == nullptr ? "" : ": " + grant(*remark.load, style),
      base::duration_text(remark.evidence.weight), frame_text(remark.evidence.at, style));
}

std::string percentile_text(double fraction) {
  return fmt::format("p{:g}", 100 * fraction);
}

// ", then 2.36 ms in frame 195 and 1.20 ms in frame 300": behind the longest.
std::string further(const Remark& remark, const TextStyle& style) {
  std::string text;
  for (size_t i = 1; i < remark.dearest.size(); ++i) {
    const stats::Evidence& one = remark.dearest[i].evidence;
    text += fmt::format("{} {} in frame {}", i == 1 ? ", then" : " and", base::duration_text(one.weight),
                        frame_text(one.at, style));
  }
  return text;
}

// Where the ends mark their packets otherwise: which of them had to send again.
std::string marking(const Remark& remark) {
  if (remark.load == nullptr) {
    return {};
  }
  const stats::EndLoad &client = remark.load->client, &server = remark.load->server;
  const uint64_t all = client.retransmitted + server.retransmitted;
  if (client.dscps == server.dscps || client.dscps == stats::kNoDscps || server.dscps == stats::kNoDscps ||
      all == 0) {
    return {};
  }
  const auto text = [](const stats::Dscps& dscps) {
    const auto known = std::find(dscps.begin(), dscps.end(), stats::kNoDscps.front());
    return fmt::format("{}", fmt::join(dscps.begin(), known, ", "));
  };
  const bool of_client = client.retransmitted > server.retransmitted;
  const stats::EndLoad &most = of_client ? client : server, &other = of_client ? server : client;
  return fmt::format("; {} of {} packets sent again are of {}, which marks DSCP {}; {} marks DSCP {}",
                     most.retransmitted, all, most.address.text(), text(most.dscps), other.address.text(),
                     text(other.dscps));
}

std::string loss(const Remark& remark, const TextStyle& style) {
  const std::string how_much =
      fmt::format("{} of {} RPCs waited {} for packets sent again", remark.rpcs, remark.of,
                  base::duration_text(static_cast<int64_t>(remark.time_ns)));
  const std::string tail = longest(remark, style) + further(remark, style) + marking(remark);
  if (!remark.percentile) {
    return fmt::format("{} of {} is loss: {}{}", base::percent_text(remark.share), time_at(remark), how_much,
                       tail);
  }
  const bool all = *remark.percentile == 1;
  const std::string which =
      all ? "longest " + time_at(remark) : percentile_text(*remark.percentile) + " of " + time_at(remark);
  if (remark.without_ns == 0) {
    return fmt::format("Loss decides {}{}: {}{}", all ? "the " : "", which, how_much, tail);
  }
  return fmt::format("{}{} is {}, and {} among RPCs that met no loss: {}{}", all ? "The " : "", which,
                     base::duration_text(remark.with_ns), base::duration_text(remark.without_ns), how_much,
                     tail);
}

// Before what most of a server's own time went by.
std::string server_phase(const stats::Topic& topic) {
  const auto sum = [&](flow::Phase phase) { return topic.phases_ns[static_cast<size_t>(phase)]; };
  const uint64_t start = sum(flow::Phase::start), serve = sum(flow::Phase::serve),
                 finish = sum(flow::Phase::finish);
  return start >= serve && start >= finish ? "before its first RDMA Read"
         : serve >= finish                 ? "before its first RDMA Write, or the Reply"
                                           : "between its last RDMA Write and the Reply";
}

// "21.0 ms an RPC"; "p99 is 2.00 s, half of 101 take at most 230 us".
std::string how_slow(const Remark& remark) {
  if (!remark.percentile) {
    return each(remark) + " an RPC";
  }
  const std::string half =
      fmt::format("half of {} RPCs take at most {}", remark.of, base::duration_text(remark.without_ns));
  return *remark.percentile == 1 ? half
                                 : fmt::format("{} is {}, {}", percentile_text(*remark.percentile),
                                               base::duration_text(remark.with_ns), half);
}

// With many Calls at a time, the time of each says little of what the server has to do for it.
std::string slow_or_busy(const Remark& remark) {
  const uint32_t most =
      remark.load == nullptr || remark.topic->callback ? 0 : remark.load->credits.in_flight_max;
  const auto typical = static_cast<int64_t>(remark.time_ns / std::max<uint64_t>(remark.rpcs, 1));
  return remark.percentile          ? "slow at times"
         : most < stats::kManyCalls ? "slow"
         : typical / int64_t{most} < stats::kSlowServerNs
             ? fmt::format("busy, with up to {} Calls at a time", most)
             : fmt::format("slow, with up to {} Calls at a time", most);
}

// Which way RDMA moved data for most of the time: RDMA Reads from the Requester, RDMA Writes to it.
std::string_view data_way(const stats::Topic& topic) {
  constexpr uint64_t kBothWays = 4;  // the lesser part is so much of the whole, or more
  const uint64_t read = topic.phases_ns[static_cast<size_t>(flow::Phase::read)],
                 write = topic.phases_ns[static_cast<size_t>(flow::Phase::write)];
  if (std::min(read, write) >= (read + write) / kBothWays) {
    return "in both directions";
  }
  return (read > write) != topic.callback ? "from the client to the server" : "from the server to the client";
}

// What each operation takes is not a matter of files.
std::string offset(const Remark& remark, const TextStyle& style) {
  const std::string name = stats::name(remark.topic->operation);
  const auto& way = remark.load == nullptr ? std::nullopt : remark.load->server.rtt_ns;
  return fmt::format(
      "Every operation at {} takes {} or more, even {}: that is {} the file system, but something that each "
      "RPC "
      "passes{}; it is true of {} of {}, such as the {} in frame {}",
      remark.topic->server.text(), base::duration_text(remark.without_ns), name,
      remark.share == 1 ? "not" : "hardly",
      way ? fmt::format(" (the round trip to the server is {})", base::duration_text(*way)) : "",
      base::counted(remark.rpcs, "RPC"), base::counted(remark.of, "operation"), name,
      frame_text(remark.evidence.at, style));
}

std::string time_of(const Remark& remark, const TextStyle& style) {
  const std::string share = base::percent_text(remark.share), each_rpc = each(remark);
  const std::string tail = longest(remark, style) + meanwhile(remark) + alike(remark);
  const bool callback = remark.topic->callback;
  const std::string_view responder = callback ? "client" : "server",
                         requester = callback ? "server" : "client";
  const auto end_of = [&](bool client) -> const stats::EndLoad& {
    return client ? remark.load->client : remark.load->server;
  };
  switch (remark.kind) {
    case Standout::server:
      return fmt::format("The {} {} is {}: {} of {} is its own, {}, most of it {}{}", responder,
                         remark.topic->server.text(), slow_or_busy(remark), share, time_of_op(remark),
                         how_slow(remark), server_phase(*remark.topic), tail);
    case Standout::offset:
      return offset(remark, style);
    case Standout::client:
      return fmt::format("The {}{} is slow: {} of {} is spent on waiting for it, {} an RPC{}", requester,
                         remark.load == nullptr ? "" : " " + end_of(!callback).address.text(), share,
                         time_at(remark), each_rpc, tail);
    case Standout::distance:
      return fmt::format("The way to the {} {} is long: a round trip is {} of the {} an {} takes{}",
                         responder, remark.topic->server.text(),
                         base::duration_text(end_of(callback).rtt_ns.value_or(0)), each_rpc,
                         of_op(remark, "RPC"), tail);
    default:
      return fmt::format("{} of {} is the moving of its data {}, {} an RPC{}", share, time_at(remark),
                         data_way(*remark.topic), each_rpc, tail);
  }
}

std::string outlier(const Remark& remark, const TextStyle& style) {
  return fmt::format(
      "The longest {} at {} took {}, half of {} at most {}: the {} was slow, or the Reply was lost before "
      "the "
      "tap, as other packets of the connection were sent again; it is the RPC in frame {}{}",
      of_op(remark, "RPC"), remark.topic->server.text(), base::duration_text(remark.evidence.weight),
      remark.of, base::duration_text(remark.without_ns), remark.topic->callback ? "client" : "server",
      frame_text(remark.evidence.at, style), alike(remark));
}

std::string ends(const Remark& remark, const TextStyle& style) {
  const std::string frame = frame_text(remark.evidence.at, style);
  switch (remark.kind) {
    case Standout::unanswered:
      return fmt::format("{} had no Reply; the longest waited {}, its Call is in frame {}{}", rpcs_at(remark),
                         base::duration_text(remark.evidence.weight), frame, alike(remark));
    case Standout::retries:
      return fmt::format(
          "{} {} at {} {} {}sent again; the longest took {} in all, its last Call is in frame {}{}",
          remark.rpcs, of_op(remark, remark.rpcs == 1 ? "Call" : "Calls"), remark.topic->server.text(),
          remark.rpcs == 1 ? "was" : "were", remark.ignored ? "not answered, and " : "",
          base::duration_text(remark.evidence.weight), frame, alike(remark));
    default:
      return fmt::format("{} failed, most with {}, the first in frame {}{}", rpcs_at(remark),
                         remark.failure.empty() ? "several errors" : remark.failure, frame, alike(remark));
  }
}

// "; it came 3 times between 15:04:05.000 and 16:04:07.123", with times of quiet between.
std::string times(const Remark& remark) {
  if (remark.when.count() < 2) {
    return {};
  }
  const auto clock = [](int64_t ns) { return base::date_text(ns).substr(11, 12); };
  const stats::Span whole = remark.when.whole();
  return fmt::format("; it came {} times between {} and {}", remark.when.count(), clock(whole.begin_ns),
                     clock(whole.end_ns));
}

std::string of_kind(const Remark& remark, const TextStyle& style) {
  switch (remark.kind) {
    case Standout::credits:
      return credits(remark, style) + alike(remark);
    case Standout::loss:
      return loss(remark, style) + alike(remark);
    case Standout::server:
    case Standout::offset:
    case Standout::client:
    case Standout::data:
    case Standout::distance:
      return time_of(remark, style);
    case Standout::outlier:
      return outlier(remark, style);
    case Standout::unanswered:
    case Standout::retries:
    case Standout::failures:
      return ends(remark, style);
    case Standout::not_ready:
    case Standout::congestion:
    case Standout::outage:
    case Standout::reconnect:
    case Standout::reordering:
    case Standout::at_least:
      return network_sentence(remark, style);
    case Standout::untimed:
      return fmt::format(
          "The time of {} of {} RPCs is not known: the capture misses frames of them, or begins or ends in "
          "their middle, or shows one direction; they are counted, but are not in the times",
          remark.rpcs, remark.of);
  }
  return {};
}

}  // namespace

std::string sentence(const Remark& remark, const TextStyle& style) {
  return remark.once ? sentence_once(remark, style) : of_kind(remark, style) + times(remark);
}

void text_remarks(Buffer& out, const stats::Counted& counted, const TextStyle& style,
                  std::span<const incident::Incident> happened) {
  for (const incident::Incident& one : happened.subspan(0, std::min(happened.size(), kMostIncidents))) {
    put_wrapped(out, "! ", sentence(one, style) + ".", line_width(style));
  }
  if (happened.size() > kMostIncidents) {
    put_wrapped(out, "! ",
                fmt::format("And {}; steertag summary lists them.",
                            base::counted(happened.size() - kMostIncidents, "other incident")),
                line_width(style));
  }
  const std::vector<Remark> remarks = stats::judge(counted);
  const auto line = [&](const std::string& text) { put_wrapped(out, "* ", text + ".", line_width(style)); };
  const auto caveats = std::find_if(remarks.begin(), remarks.end(), stats::caveat);
  const auto others = static_cast<size_t>(caveats - remarks.begin());
  for (size_t i = 0; i < std::min(others, kMostRemarks); ++i) {
    line(sentence(remarks[i], style));
  }
  if (others > kMostRemarks) {
    line(fmt::format("And {} of less weight", base::counted(others - kMostRemarks, "thing")));
  }
  std::for_each(caveats, remarks.end(), [&](const Remark& remark) { line(sentence(remark, style)); });
  if (!remarks.empty()) {
    return;
  }
  const stats::Durations& delivered = counted.all.delivered;
  const std::string_view nothing = happened.empty() ? "Nothing stands out" : "Nothing else stands out";
  if (delivered.count() == 0) {
    return line(fmt::format("{}, but no RPC's time is known", nothing));
  }
  const stats::Totals::Longest longest = counted.all.longest_part();
  line(fmt::format(
      "{}: an RPC takes {} on average, most of it ({}) in the phase {}, and the longest {}, in frame {}",
      nothing, base::duration_text(delivered.mean()),
      base::percent_text(static_cast<double>(longest.ns) /
                         static_cast<double>(std::max<uint64_t>(delivered.sum_ns(), 1))),
      longest.name, base::duration_text(delivered.greatest()), frame_text(delivered.longest(), style)));
}

}  // namespace steertag::report
