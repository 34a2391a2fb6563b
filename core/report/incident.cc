#include "report/incident.h"

#include <algorithm>
#include <variant>

#include "attempt/words.h"
#include "base/counted.h"
#include "base/saturating.h"
#include "base/units.h"
#include "nfs/sequence_flags.h"
#include "report/names.h"
#include "report/record/incident.h"
#include "report/record/json_teller.h"
#include "report/table.h"
#include "report/text_incident.h"
#include "report/text_parts.h"
#include "report/text_stats.h"
#include "stats/operation.h"

namespace steertag::report {
namespace {

using incident::Fate;
using incident::Hang;
using incident::Refused;
using incident::Repetition;
using incident::Violation;

std::string then(const attempt::Attempt& attempt) {
  switch (attempt.then) {
    case attempt::Then::connection:
      return fmt::format("; then connection #{} came up", attempt.conn);
    case attempt::Then::tcp:
      return "; the client went on with NFS over TCP";
    case attempt::Then::none:
      break;
  }
  return "; no connection came up after it in this capture";
}

// "; 3 attempts ended otherwise: 2 unanswered, 1 refused (RST)"; "; 1 more attempt: 1 refused at port 2050
// (RST)".
std::string otherwise(const incident::Unconnected& what) {
  const auto port = [](const attempt::Attempt& one) { return attempt::server_of(one).port.value_or(0); };
  uint64_t tries = 0;
  std::string text;
  bool elsewhere = false;
  for (const attempt::Attempt& one : what.others) {
    tries += one.tries;
    const bool other_port = port(one) != 0 && port(one) != port(what.told);
    elsewhere |= other_port;
    const std::string reason = attempt::words(one.like.reason);
    text += fmt::format("{}{} {}{}{}", text.empty() ? "" : ", ", one.tries, name(one.like.outcome),
                        other_port ? fmt::format(" at port {}", port(one)) : "",
                        reason.empty() ? "" : fmt::format(" ({})", reason));
  }
  return tries == 0  ? ""
         : elsewhere ? fmt::format("; {}: {}", base::counted(tries, "more attempt"), text)
                     : fmt::format("; {} ended otherwise: {}", base::counted(tries, "attempt"), text);
}

std::string told(const incident::Unconnected& what, const incident::Incident&, const TextStyle&) {
  const attempt::Attempt* last = &what.told;
  for (const attempt::Attempt& one : what.others) {
    last = one.like.last.time_ns > last->like.last.time_ns ? &one : last;
  }
  return attempt::sentence(what.told) + otherwise(what) + then(*last);
}

// "; NFSv4 OPEN of 10.0.0.1 with XID 0x00000007, in frame 12 of connection #1, waits for its answer".
std::string behind(const incident::Behind& what, const TextStyle& style) {
  const incident::Waited& waited = what.waited;
  const std::string others =
      what.rpcs == 1 ? "" : fmt::format(", like {}", base::counted(what.rpcs - 1, "other Call"));
  if (waited.rpcs == 0) {
    return fmt::format("; {} of {}, in frame {} of connection #{}, {}waited for its answer for {}{}",
                       waited.operation, what.client.text(), frame_text(waited.call, style), what.connection,
                       what.at_once ? "" : "possibly ", base::duration_text(waited.longest_ns), others);
  }
  return fmt::format("; {} of {} with XID {:#010x}, in frame {} of connection #{}, {}waits for its answer{}",
                     waited.operation, what.client.text(), waited.xid, frame_text(waited.call, style),
                     what.connection, what.at_once ? "" : "possibly ", others);
}

// Its connection may have gone since without a trace.
bool fell_silent(const Fate& fate, const incident::Waited& waited) {
  constexpr int64_t kLongNs = 10'000'000'000;
  return base::saturating_subtract(fate.last.time_ns, waited.call.time_ns) < kLongNs &&
         base::saturating_subtract(fate.until_ns, fate.last.time_ns) >= kLongNs;
}

std::string told(const Hang& hang, const incident::Incident& incident, const TextStyle& style) {
  const incident::Waited& waited = hang.waited();
  const Fate& fate = hang.fate;
  const std::string whom = fmt::format("the {} {}", hang.callback ? "client" : "server",
                                       (hang.callback ? fate.client : fate.server).text());
  const uint64_t rpcs = incident.rpcs - (incident.behind ? incident.behind->rpcs : 0);
  const bool one = rpcs == 1;
  const std::string_view them = one ? "it" : "them";
  const std::string_view obstacle = flow::words(waited.obstacle);
  const std::string how = hang.not_ready != 0 ? fmt::format("has no receive buffer for {}, and says so in {}",
                                                            them, base::counted(hang.not_ready, "RNR NAK"))
                          : waited.accepted   ? fmt::format("acknowledged {} and does not answer{}{}", them,
                                                          obstacle.empty() ? "" : ", since ", obstacle)
                                            : fmt::format("has not acknowledged {}: {} not get through", them,
                                                          one ? "it does" : "they do");
  return fmt::format(
      "{} of {} {}: {} {}, and the connection {}; the oldest, {} with XID {:#010x}, has waited {}, its "
      "Call "
      "is in frame {}",
      base::counted(rpcs, "Call"),
      hang.requesters.size() == 1 ? hang.requesters.front().text()
                                  : base::counted(hang.requesters.size(), "client"),
      one ? "hangs" : "hang", whom, how, fell_silent(fate, waited) ? "has not ended" : "is up",
      waited.operation, waited.xid, base::duration_text(waited.longest_ns), frame_text(waited.call, style));
}

std::string told(const incident::Session& session, const incident::Incident&, const TextStyle& style) {
  const Fate& fate = session.fate;
  const incident::Waited& callback = session.callback;
  std::string text =
      fmt::format("The session of {} at {} is in trouble: SEQUENCE says {} ({:#x}) from frame {} on",
                  fate.client.text(), fate.server.text(), nfs::sequence_flags_text(fate.trouble.flags),
                  fate.trouble.flags, frame_text(fate.trouble.since, style));
  if (callback.rpcs != 0) {
    text += fmt::format("; the callback {} with XID {:#010x} in frame {} was not answered",
                        callback.operation, callback.xid, frame_text(callback.call, style));
  }
  if (session.back_channel) {
    text += fmt::format("; in frame {} the server did not grant the back channel that its client asked for",
                        frame_text(session.back_channel->at, style));
  }
  return text;
}

// "; it succeeded in frame 105".
std::string outcome(const Repetition& row, bool lasts, const TextStyle& style) {
  if (!row.then) {
    return lasts ? "; this goes on when the capture ends" : "; it was not asked again in this capture";
  }
  const std::string frame = frame_text(row.then->at, style);
  return row.then->failure.empty()
             ? fmt::format("; it succeeded in frame {}", frame)
             : fmt::format("; then it failed with {} in frame {}", row.then->failure, frame);
}

// "answered NFSv4 CB_RECALL of the same file, and returned the delegation only 4.50 s later".
std::string owed(const incident::WaitedFor& waited) {
  const incident::Recall& recall = waited.recall;
  const std::string callback =
      fmt::format("{}{}", stats::name(recall.operation), waited.same_file ? " of the same file" : "");
  const auto later = [&] {
    return base::duration_text(base::saturating_subtract(recall.until_ns, recall.call.time_ns));
  };
  if (recall.answered_in_time) {
    return recall.returned
               ? fmt::format("answered {}, and returned the delegation only {} later", callback, later())
               : fmt::format("answered {}, and did not return the delegation", callback);
  }
  return recall.reply ? fmt::format("answered {} only {} later", callback, later())
                      : "did not answer " + callback;
}

// "; it waited for 10.0.0.3, which did not answer NFSv4 CB_RECALL (frame 12, connection #2)".
std::string cause(const incident::WaitedFor& waited, const TextStyle& style) {
  const incident::Recall& recall = waited.recall;
  return fmt::format("; {} waited for {}, which {} (frame {}, connection #{})",
                     waited.same_file ? "it" : "possibly it", recall.client.text(), owed(waited),
                     frame_text(recall.call, style), recall.connection);
}

std::string put_off(const Refused& refused, const incident::Incident& incident, const TextStyle& style) {
  const Repetition& row = refused.longest;
  return fmt::format(
      "{} answered {} of {} with {} {} times over {}, first in frame {}{}{}{}", row.server.text(),
      stats::name(row.operation), row.client.text(), row.statuses.front(), row.answers,
      base::duration_text(row.span_ns()), frame_text(row.first, style),
      outcome(row, !incident.end_ns.has_value(), style), refused.recall ? cause(*refused.recall, style) : "",
      refused.requests == 1
          ? ""
          : fmt::format("; and {} in the same way", base::counted(refused.requests - 1, "other request")));
}

std::string told(const Refused& refused, const incident::Incident& incident, const TextStyle& style) {
  const Repetition& row = refused.longest;
  if (row.why == incident::Refusal::later) {
    return put_off(refused, incident, style);
  }
  return fmt::format("{} {}", row.server.text(), refused_text(refused, style));
}

// "8 packets towards the server and 15 packets towards the client"; empty: none.
std::string both_ways(uint64_t to_server, uint64_t to_client) {
  const std::string server = to_server == 0 ? "" : base::counted(to_server, "packet") + " towards the server";
  const std::string client = to_client == 0 ? "" : base::counted(to_client, "packet") + " towards the client";
  return server + (server.empty() || client.empty() ? "" : " and ") + client;
}

// "; lost behind the tap: at least 8 packets towards the server".
std::string side_text(const incident::LostPackets& lost) {
  using Way = incident::LostOneWay;
  struct Side {
    std::string_view words;
    uint64_t Way::*packets;
  };
  constexpr std::array<Side, 3> kSides = {{{"behind the tap", &Way::behind_tap},
                                           {"in front of the tap", &Way::before_tap},
                                           {"on a side that the capture does not show", &Way::unknown}}};
  std::string text;
  for (const Side& side : kSides) {
    const std::string ways = both_ways(lost.to_server.*side.packets, lost.to_client.*side.packets);
    if (!ways.empty()) {
      text += fmt::format("; lost {}: at least {}", side.words, ways);
    }
  }
  return text;
}

std::string told(const stats::Remark& remark, const incident::Incident& incident, const TextStyle& style) {
  const size_t others = incident.connections.size();
  return sentence(remark, style) + side_text(incident.lost) +
         (remark.topic == nullptr && others > 1
              ? fmt::format("; the same is true of {}", base::counted(others - 1, "other connection"))
              : "");
}

std::string told(const Violation& violation, const incident::Incident&, const TextStyle& style) {
  const bool known = violation.by.kind != base::Address::Kind::none;
  return fmt::format("{}{} {} ({}), {}: {}",
                     known ? violation.by.text() + " breaks " : "Broken: ", violation.source.document,
                     violation.source.section, violation.rule->id,
                     violation.count == 1
                         ? fmt::format("in frame {}", frame_text(violation.frames.front(), style))
                         : fmt::format("{} times, first in frame {}", violation.count,
                                       frame_text(violation.frames.front(), style)),
                     violation.text);
}

}  // namespace

std::string refused_text(const Refused& refused, const TextStyle& style) {
  const Repetition& row = refused.longest;
  const std::string whom =
      refused.clients == 1 ? row.client.text() : base::counted(refused.clients, "client");
  const std::string over =
      !refused.until_ns ? "this goes on when the capture ends"
      : row.then        ? fmt::format("frame {} shows that it is over", frame_text(row.then->at, style))
                        : "nobody asked again in this capture";
  return fmt::format("{} for {}: it answered {} of {} with {}, as in frame {}; {}",
                     row.why == incident::Refusal::grace ? "was in its grace period"
                                                         : "did not know its clients or their sessions",
                     base::duration_text(base::saturating_subtract(refused.until_ns.value_or(refused.last_ns),
                                                                   refused.first_ns)),
                     base::counted(refused.answers, "request"), whom, fmt::join(refused.statuses, ", "),
                     frame_text(row.first, style), over);
}

std::string heading(const incident::Incident& incident, const TextStyle& style) {
  std::string text(name(incident.kind));
  std::replace(text.begin(), text.end(), '_', ' ');
  const std::string clock = base::date_text(incident.begin_ns).substr(11, 12);
  text += incident.end_ns ? fmt::format(", {}", clock) : fmt::format(", since {}", clock);
  if (incident.end_ns && *incident.end_ns > incident.begin_ns) {
    text += fmt::format(" for {}",
                        base::duration_text(base::saturating_subtract(*incident.end_ns, incident.begin_ns)));
  }
  if (incident.certainty == rules::Certainty::possible) {
    text += ", possibly";
  }
  const std::string frame =
      incident.frames.empty() ? std::string() : "frame " + frame_text(incident.frames.front(), style);
  if (incident.where) {
    text += fmt::format("; look at the {}{}{}", name(*incident.where), frame.empty() ? "" : ", ", frame);
  } else if (!frame.empty()) {
    text += fmt::format("; see {}", frame);
  }
  return text;
}

std::string sentence(const incident::Incident& incident, const TextStyle& style) {
  std::string text = std::visit([&](const auto& what) { return told(what, incident, style); }, incident.what);
  text += incident.behind ? behind(*incident.behind, style) : "";
  const bool address = text.find(':') < text.find(' ');  // of IPv6
  if (!text.empty() && !address && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

void json_incident(Buffer& out, const incident::Incident& incident, const TextStyle& style) {
  const std::string text = sentence(incident, style);
  record::print(out, record::Incident{incident, text}, style.files);
}

}  // namespace steertag::report
