#include "report/kept_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/counted.h"
#include "report/finding.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

constexpr auto kSeverities = {rules::Severity::note, rules::Severity::warning, rules::Severity::error};
constexpr auto kCertainties = {rules::Certainty::possible, rules::Certainty::likely,
                               rules::Certainty::definite};

void caution_on_reading(std::vector<Caution>& all, const AuditReport& report) {
  const Counters& counters = report.counters;
  if (!report.cut.empty()) {
    const bool truncated = report.cut == "truncated";
    all.push_back(
        {rules::Severity::error, truncated ? "truncated" : "interrupted",
         fmt::format("{}: this is an audit of the {} before",
                     truncated ? "a capture ends in the middle of a record" : "the run was interrupted",
                     base::counted(counters.frames, "frame"))});
  }
  if (report.damaged) {
    all.push_back(
        {rules::Severity::error, "damaged",
         "the rest of a capture makes no sense, or is of a kind that is not known: it was not audited"});
  }
  if (counters.given_up != 0) {
    all.push_back({rules::Severity::warning, "memory",
                   fmt::format("{} a connection, an RPC or what waited behind a hole was dropped for lack of "
                               "memory; RPCs in progress there are not judged",
                               base::counted(counters.given_up, "time"))});
  }
  if (counters.messages == 0) {
    all.push_back(
        {rules::Severity::warning, "no-messages",
         fmt::format("no RPC-over-RDMA in {}: nothing was judged", base::counted(counters.frames, "frame"))});
  }
  if (counters.dropped != 0) {
    all.push_back(
        {rules::Severity::warning, "dropped",
         fmt::format("{} lost while capturing; what they may explain is not judged, or only possible",
                     base::counted(counters.dropped, "frame") + (counters.dropped == 1 ? " was" : " were"))});
  }
  if (counters.lost != 0) {
    all.push_back(
        {rules::Severity::note, "lost",
         fmt::format("{} known to be missing from the capture",
                     base::counted(counters.lost, "frame") + (counters.lost == 1 ? " is" : " are"))});
  }
}

}  // namespace

std::string sentence(const KeptFinding& finding) {
  return sentence(finding, finding.blamed);
}

std::string clause(const rules::Source& source) {
  return fmt::format("{} {}", source.document, source.section);
}

std::string_view family_of(const rules::Rule& rule) {
  return rule.id.substr(0, rule.id.find('-'));
}

std::string related_frames(const KeptFinding& finding, const Files& files) {
  std::string made;
  for (const Stamp& at : finding.related) {
    made += made.empty() ? "" : ", ";
    made += at.file != finding.at.file ? files.text(at.file) + ":" : "";
    made += std::to_string(at.number);
  }
  return made;
}

std::string look_at(const KeptFinding& finding, const Files& files) {
  Buffer out;
  put_hint(out, finding.xid, finding.at, files);
  return std::string(view(out));
}

std::string total(const AuditReport& report) {
  const FindingCounts& found = report.found;
  const Counters& counters = report.counters;
  const std::string known = found.known ? fmt::format(", {} known", *found.known) : "";
  return fmt::format("{}, {}, {}{} in {}, {}, {}, {}", base::counted(found.error, "error"),
                     base::counted(found.warning, "warning"), base::counted(found.note, "note"), known,
                     base::counted(counters.messages, "message"), base::counted(counters.exchanges, "RPC"),
                     base::counted(counters.connections, "connection"),
                     base::counted(counters.frames, "frame"));
}

std::vector<Occurrence> occurrences(const Verdict& verdict) {
  std::vector<Occurrence> all;
  std::map<uint64_t, uint64_t> seen;  // at most as many as there are findings
  for (const KeptFinding* finding : verdict.findings()) {
    all.push_back({finding, ++seen[finding->fingerprint]});
  }
  return all;
}

std::vector<const KeptFinding*> worst_first(const Verdict& verdict) {
  std::vector<const KeptFinding*> all = verdict.findings();
  std::stable_sort(all.begin(), all.end(), [](const KeptFinding* a, const KeptFinding* b) {
    const bool a_new = a->known == nullptr, b_new = b->known == nullptr;
    return std::tie(a_new, a->severity, a->certainty) > std::tie(b_new, b->severity, b->certainty);
  });
  return all;
}

bool fails(const AuditReport& report, const KeptFinding& finding) {
  return finding.known == nullptr && report.fails(finding.severity, finding.certainty);
}

uint64_t failures(const AuditReport& report, const rules::Rule& rule) {
  uint64_t all = 0;
  for (const rules::Severity severity : kSeverities) {
    for (const rules::Certainty certainty : kCertainties) {
      all += report.fails(severity, certainty) ? report.verdict.count(rule, severity, certainty) : 0;
    }
  }
  return all;
}

Outcome outcome(const AuditReport& report, size_t place) {
  const rules::Tally& tally = report.tallies[place];
  return tally.broken != 0 ? Outcome::broken : tally.kept != 0 ? Outcome::kept : Outcome::not_shown;
}

std::string why_not_shown(const rules::Tally& tally) {
  std::string made;
  for (size_t lack = 0; lack < rules::kLacks; ++lack) {
    if (tally.lacks[lack] != 0) {
      made += fmt::format("{}{} ({})", made.empty() ? "" : "; ", rules::text(static_cast<rules::Lack>(lack)),
                          base::counted(tally.lacks[lack], "time"));
    }
  }
  return made.empty() ? "no such traffic" : made;
}

std::vector<Caution> cautions(const AuditReport& report) {
  std::vector<Caution> all;
  caution_on_reading(all, report);
  for (size_t i = 0; i < report.tallies.size(); ++i) {
    const rules::Rule& rule = *rules::catalog()[i];
    if (report.required(rule) && report.tallies[i].kept + report.tallies[i].broken == 0) {
      all.push_back(
          {rules::Severity::error, "required",
           fmt::format("{}: required, but never judged: {}", rule.id, why_not_shown(report.tallies[i]))});
    }
    if (const uint64_t more = report.verdict.left_out(rule)) {
      all.push_back({rules::Severity::warning, "left-out",
                     fmt::format("{} of {}: only the first {} are kept", base::counted(more, "more finding"),
                                 rule.id, Verdict::kMostOfRule)});
    }
  }
  if (const uint64_t beyond = report.verdict.beyond()) {
    all.push_back({rules::Severity::warning, "beyond",
                   fmt::format("{} of more kinds than the {} that are told apart",
                               base::counted(beyond, "violation"), Verdict::kMostAlike)});
  }
  for (const std::string& text : report.stale) {
    all.push_back({report.stale_fails ? rules::Severity::error : rules::Severity::note, "stale", text});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Caution& a, const Caution& b) { return a.severity > b.severity; });
  return all;
}

}  // namespace steertag::report
