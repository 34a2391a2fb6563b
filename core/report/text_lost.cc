#include <algorithm>
#include <string>
#include <vector>

#include "attempt/words.h"
#include "base/counted.h"
#include "base/saturating.h"
#include "base/units.h"
#include "rdma/iwarp/terminate.h"
#include "rdma/roce/nak.h"
#include "report/text_incident.h"
#include "report/text_parts.h"
#include "report/text_stats.h"

namespace steertag::report {

using incident::Fate;
using incident::Lost;

namespace {

std::string complaint(const Fate& fate, const TextStyle& style) {
  const rdma::Fault& fault = *fate.complaint;
  const std::string frame = frame_text(fault.at, style);
  const std::string who = fate.complains.text();
  switch (fault.kind) {
    case rdma::Fault::Kind::terminate: {
      const std::string_view name = rdma::iwarp::terminate_name(fault.layer, fault.etype, fault.code);
      const std::string peer = (fate.complains == fate.server ? fate.client : fate.server).text();
      const std::string cause =
          fault.wrong_crc  ? fmt::format(", since the CRC of an FPDU of {} in frame {} is wrong", peer,
                                         frame_text(fault.wrong_crc->at, style))
          : fault.crcs_cut ? fmt::format(", and not all FPDUs of {} were captured whole to check it", peer)
                           : std::string();
      return fmt::format("{} sent a Terminate {}/{}/{:#04x}{}{} in frame {}{}", who, fault.layer, fault.etype,
                         fault.code, name.empty() ? "" : ", ", name, frame, cause);
    }
    default:
      return fmt::format("{} sent a NAK ({}) in frame {}", who, rdma::roce::nak_name(fault.code), frame);
  }
}

std::string outage(const stats::Remark& remark, const TextStyle& style) {
  const stats::EndLoad& end = *remark.load->cut_off();
  return fmt::format("for {}, from frame {} on, {}", base::duration_text(end.outage.length_ns),
                     frame_text(end.outage.since, style), sent_in_vain(*remark.load));
}

// A FIN may have come first.
std::string reset(const Fate& fate, const std::string& it, const TextStyle& style) {
  const std::optional<base::Address>& who = fate.reset_by ? fate.reset_by : fate.ended_by;
  const std::string by = who ? who->text() : "one end";
  const std::string frame = frame_text(fate.reset_by ? fate.reset_at : fate.last, style);
  return fate.ended_by && fate.reset_by && fate.ended_by != fate.reset_by
             ? fmt::format("{} closed {} (FIN), and {} reset it (RST, frame {})", fate.ended_by->text(), it,
                           by, frame)
             : fmt::format("{} reset {} (RST, frame {})", by, it, frame);
}

// `it`: what is said to have ended.
std::string ended(const Fate& fate, const std::string& it, const TextStyle& style) {
  if (!fate.ended) {
    return it + " fell silent";
  }
  const std::string frame = frame_text(fate.last, style);
  const std::string who = fate.ended_by ? fate.ended_by->text() : "one end";
  switch (*fate.ended) {
    case rdma::EndReason::disconnect:
      return fmt::format("{} disconnected (DREQ, until frame {})", who, frame);
    case rdma::EndReason::fin:
      return fmt::format("{} closed {} (FIN, until frame {})", who, it, frame);
    case rdma::EndReason::reset:
      return reset(fate, it, style);
    case rdma::EndReason::reject:
      return fmt::format("{} rejected {}{} (frame {})", who, it,
                         fate.rejected
                             ? fmt::format(": {}", attempt::words({.kind = attempt::Reason::Kind::cm_reject,
                                                                   .code = *fate.rejected}))
                             : "",
                         frame);
    case rdma::EndReason::replaced:
      return it + " was set up anew, and no frame shows its end";
    default:
      return fmt::format("{} ended {} in frame {}", who, it, frame);
  }
}

// Why, as far as the capture shows it.
std::string cause(const Lost& lost, const TextStyle& style) {
  const Fate& fate = lost.fates[lost.told];
  const std::string it = lost.connections > 1 ? fmt::format("#{}", fate.number) : "it";
  std::string text;
  if (lost.cause) {
    text = fmt::format("{} broke {} {} in frame {} ({}: {})",
                       lost.cause->by.kind == base::Address::Kind::none ? "somebody" : lost.cause->by.text(),
                       lost.cause->source.document, lost.cause->source.section,
                       frame_text(lost.cause->frames.front(), style), lost.cause->rule->id, lost.cause->text);
    return fate.complaint ? fmt::format("{}, and {}", text, complaint(fate, style)) : text;
  }
  if (lost.not_ready != 0) {
    return fmt::format("{}, after {} of {}, which had no receive buffer", ended(fate, it, style),
                       base::counted(lost.not_ready, "RNR NAK"), lost.not_ready_of.text());
  }
  if (lost.gave_up) {
    return fmt::format("{}, after {} had acknowledged a Call and not answered it", ended(fate, it, style),
                       fate.server.text());
  }
  return fate.complaint ? complaint(fate, style)
         : lost.outage  ? outage(*lost.outage, style)
                        : ended(fate, it, style);
}

// What of its packets explains it, perhaps.
std::string packets(const Lost& lost, const TextStyle& style) {
  const Fate& first = lost.fates.front();
  std::string text;
  if (first.damaged) {
    text = fmt::format("; the packet that {} sent in frame {} was never accepted, and its ICRC is wrong",
                       first.damaged_of.text(), frame_text(first.damaged->at, style));
  }
  if (lost.icmp) {
    text += fmt::format("; possible cause: {}, by {}, quotes its packet, frame {}",
                        attempt::words(attempt::reason_of(lost.icmp->latest)), lost.icmp->latest.by.text(),
                        frame_text(lost.icmp->at, style));
  }
  return text;
}

std::string after(const Lost& lost, const incident::Incident& incident, const TextStyle& style) {
  uint64_t tries = 0;
  for (const attempt::Attempt& attempt : lost.attempts) {
    tries += attempt.tries;
  }
  std::string text = tries == 0 ? ""
                                : fmt::format("; {} to connect again {} in vain",
                                              base::counted(tries, "attempt"), tries == 1 ? "was" : "were");
  if (lost.next == 0) {
    const bool tcp =
        std::any_of(lost.attempts.begin(), lost.attempts.end(),
                    [](const attempt::Attempt& attempt) { return attempt.then == attempt::Then::tcp; });
    return text +
           (tcp ? "; the client went on with NFS over TCP" : "; no connection came up again in this capture");
  }
  const std::string gone = base::duration_text(base::saturating_subtract(lost.up_ns, incident.begin_ns));
  const bool said = lost.rpcs != 0 && gone == base::duration_text(lost.longest.longest_ns);
  text += fmt::format("; {} connection #{} came up", said ? "then" : gone + " after it began,", lost.next);
  text += lost.asked_since
              ? fmt::format(", for which {} had asked {} times from frame {} on", lost.asked_by.text(),
                            lost.asked, frame_text(*lost.asked_since, style))
              : "";
  text += lost.gone == 0 ? ""
                         : fmt::format("; for {} none came up again in this capture",
                                       base::counted(lost.gone, "other client"));
  for (const std::optional<incident::Refused>& refused : {lost.unknown, lost.grace}) {
    text += refused
                ? fmt::format("; then {} {}", refused->longest.server.text(), refused_text(*refused, style))
                : "";
  }
  return text;
}

// "; 3 Calls waited for their Replies, the longest, NFSv3 LOOKUP, for 62.6 s".
std::string hit(const Lost& lost, uint64_t rpcs) {
  const std::string longest = base::duration_text(lost.longest.longest_ns);
  return rpcs == 0   ? ""
         : rpcs == 1 ? fmt::format("; 1 Call, {}, waited {} for its Reply", lost.longest.operation, longest)
                     : fmt::format("; {} Calls waited for their Replies, the longest, {}, for {}", rpcs,
                                   lost.longest.operation, longest);
}

// "10.0.0.1", "3 clients".
std::string clients_of(const Lost& lost) {
  std::vector<base::Address> clients;
  for (const Fate& fate : lost.fates) {
    if (std::find(clients.begin(), clients.end(), fate.client) == clients.end()) {
      clients.push_back(fate.client);
    }
  }
  return clients.size() == 1 ? clients.front().text() : base::counted(clients.size(), "client");
}

}  // namespace

std::string told(const Lost& lost, const incident::Incident& incident, const TextStyle& style) {
  const Fate& first = lost.fates.front();
  const bool several = lost.connections > 1;
  return fmt::format("{} between {} and {} {} lost: {}{}{}{}",
                     several ? fmt::format("{} connections (#{} and others)", lost.connections, first.number)
                             : fmt::format("Connection #{}", first.number),
                     clients_of(lost), first.server.text(), several ? "were" : "was", cause(lost, style),
                     packets(lost, style), hit(lost, lost.rpcs), after(lost, incident, style));
}

}  // namespace steertag::report
