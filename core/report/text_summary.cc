#include "report/text_summary.h"

#include <algorithm>
#include <set>
#include <string>
#include <variant>

#include "base/counted.h"
#include "base/saturating.h"
#include "base/units.h"
#include "report/incident.h"
#include "report/names.h"
#include "report/table.h"
#include "report/text_parts.h"
#include "report/text_stats.h"
#include "stats/operation.h"

namespace steertag::report {
namespace {

using incident::Incident;

constexpr size_t kLinesOfOne = 5;   // of one incident, its heading apart, where there is no room for more
constexpr size_t kLinesBehind = 4;  // those that are kept for what follows the incidents

std::string joined(const std::set<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : std::string(between)) + word;
  }
  return text;
}

// "NFSv3 over RoCEv2 between 2 clients and 1 server: 1234 RPCs on 2 connections, 12.3 s from 2026-11-23
// 15:04:05 UTC".
std::string subject(const OneScreen& screen) {
  std::set<std::string> protocols, transports, clients, servers;
  int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
  for (const stats::Topic* topic : screen.counted.topics.in_order()) {
    if (const std::string protocol = stats::protocol(topic->operation); !protocol.empty()) {
      protocols.insert(protocol);
    }
  }
  for (const stats::Load* load : screen.counted.loads.in_order()) {
    transports.insert(std::string(title(load->transport)));
    clients.insert(load->client.address.text());
    servers.insert(load->server.address.text());
    begin_ns = std::min(begin_ns, load->first.time_ns);
    end_ns = std::max(end_ns, load->last.time_ns);
  }
  for (const Incident& incident : screen.incidents) {
    if (const auto* const hang =
            std::get_if<incident::Hang>(&incident.what)) {  // so long its Calls have waited
      end_ns = std::max(end_ns, hang->fate.until_ns);
    }
  }
  if (transports.empty()) {
    return "No RPC-over-RDMA messages";
  }
  const auto hosts = [](const std::set<std::string>& of, std::string_view role) {
    return of.size() == 1 ? fmt::format("the {} {}", role, *of.begin()) : base::counted(of.size(), role);
  };
  return fmt::format("{} over {} between {} and {}: {} on {}, {} from {} UTC on",
                     protocols.empty() ? "RPC" : joined(protocols, ", "), joined(transports, ", "),
                     hosts(clients, "client"), hosts(servers, "server"),
                     base::counted(screen.counters.exchanges, "RPC"),
                     base::counted(screen.counters.connections, "connection"),
                     base::duration_text(base::saturating_subtract(end_ns, begin_ns)),
                     base::date_text(begin_ns).substr(0, 19));
}

// In a word.
std::string_view verdict(const OneScreen& screen) {
  if (screen.incidents.empty()) {
    return "nothing happened";
  }
  switch (screen.incidents.front().kind) {
    case incident::Kind::not_connected:
      return screen.incidents.front().end_ns ? "late to connect" : "not connected";
    case incident::Kind::connection_lost:
      return "connection lost";
    case incident::Kind::hang:
      return "hangs";
    case incident::Kind::loss:
      return "packets lost";
    case incident::Kind::congestion:
      return "congested";
    case incident::Kind::receiver_not_ready:
      return "receiver not ready";
    case incident::Kind::credits:
      return "short of credits";
    case incident::Kind::transport_error:
    case incident::Kind::nfs_error:
      return "operations fail";
    case incident::Kind::session:
      return "session in trouble";
    case incident::Kind::violation:
      return "requirements broken";
    default:
      return "slow";
  }
}

std::string command_for(const Incident& incident) {
  switch (incident.kind) {
    case incident::Kind::not_connected:
      return "connections -v";
    case incident::Kind::connection_lost: {
      const auto* const lost = std::get_if<incident::Lost>(&incident.what);
      return lost != nullptr && lost->outage ? "losses" : "connections -v";
    }
    case incident::Kind::violation:
      return fmt::format("audit -v --select {}", incident.rules.front());
    case incident::Kind::hang:
    case incident::Kind::session:
    case incident::Kind::transport_error:
    case incident::Kind::nfs_error:
      return incident.connections.empty() ? "flows"
                                          : fmt::format("flows --conn {}", incident.connections.front());
    case incident::Kind::loss:
    case incident::Kind::receiver_not_ready:
      return "losses";
    case incident::Kind::congestion:
      return "stats --interval 1";
    default:
      return "flows --slowest 10 --phases";
  }
}

std::string next_command(const OneScreen& screen, const TextStyle& style) {
  return fmt::format("steertag {} {}",
                     screen.incidents.empty() ? "stats" : command_for(screen.incidents.front()),
                     style.files.names.size() == 1 ? style.files.text(0) : "FILE...");
}

// Wrapped text, of which so many lines are shown.
std::string lines(std::string_view first, const std::string& text, size_t most) {
  Buffer wrapped;
  put_wrapped(wrapped, first, text, kSummaryWidth);
  std::string all(view(wrapped));
  size_t end = 0;
  for (size_t line = 0; line < most && end != std::string::npos; ++line) {
    end = all.find('\n', end == 0 ? 0 : end + 1);
  }
  if (end == std::string::npos || end + 1 >= all.size()) {
    return all;
  }
  all.resize(end);
  constexpr std::string_view kMore = " ...";
  const size_t begin = all.rfind('\n') + 1;
  size_t last = all.size();
  while (last > begin && last - begin + kMore.size() > kSummaryWidth) {
    const size_t space = all.rfind(' ', last - 1);
    last = space == std::string::npos ? begin : std::max(begin, space);
  }
  all.resize(last);
  return all + std::string(kMore) + "\n";
}

size_t count_lines(std::string_view text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

void text_summary(Buffer& out, const OneScreen& screen, const TextStyle& style) {
  std::string head = lines("", subject(screen), 4);
  put(out, head);
  put(out, "Verdict: ");
  const Palette& palette = style.palette;
  const bool grave = !screen.incidents.empty() && screen.incidents.front().weight != incident::Weight::slow;
  paint(out, palette,
        screen.incidents.empty() ? palette.good
        : grave                  ? palette.bad
                                 : palette.warn,
        verdict(screen));
  if (!screen.incidents.empty()) {
    print(out, " ({})", base::counted(screen.incidents.size(), "incident"));
  }
  put(out, "\n");
  size_t left = kSummaryLines - kLinesBehind - count_lines(head) - 1;
  size_t told = 0;
  for (const Incident& incident : screen.incidents) {
    const std::string first = fmt::format("{}. ", told + 1);
    const std::string top = lines(first, heading(incident, style), 2);
    const size_t fair = left / (screen.incidents.size() - told);
    const size_t most = std::max(kLinesOfOne, fair - std::min(fair, count_lines(top)));
    const std::string text = lines(std::string(first.size(), ' '), sentence(incident, style) + ".", most);
    if (count_lines(top) + count_lines(text) > left) {
      break;
    }
    left -= count_lines(top) + count_lines(text);
    ++told;
    paint(out, palette, palette.title, top);
    put(out, text);
  }
  if (told < screen.incidents.size()) {
    print(out, "And {} more; --format jsonl has all.\n", screen.incidents.size() - told);
  }
  put(out,
      lines("",
            fmt::format("{}, {}, {}; steertag audit lists them.", base::counted(screen.found.error, "error"),
                        base::counted(screen.found.warning, "warning"),
                        base::counted(screen.found.note, "note")),
            1));
  put(out, lines("", "Next: " + next_command(screen, style), 2));
}

}  // namespace steertag::report
