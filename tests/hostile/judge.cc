#include "judge.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "fuzz/json_check.h"
#include "packets.h"

namespace steertag::hostile {
namespace {

constexpr double kSeconds = 2, kSecondsPerMegabyte = 1;
#ifdef STEERTAG_SANITIZED
constexpr double kSlower = 20;
#else
constexpr double kSlower = 1;
#endif

// What a run says in lines of their own, beside the reason of its status.
constexpr std::array<std::string_view, 5> kRemarks = {
    " with a wrong ICRC or MPA CRC", " are not checked", " of memory were not enough ",
    ": required, but never judged ", " RPCs and segments are left out: "};

bool is_remark(std::string_view line) {
  return std::any_of(kRemarks.begin(), kRemarks.end(),
                     [&](std::string_view remark) { return line.find(remark) != line.npos; });
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

std::string judge_complaints(const Outcome& outcome, size_t most_reasons) {
  size_t reasons = 0;
  if (!outcome.err.empty() && !outcome.err.ends_with('\n')) {
    return "the last line on standard error has no end";
  }
  for (std::string_view left = outcome.err; !left.empty();) {
    const std::string_view line = take_line(left);
    if (!line.starts_with("steertag: ") || line.find("internal error") != line.npos) {
      return "standard error has a line that is none of ours";
    }
    if (const std::string wrong = judge_text(line); !wrong.empty()) {
      return "standard error: " + wrong;
    }
    reasons += is_remark(line) ? 0 : 1;
  }
  return outcome.status == 2 && (reasons < 1 || reasons > most_reasons)
             ? fmt::format("status 2 with {} reasons", reasons)
             : "";
}

std::string without_colors(std::string_view text) {
  std::string plain;
  for (size_t at = text.find("\x1B["); at != text.npos; at = text.find("\x1B[")) {
    plain += text.substr(0, at);
    text.remove_prefix(std::min(text.find('m', at), text.size() - 1) + 1);
  }
  return plain += text;
}

std::string judge_end(const Outcome& outcome, size_t size, bool judges, size_t most_reasons) {
  if (outcome.signal != 0) {
    return fmt::format("ended by signal {}", outcome.signal);
  }
  if (outcome.status > 2 || (outcome.status == 1 && !judges)) {
    return fmt::format("status {}", outcome.status);
  }
  const double most = kSlower * (kSeconds + kSecondsPerMegabyte * static_cast<double>(size) / 1e6);
  if (outcome.seconds > most) {
    return fmt::format("took {:.1f} s, with {} bytes", outcome.seconds, size);
  }
  return judge_complaints(outcome, most_reasons);
}

}  // namespace

std::string judge_text(std::string_view text) {
  if (const char* wrong = fuzz::check_text(text)) {
    return wrong;
  }
  while (!text.empty()) {
    const base::Utf8 character = base::utf8(text);
    if (base::invisible(character.point)) {
      return fmt::format("U+{:04X} would not be seen", static_cast<uint32_t>(character.point));
    }
    text.remove_prefix(std::max<size_t>(character.length, 1));
  }
  return {};
}

namespace {

// Lines of OTLP's JSON.
std::string judge_spans(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (const char* wrong = fuzz::check_json(line)) {
      return wrong;
    }
    if (!line.starts_with(R"({"resourceSpans":[)")) {
      return "a line is no request";
    }
  }
  return {};
}

}  // namespace

std::string judge(const Command& command, const Outcome& outcome, size_t size) {
  if (std::string wrong = judge_end(outcome, size, command.judges(), command.most_reasons());
      !wrong.empty()) {
    return wrong;
  }
  if (command.how == How::capture) {
    return {};
  }
  if (command.packets()) {
    return judge_packets(outcome.out);
  }
  if (!outcome.out.empty() && !outcome.out.ends_with('\n')) {
    return "the output's last line has no end";
  }
  if (command.json()) {
    const Findings shown = command.sums_up() ? Findings::none : Findings::all;
    return outcome.out.empty() && outcome.status == 2 ? "" : judge_records(outcome.out, shown);
  }
  if (command.spans()) {
    return judge_spans(outcome.out);
  }
  return judge_text(command.colored() ? without_colors(outcome.out) : outcome.out);
}

std::string judge_damaged(const Outcome& outcome, size_t size) {
  return judge_end(outcome, size, true, 1);
}

std::string judge_merged(const Outcome& outcome, size_t size) {
  if (std::string wrong = judge_end(outcome, size, true, 1); !wrong.empty()) {
    return wrong;
  }
  return outcome.out.empty() && outcome.status == 2 ? "" : judge_records(outcome.out);
}

}  // namespace steertag::hostile
