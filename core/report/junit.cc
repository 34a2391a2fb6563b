// JUnit: each rule is a test case, named once, in a test suite of its family: passed where it was kept, or
// broken only by what does not fail the audit; skipped, with the reason, where it never was judged. Whether
// the captures could be read to their end is a case, too: a capture that was cut shows; and whether all that
// is known was found, where the audit insists on that. No times, no names of
// hosts: the same captures give the same file.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/counted.h"
#include "report/audit_report.h"
#include "report/escape.h"
#include "report/kept_text.h"
#include "report/names.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

constexpr size_t kMostOfCase = 20;  // findings that are shown of a rule

struct Case {
  std::string name;
  std::string skipped;           // why
  std::string error;             // what went wrong
  std::string failure, failing;  // in a line, and all of it
  std::string said;              // what does not fail it
};

struct Suite {
  std::string name;
  std::vector<Case> cases;

  size_t count(const auto& what) const {
    return static_cast<size_t>(std::count_if(cases.begin(), cases.end(), what));
  }
  size_t skipped() const {
    return count([](const Case& one) { return !one.skipped.empty(); });
  }
  size_t errors() const {
    return count([](const Case& one) { return !one.error.empty(); });
  }
  size_t failures() const {
    return count([](const Case& one) { return !one.failure.empty(); });
  }
};

void put_element(Buffer& out, std::string_view name, std::string_view text) {
  if (!text.empty()) {
    print(out, "      <{}>", name);
    put_xml(out, text);
    print(out, "</{}>\n", name);
  }
}

void put_case(Buffer& out, const Case& one, const std::string& suite) {
  put(out, "    <testcase name=\"");
  put_xml_value(out, one.name);
  put(out, "\" classname=\"");
  put_xml_value(out, suite);
  const bool plain = one.skipped.empty() && one.error.empty() && one.failure.empty() && one.said.empty();
  put(out, plain ? "\" time=\"0\"/>\n" : "\" time=\"0\">\n");
  if (plain) {
    return;
  }
  put_element(out, "skipped", one.skipped);
  if (!one.error.empty()) {
    put(out, "      <error type=\"error\" message=\"");
    put_xml_value(out, one.error);
    put(out, "\"/>\n");
  }
  if (!one.failure.empty()) {
    put(out, "      <failure type=\"failure\" message=\"");
    put_xml_value(out, one.failure);
    put(out, "\">");
    put_xml(out, one.failing);
    put(out, "</failure>\n");
  }
  put_element(out, "system-out", one.said);
  put(out, "    </testcase>\n");
}

void put_suite(Buffer& out, const Suite& suite) {
  put(out, "  <testsuite name=\"");
  put_xml_value(out, suite.name);
  print(out, "\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"0\">\n", suite.cases.size(),
        suite.failures(), suite.errors(), suite.skipped());
  for (const Case& one : suite.cases) {
    put_case(out, one, suite.name);
  }
  put(out, "  </testsuite>\n");
}

// "cap.pcap:22: error: Responder 10.9.0.1: ...; see frame 15 (RFC 8166 3.4.6)", and how to look at it.
std::string lines(const KeptFinding& finding, const Files& files) {
  const std::string related = related_frames(finding, files);
  const std::string known =
      finding.known == nullptr ? "" : fmt::format("    known: {}\n", finding.known->reason);
  return fmt::format("{}:{}: {}: {}{}{} ({})\n{}    {}\n", files.text(finding.at.file), finding.at.number,
                     name(finding.severity), sentence(finding), related.empty() ? "" : "; see frame ",
                     related, clause(finding.source), known, look_at(finding, files));
}

std::string first_place(const Stamp& at, const Files& files) {
  return files.several() ? fmt::format("at {}:{}", files.text(at.file), at.number)
                         : fmt::format("in frame {}", at.number);
}

// The findings of a rule, those that fail it and those that do not.
struct OfRule {
  std::vector<const KeptFinding*> failing, other;
};

std::string listed(const std::vector<const KeptFinding*>& findings, uint64_t all, const Files& files) {
  std::string made;
  const size_t shown = std::min(findings.size(), kMostOfCase);
  for (size_t i = 0; i < shown; ++i) {
    made += lines(*findings[i], files);
  }
  return all > shown ? made + fmt::format("{} more\n", all - shown) : made;
}

Case case_of(const AuditReport& report, size_t place, const OfRule& found) {
  const rules::Rule& rule = *rules::catalog()[place];
  const rules::Tally& tally = report.tallies[place];
  const uint64_t failing = failures(report, rule);
  const uint64_t other = found.failing.size() + found.other.size() + report.verdict.left_out(rule) - failing;
  Case made;
  made.name = fmt::format("{} {}", rule.id, rule.name);
  made.said = listed(found.other, other, report.files);
  if (failing != 0) {
    made.failing =
        fmt::format("{}.\n", rules::page(rule).requirement) + listed(found.failing, failing, report.files);
    made.failure = found.failing.empty()
                       ? base::counted(failing, "finding")
                       : fmt::format("{}, the first {}: {}", base::counted(failing, "finding"),
                                     first_place(found.failing.front()->at, report.files),
                                     sentence(*found.failing.front()));
  } else if (tally.kept + tally.broken == 0 && report.required(rule)) {
    made.failure = made.failing =
        fmt::format("{}: required, but never judged: {}", rule.id, why_not_shown(tally));
  } else if (tally.kept + tally.broken == 0) {
    made.skipped = why_not_shown(tally);
  }
  return made;
}

bool is_about_reading(const Caution& caution) {
  return caution.severity == rules::Severity::error && caution.id != "required" && caution.id != "stale";
}

Suite reading(const AuditReport& report) {
  Case whole{.name = "read to the end", .skipped = {}, .error = {}, .failure = {}, .failing = {}, .said = {}};
  for (uint32_t file = 0; file < report.files.names.size(); ++file) {
    whole.said += report.files.text(file) + "\n";
  }
  for (const PolicyFile& policy : report.policies) {
    whole.said += policy_text(policy) + "\n";
  }
  whole.said += total(report) + "\n";
  for (const Caution& caution : cautions(report)) {
    if (is_about_reading(caution) && report.status == 2) {
      whole.error += (whole.error.empty() ? "" : "; ") + caution.text;
    } else {
      whole.said += fmt::format("{}: {}\n", name(caution.severity), caution.text);
    }
  }
  Suite made{"capture", {whole}};
  if (report.stale_fails) {
    Case& all = made.cases.emplace_back();
    all.name = "what is known is found";
    for (const std::string& text : report.stale) {
      all.failing += text + "\n";
    }
    all.failure = report.stale.empty() ? "" : report.stale.front();
  }
  return made;
}

std::vector<Suite> suites(const AuditReport& report) {
  std::map<const rules::Rule*, OfRule> found;
  for (const KeptFinding* finding : report.verdict.findings()) {
    OfRule& of = found[finding->rule];
    (fails(report, *finding) ? of.failing : of.other).push_back(finding);
  }
  std::vector<Suite> all = {reading(report)};
  for (size_t i = 0; i < rules::catalog().size(); ++i) {
    const rules::Rule& rule = *rules::catalog()[i];
    if (report.wanted(rule)) {
      const std::string family(family_of(rule));
      const auto suite =
          std::find_if(all.begin(), all.end(), [&](const Suite& one) { return one.name == family; });
      Suite& into = suite == all.end() ? all.emplace_back(Suite{family, {}}) : *suite;
      into.cases.push_back(case_of(report, i, found[&rule]));
    }
  }
  return all;
}

}  // namespace

void junit(Buffer& out, const AuditReport& report) {
  const std::vector<Suite> all = suites(report);
  size_t tests = 0, failures = 0, errors = 0;
  for (const Suite& suite : all) {
    tests += suite.cases.size();
    failures += suite.failures();
    errors += suite.errors();
  }
  put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  print(out, "<testsuites name=\"steertag audit\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"0\">\n",
        tests, failures, errors);
  for (const Suite& suite : all) {
    put_suite(out, suite);
  }
  put(out, "</testsuites>\n");
}

}  // namespace steertag::report
