#include <vector>

#include "base/counted.h"
#include "report/finding.h"
#include "report/names.h"
#include "report/text_parts.h"
#include "report/verdict.h"
#include "rules/catalog.h"

namespace steertag::report {

void FindingCounts::add(rules::Severity severity) {
  using rules::Severity;
  ++(severity == Severity::error ? error : severity == Severity::warning ? warning : note);
}

namespace {

// "; see frames 3, 9": of another file, with its name.
void put_related(Buffer& out, const std::vector<Stamp>& related, const Stamp& home, const TextStyle& style) {
  if (related.empty()) {
    return;
  }
  put(out, related.size() == 1 ? "; see frame " : "; see frames ");
  for (size_t i = 0; i < related.size(); ++i) {
    put(out, i == 0 ? "" : ", ");
    const Stamp& at = related[i];
    if (at.file != home.file) {
      print(out, "{}:", style.files.text(at.file));
    }
    print(out, "{}", at.number);
  }
}

// As a shell takes it for one word.
std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+,:@%=";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

void put_words(Buffer& out, const rules::Finding& finding, std::string_view by, const TextStyle& style) {
  paint(out, style.palette, severity_colour(finding.severity, style.palette), name(finding.severity));
  print(out, ": {}", sentence(finding, by));
  put_related(out, finding.related, finding.at, style);
  print(out, " ({} {}) [{}]", finding.source.document, finding.source.section, finding.rule->id);
}

void put_finding(Buffer& out, const rules::Finding& finding, std::string_view by, const TextStyle& style) {
  print(out, "{}:{}: ", style.files.text(finding.at.file), finding.at.number);
  put_words(out, finding, by, style);
  put(out, "\n");
}

}  // namespace

std::string blamed(const rules::Finding& finding) {
  const bool known = finding.blame != rules::Blame::undecided && finding.by;
  return known ? finding.connection->end(*finding.by).address.text() : "";
}

std::string sentence(const rules::Finding& finding, std::string_view by) {
  const std::string_view role = finding.blame == rules::Blame::requester ? "Requester" : "Responder";
  return fmt::format("{}{}{}", finding.certainty == rules::Certainty::possible ? "possibly: " : "",
                     by.empty() ? "" : fmt::format("{} {}: ", role, by), finding.text);
}

void text_finding(Buffer& out, const rules::Finding& finding, const TextStyle& style) {
  put_finding(out, finding, blamed(finding), style);
}

void text_finding_words(Buffer& out, const rules::Finding& finding, const TextStyle& style) {
  put_words(out, finding, blamed(finding), style);
}

void text_finding(Buffer& out, const KeptFinding& finding, const TextStyle& style) {
  put_finding(out, finding, finding.blamed, style);
}

void put_hint(Buffer& out, std::optional<uint32_t> xid, const Stamp& at, const Files& files) {
  const std::string file = shell_word(files.text(at.file));
  if (xid) {
    print(out, "steertag flows --chunks --xid {:#010x} {}", *xid, file);
  } else {
    print(out, "steertag decode -v --frame {} {}", at.number, file);
  }
}

void text_finding_hint(Buffer& out, const rules::Finding& finding, const TextStyle& style) {
  put(out, "    ");
  put_hint(out, finding.xid, finding.at, style.files);
  put(out, '\n');
}

void text_audit_summary(Buffer& out, const Counters& counters, const FindingCounts& found,
                        std::span<const rules::Tally> tallies, const TextStyle& style) {
  uint64_t judged = 0;
  uint64_t silent = 0;
  uint64_t verdicts = 0;
  for (const rules::Tally& tally : tallies) {
    judged += tally.kept + tally.broken != 0 ? 1 : 0;
    silent += tally.checked() == 0 ? 1 : 0;
    verdicts += tally.kept + tally.broken;
  }
  const std::string_view tone = found.error != 0     ? style.palette.bad
                                : found.warning != 0 ? style.palette.warn
                                                     : style.palette.good;
  paint(out, style.palette, tone,
        fmt::format("{}, {}, {}", base::counted(found.error, "error"),
                    base::counted(found.warning, "warning"), base::counted(found.note, "note")));
  if (found.known) {
    print(out, ", {} known", *found.known);
  }
  print(out, " in {}, {}, {}, {}", base::counted(counters.messages, "message"),
        base::counted(counters.exchanges, "RPC"), base::counted(counters.connections, "connection"),
        base::counted(counters.frames, "frame"));
  if (counters.lost != 0) {
    print(out, " ({} missing from the capture)", counters.lost);
  }
  if (counters.dropped != 0) {
    print(out, " ({} lost while capturing)", counters.dropped);
  }
  if (counters.given_up != 0) {
    print(out, " ({} dropped for lack of memory)", counters.given_up);
  }
  print(out, "\n{} of {} rules judged {}; {} never applied\n", judged, tallies.size(),
        base::counted(verdicts, "time"), silent);
  for (size_t lack = 0; lack < rules::kLacks; ++lack) {
    std::string ids;
    uint64_t times = 0;
    for (size_t i = 0; i < tallies.size(); ++i) {
      if (tallies[i].lacks[lack] != 0) {
        ids += (ids.empty() ? "" : " ") + std::string(rules::catalog()[i]->id);
        times += tallies[i].lacks[lack];
      }
    }
    if (times != 0) {
      print(out, "not judged, {}, {}: {}\n", base::counted(times, "time"),
            rules::text(static_cast<rules::Lack>(lack)), ids);
    }
  }
}

}  // namespace steertag::report
