// A summary in Markdown, for the page of a job or a comment: the verdict, what happened, how the families of
// rules stand, then what was found, by rule, the worst first. Where it would be too long for the page of a
// job it ends early, and says what is missing.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "report/audit_report.h"
#include "report/incident.h"
#include "report/kept_text.h"
#include "report/markdown_text.h"
#include "report/names.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

// GitHub refuses a summary of a step of more than 1 MiB, all of it.
constexpr size_t kMostBytes = 1'000'000;
constexpr size_t kMostOfOne = 5;   // findings that are shown of one rule
constexpr size_t kMostNamed = 50;  // captures

struct Found {
  const rules::Rule* rule = nullptr;
  std::vector<const KeptFinding*> findings;  // the worst first
};

// By rule; the one with the worst finding first.
std::vector<Found> by_rule(const Verdict& verdict) {
  std::vector<Found> all;
  for (const KeptFinding* finding : worst_first(verdict)) {
    if (finding->known != nullptr) {
      continue;
    }
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Found& one) { return one.rule == finding->rule; });
    Found& of = found == all.end() ? all.emplace_back(Found{finding->rule, {}}) : *found;
    of.findings.push_back(finding);
  }
  return all;
}

void put_heading(Buffer& out, const AuditReport& report) {
  print(out, "# steertag audit: {}\n\n{}.\n\n",
        report.status == 0   ? "passed"
        : report.status == 1 ? "failed"
                             : "incomplete",
        total(report));
  const size_t named = std::min(report.files.names.size(), kMostNamed);
  for (uint32_t file = 0; file < named; ++file) {
    put(out, "- ");
    put_markdown_code(out, report.files.name(file));
    put(out, '\n');
  }
  if (report.files.names.size() > named) {
    print(out, "- {}\n", base::counted(report.files.names.size() - named, "more capture"));
  }
  for (const PolicyFile& policy : report.policies) {
    print(out, "- {} ", policy.kind == PolicyFile::Kind::configuration ? "configured by" : name(policy.kind));
    put_markdown_code(out, policy.file);
    print(out, ", SHA-256 `{}`\n", policy.sha256);
  }
  for (const Caution& caution : cautions(report)) {
    print(out, "\n**{}:** ", name(caution.severity));
    put_markdown(out, caution.text);
    put(out, ".\n");
  }
}

// Incidents, but for violations, which are findings.
void put_incidents(Buffer& out, const AuditReport& report) {
  TextStyle style;
  style.files = report.files;
  size_t number = 0;
  for (const incident::Incident& incident : report.incidents) {
    if (incident.kind == incident::Kind::violation || ++number > kMostNamed) {
      continue;
    }
    print(out, "{}{}. **", number == 1 ? "\n## What happened\n\n" : "", number);
    put_markdown(out, heading(incident, style));
    put(out, "**: ");
    put_markdown(out, sentence(incident, style));
    put(out, ".\n");
  }
  if (number > kMostNamed) {
    print(out, "\n{}.\n", base::counted(number - kMostNamed, "more incident"));
  }
}

// How many rules of each family were kept, broken, not shown.
void put_score(Buffer& out, const AuditReport& report) {
  using Score = std::array<size_t, 3>;
  std::vector<std::pair<std::string_view, Score>> families;
  Score all{};
  for (size_t i = 0; i < rules::catalog().size(); ++i) {
    const rules::Rule& rule = *rules::catalog()[i];
    if (!report.wanted(rule)) {
      continue;
    }
    if (families.empty() || families.back().first != family_of(rule)) {
      families.emplace_back(family_of(rule), Score{});
    }
    const auto place = static_cast<size_t>(outcome(report, i));
    ++families.back().second[place];
    ++all[place];
  }
  put(out, "\n## Rules\n\n| family | kept | broken | not shown |\n| --- | ---: | ---: | ---: |\n");
  for (const auto& [family, score] : families) {
    print(out, "| {} | {} | {} | {} |\n", family, score[0], score[1], score[2]);
  }
  print(out, "| **all** | **{}** | **{}** | **{}** |\n", all[0], all[1], all[2]);
}

// How much of what is known was found, and why it is accepted.
void put_known(Buffer& out, const Verdict& verdict) {
  const std::vector<Verdict::Accepted> all = verdict.accepted();
  if (all.empty()) {
    return;
  }
  put(out, "\n## Known\n\n");
  const size_t shown = std::min(all.size(), kMostNamed);
  for (size_t i = 0; i < shown; ++i) {
    const Known& known = *all[i].known;
    print(out, "- {}: ", base::counted(all[i].findings, "finding"));
    put_markdown(out, fmt::format("{} ({}:{}): {}", known.title(), known.file, known.line, known.reason));
    put(out, '\n');
  }
  if (all.size() > shown) {
    print(out, "- {}\n", base::counted(all.size() - shown, "more behaviour"));
  }
}

// "1. **error** in frame 22 of `cap.pcap`: Responder ... (RFC 8166 3.4.6), `steertag flows ...`"
void put_finding(Buffer& out, const KeptFinding& finding, size_t number, const Files& files) {
  print(out, "{}. **{}** in frame {} of ", number, name(finding.severity), finding.at.number);
  put_markdown_code(out, files.name(finding.at.file));
  put(out, ": ");
  put_markdown(out, sentence(finding));
  if (const std::string related = related_frames(finding, files); !related.empty()) {
    put(out, "; see frame ");
    put_markdown(out, related);
  }
  print(out, " ({}). To look at it: ", clause(finding.source));
  put_markdown_code(out, look_at(finding, files));
  put(out, '\n');
}

void put_rule(Buffer& out, const Found& found, const AuditReport& report) {
  const rules::Rule& rule = *found.rule;
  const uint64_t all = report.verdict.count(rule);
  print(out, "\n### {} {}\n\n", rule.id, rule.name);
  put_markdown(out, fmt::format("{}: {}.", base::counted(all, "finding"), rules::page(rule).requirement));
  put(out, "\n\n");
  const size_t shown = std::min(found.findings.size(), kMostOfOne);
  for (size_t i = 0; i < shown; ++i) {
    put_finding(out, *found.findings[i], i + 1, report.files);
  }
  if (all > shown) {
    print(out, "\n{} more of {}.\n", all - shown, rule.id);
  }
  if (const std::string& context = found.findings.front()->excerpt.context; !context.empty()) {
    put(out, "\nWhat the first is about:\n\n");
    put_markdown_block(out, context);
  }
}

}  // namespace

void markdown(Buffer& out, const AuditReport& report) {
  const size_t begin = out.size();
  put_heading(out, report);
  put_incidents(out, report);
  put_score(out, report);
  const std::vector<Found> all = by_rule(report.verdict);
  put_known(out, report.verdict);
  if (!all.empty()) {
    put(out, "\n## Findings\n");
  }
  size_t rules = 0;
  uint64_t missing = 0;
  Buffer section;
  for (const Found& found : all) {
    section.clear();
    put_rule(section, found, report);
    if (rules != 0 || out.size() - begin + section.size() > kMostBytes) {
      ++rules;
      missing += report.verdict.count(*found.rule);
    } else {
      put(out, view(section));
    }
  }
  if (rules != 0) {
    print(out, "\n{} of {} are not shown, for lack of room.\n", base::counted(missing, "more finding"),
          base::counted(rules, "rule"));
  }
}

}  // namespace steertag::report
