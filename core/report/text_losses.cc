#include <absl/container/flat_hash_map.h>

#include <array>
#include <optional>
#include <string>
#include <tuple>

#include "base/counted.h"
#include "base/units.h"
#include "report/losses.h"
#include "report/table.h"
#include "report/text_parts.h"
#include "report/text_timing.h"

namespace steertag::report {
namespace {

using flow::Loss;
using Where = Loss::Where;

// The same packet of one sender, lost once or several times.
struct LostAgain {
  const loss::Entry* first = nullptr;
  uint64_t times = 0, resent = 0;
};

std::vector<LostAgain> merged(const std::vector<loss::Entry>& entries) {
  using Key = std::tuple<uint32_t, rdma::Side, Loss::What, uint32_t, std::optional<Loss::NoticedBy>,
                         Loss::Where, bool>;
  std::vector<LostAgain> rows;
  absl::flat_hash_map<Key, size_t> places;
  for (const loss::Entry& entry : entries) {
    const Loss& loss = entry.loss;
    const Key key(entry.connection, loss.from, loss.what, loss.first, loss.noticed_by, loss.where,
                  loss.packets == 0);
    const auto [place, is_new] = places.try_emplace(key, rows.size());
    if (is_new) {
      rows.push_back({&entry, 0, 0});
    }
    LostAgain& row = rows[place->second];
    ++row.times;
    row.resent += loss.resent_packets;
  }
  return rows;
}

// "PSN 1234 (3 packets)", "ACK of PSN 1234", "nothing (PSN 1234)"; "PSN 1234, 6 times".
std::string lost_text(const LostAgain& row, bool tcp) {
  const Loss& loss = row.first->loss;
  const std::string_view number = tcp ? "seq" : "PSN";
  std::string text =
      loss.what == Loss::What::setup ? fmt::format("{} ({} {})", tcp ? "SYN" : "REQ", number, loss.first)
      : loss.what == Loss::What::ack ? fmt::format("ACK of {} {}", number, loss.first)
      : loss.packets == 0            ? fmt::format("nothing ({} {})", number, loss.first)
      : loss.packets == 1
          ? fmt::format("{} {}", number, loss.first)
          : fmt::format("{} {} ({})", number, loss.first, base::counted(loss.packets, "packet"));
  return row.times == 1 ? text : text + fmt::format(", {} times", row.times);
}

std::string_view where_text(const Loss& loss) {
  static constexpr std::array<std::string_view, 5> kWhere = {"before tap", "behind tap", "refused", "?", "-"};
  return kWhere[loss.packets == 0 ? kWhere.size() - 1 : static_cast<size_t>(loss.where)];
}

std::string noticed_text(const Loss& loss, const TextStyle& style) {
  static constexpr std::array<std::string_view, 5> kBy = {"NAK", "RNR NAK", "Read again", "timeout",
                                                          "ACKs again"};
  if (!loss.noticed_by) {
    return "?";
  }
  std::string text(kBy[static_cast<size_t>(*loss.noticed_by)]);
  const bool in_vain = loss.noticed && loss.noticed_by == Loss::NoticedBy::timeout;
  if (loss.noticed && !in_vain) {
    text += " " + frame_text(*loss.noticed, style);
  }
  if (loss.timer_ns) {
    text += fmt::format(" ({})", base::duration_text(*loss.timer_ns));
  }
  if (in_vain) {
    text += fmt::format(", NAK {} in vain", frame_text(*loss.noticed, style));
  }
  return text;
}

std::string waiting_text(const loss::Entry& entry) {
  const size_t count = entry.rpcs.size();
  return count == 0   ? "-"
         : count == 1 ? fmt::format("{:#010x}", entry.rpcs.front().xid)
                      : fmt::format("{} RPCs", count);
}

std::string part(uint64_t count, std::string_view what) {
  return count == 0 ? std::string() : fmt::format(", {}", base::counted(count, what));
}

std::string sentence(const loss::Sums& sums) {
  const auto packets = [&](Where where) { return sums.packets[static_cast<size_t>(where)]; };
  const auto lost = [&](Where where) {
    const uint64_t bytes = sums.bytes[static_cast<size_t>(where)];
    return packets(where) == 0 ? std::string("0")
                               : fmt::format("{} ({} bytes)", packets(where), base::size_text(bytes));
  };
  const auto noticed = [&](Loss::NoticedBy by) { return sums.noticed[static_cast<size_t>(by)]; };
  const std::string to = sums.to.text();
  std::string text;
  if (sums.sent_again + packets(Where::after_tap) + packets(Where::before_tap) != 0) {
    text = fmt::format("; {} sent again; lost behind the tap, towards {}: {}{}; in front of it: {}",
                       base::counted(sums.sent_again, "packet"), to,
                       packets(Where::after_tap) == 0 ? "" : "at least ", lost(Where::after_tap),
                       lost(Where::before_tap));
  }
  const auto if_any = [](uint64_t count, const std::string& words) {
    return count == 0 ? std::string() : words;
  };
  text += if_any(packets(Where::unknown), fmt::format("; on either side: {}", lost(Where::unknown)));
  text += if_any(packets(Where::receiver),
                 fmt::format("; refused by {}, which was not ready: {}", to, packets(Where::receiver)));
  text += if_any(sums.acknowledgments, fmt::format("; acknowledgments lost: {}", sums.acknowledgments));
  text += if_any(sums.setups, fmt::format("; requests to connect that were sent again: {}", sums.setups));
  using By = Loss::NoticedBy;
  const std::string by = part(noticed(By::nak), "NAK") + part(noticed(By::rnr_nak), "RNR NAK") +
                         part(noticed(By::duplicate_acks), "repeated acknowledgment") +
                         part(noticed(By::read_retry), "repeated Read Request") +
                         part(noticed(By::timeout), "timeout");
  text += by.empty() ? std::string() : fmt::format("; noticed by: {}", by.substr(2));
  return text.substr(text.empty() ? 0 : 2);
}

}  // namespace

void text_losses(Buffer& out, const std::vector<loss::Entry>& entries, const TextStyle& style) {
  using Align = Table::Align;
  Table table({{"conn", Align::left},
               {"time"},
               {"from", Align::left, 2},
               {"lost", Align::left},
               {"where", Align::left},
               {"sent in", Align::right, 3},
               {"noticed by", Align::left},
               {"again in", Align::right},
               {"packets", Align::right, 4},
               {"delay", Align::right},
               {"RPC delayed", Align::left, 1}});
  for (const LostAgain& row : merged(entries)) {
    const loss::Entry& entry = *row.first;
    const Loss& loss = entry.loss;
    const std::optional<int64_t> delay_ns = loss.delay_ns();
    table.add({fmt::format("#{}", entry.connection), time_text(loss.since.time_ns, style), entry.from.text(),
               lost_text(row, entry.tcp), std::string(where_text(loss)),
               loss.sent ? frame_text(*loss.sent, style) : "-", noticed_text(loss, style),
               loss.resent ? frame_text(*loss.resent, style) : "-", fmt::format("{}", row.resent),
               delay_ns ? base::duration_text(*delay_ns) : "-", waiting_text(entry)});
  }
  table.print(out, style.width == 0 ? SIZE_MAX : style.width, style.palette);
}

void text_loss_sums(Buffer& out, const loss::Ledger& ledger, uint64_t listed, const TextStyle& style) {
  const size_t width = style.width == 0 ? 100 : style.width;
  if (listed < ledger.losses()) {
    put_wrapped(out, "",
                fmt::format("The table leaves out {} of {} losses. The sums below have all of them.",
                            ledger.losses() - listed, ledger.losses()),
                width);
  }
  for (const auto& [connection, both] : ledger.sums()) {
    for (const loss::Sums& sums : both) {
      if (sums.losses != 0 || sums.sent_again != 0) {
        put_wrapped(out, "", fmt::format("#{} {}: {}.", connection, sums.from.text(), sentence(sums)), width);
      }
    }
  }
}

}  // namespace steertag::report
