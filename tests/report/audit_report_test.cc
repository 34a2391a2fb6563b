// What reports of a whole audit say where there is much: the worst, and how many more there are.
#include "report/audit_report.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "made.h"
#include "report/excerpt.h"
#include "report/kept_text.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

const rules::Rule& rule(size_t place) {
  return *rules::catalog()[place];
}

size_t how_often(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) {
    ++found;
  }
  return found;
}

// An audit whose findings a test adds; errors fail it, unless they are only possible.
struct MadeAudit {
  track::Connection connection = made_connection();
  Verdict verdict;
  std::vector<rules::Tally> tallies = std::vector<rules::Tally>(rules::catalog().size());
  Counters counters;
  std::vector<std::string> names = {"a.pcap"};
  std::string_view cut;
  int status = 1;
  const rules::Rule* required = nullptr;
  std::vector<std::string> stale;
  bool stale_fails = false;

  MadeAudit() { counters.messages = 1; }

  rules::Finding& next(size_t place, rules::Severity severity = rules::Severity::error) {
    made_ = {};
    made_.rule = &rule(place);
    made_.connection = &connection;
    made_.severity = severity;
    made_.at = stamp(++frame_);
    made_.text = "something";
    return made_;
  }
  void add(const Known* known = nullptr) {
    ++tallies[static_cast<size_t>(std::find(rules::catalog().begin(), rules::catalog().end(), made_.rule) -
                                  rules::catalog().begin())]
          .broken;
    verdict.add(made_, {.frame = frame_}, known);
  }
  void add(size_t place, size_t count, rules::Severity severity = rules::Severity::error) {
    for (size_t i = 0; i < count; ++i) {
      next(place, severity);
      add();
    }
  }
  std::string with(void (*write)(Buffer&, const AuditReport&)) const {
    const AuditReport report{.verdict = verdict,
                             .tallies = tallies,
                             .counters = counters,
                             .found = verdict.counts(),
                             .files = Files{names},
                             .version = "1",
                             .cut = cut,
                             .status = status,
                             .folder = "/work",
                             .wanted = [](const rules::Rule&) { return true; },
                             .required = [this](const rules::Rule& one) { return &one == required; },
                             .fails =
                                 [](rules::Severity severity, rules::Certainty certainty) {
                                   return severity == rules::Severity::error &&
                                          certainty != rules::Certainty::possible;
                                 },
                             .stale = stale,
                             .stale_fails = stale_fails};
    return printed([&](Buffer& out) { write(out, report); });
  }

 private:
  rules::Finding made_;
  uint64_t frame_ = 0;
};

TEST_CASE("audit report: findings alike are told apart, in the order in which they were reported") {
  MadeAudit audit;
  audit.add(0, 3);
  const std::string shown = audit.with(gitlab);
  const size_t at = shown.find("\"fingerprint\":\"") + 15;
  const std::string fingerprint = shown.substr(at, 16);
  CHECK(how_often(shown, fingerprint + "\"") == 1);
  CHECK(how_often(shown, fingerprint + "-2\"") == 1);
  CHECK(how_often(shown, fingerprint + "-3\"") == 1);
  const std::string results = audit.with(sarif);
  CHECK(how_often(results, "\"primaryLocationLineHash\":\"" + fingerprint + ":3\"") == 1);
  CHECK(how_often(results, "\"steertag/v1\":\"" + fingerprint + "\"") == 3);
}

TEST_CASE("SARIF: related frames are linked from the message, and nothing else is") {
  MadeAudit audit;
  rules::Finding& finding = audit.next(0);
  finding.text = "an [odd](https://x) thing";
  finding.related = {stamp(15), stamp(18)};
  finding.where = Range{12, 4};
  audit.add();
  const std::string shown = audit.with(sarif);
  CHECK(shown.find("an [odd] (https://x) thing; see [frame 15](1), [frame 18](2) (") != std::string::npos);
  CHECK(shown.find("\"byteOffset\":12,\"byteLength\":4") != std::string::npos);
  CHECK(how_often(shown, "\"relatedLocations\"") == 1);
}

TEST_CASE("SARIF: of more than 5000 findings, the worst") {
  MadeAudit audit;
  for (size_t place = 0; place < 26; ++place) {
    audit.add(place, Verdict::kMostOfRule, place == 0 ? rules::Severity::note : rules::Severity::error);
  }
  const std::string shown = audit.with(sarif);
  CHECK(how_often(shown, "\"ruleIndex\"") == 5000);
  CHECK(how_often(shown, "\"ruleIndex\":0,") == 0);
  CHECK(shown.find("200 more findings than the 5000 worst") != std::string::npos);
}

TEST_CASE("SARIF: of more text than there is room for, the worst findings have it") {
  MadeAudit audit;
  const std::string text = std::string(ExcerptWriter::kMost - 1, 'x') + "\n";
  for (size_t place = 0; place < 6; ++place) {
    for (size_t i = 0; i < Verdict::kMostOfRule; ++i) {
      audit.next(place, place == 0 ? rules::Severity::note : rules::Severity::error).excerpt = {text, text,
                                                                                                0};
      audit.add();
    }
  }
  const std::string shown = audit.with(sarif);
  CHECK(how_often(shown, "xxx\\n\"") == 2 * 1024);
  CHECK(shown.find("176 findings are without the text of their messages") != std::string::npos);
}

TEST_CASE("SARIF: a result says how sure it is, and of which operation") {
  MadeAudit audit;
  audit.next(0).op = "READ";
  audit.add();
  audit.next(0).certainty = rules::Certainty::likely;
  audit.add();
  audit.next(0).certainty = rules::Certainty::possible;
  audit.add();
  const std::string shown = audit.with(sarif);
  for (const std::string_view rank : {"\"rank\":100", "\"rank\":80", "\"rank\":20"}) {
    CHECK(how_often(shown, rank) == 1);
  }
  CHECK(how_often(shown, "\"op\":\"READ\"") == 1);
  CHECK(how_often(shown, "\"op\":") == 1);
}

TEST_CASE("SARIF: where captures lie is told where they are not in the folder") {
  MadeAudit audit;
  audit.add(0, 1);
  CHECK(how_often(audit.with(sarif), "originalUriBaseIds") == 0);
  audit.names = {"/captures/a.pcap"};
  CHECK(how_often(audit.with(sarif), R"("originalUriBaseIds":{"CAPTURES":{"uri":"file:///captures/")") == 1);
}

TEST_CASE("JUnit: a rule fails by what --fail-on says, and its other findings are told") {
  MadeAudit audit;
  audit.next(0).certainty = rules::Certainty::possible;
  audit.add();
  audit.add(1, 1, rules::Severity::warning);
  audit.add(2, 1);
  const std::string shown = audit.with(junit);
  CHECK(how_often(shown, "<failure ") == 1);
  CHECK(shown.find("a.pcap:1: error: possibly: something") != std::string::npos);
  CHECK(shown.find("a.pcap:2: warning: something") != std::string::npos);
  CHECK(shown.find("message=\"1 finding, the first in frame 3: something\"") != std::string::npos);
}

TEST_CASE("JUnit: what fails a rule does so even where it is not kept") {
  MadeAudit audit;
  audit.add(0, Verdict::kMostOfRule, rules::Severity::note);
  audit.add(0, 7);
  const std::string shown = audit.with(junit);
  CHECK(shown.find("<failure type=\"failure\" message=\"7 findings\">") != std::string::npos);
  CHECK(shown.find("180 more\n") != std::string::npos);  // of 200 notes, 20 are shown
}

TEST_CASE("JUnit: what was never judged is skipped with the reason, or fails where it was required") {
  MadeAudit audit;
  audit.tallies[0].give_up(rules::Lack::setup, 3);
  audit.tallies[1].kept = 1;
  audit.required = &rule(2);
  const std::string shown = audit.with(junit);
  CHECK(shown.find("<skipped>connection setup not captured (3 times)</skipped>") != std::string::npos);
  CHECK(how_often(shown, "<skipped>") == rules::catalog().size() - 2);
  CHECK(how_often(shown, "required, but never judged: no such traffic\">") == 1);
}

TEST_CASE("JUnit: a capture that was cut is an error, unless that is allowed") {
  MadeAudit audit;
  audit.cut = "truncated";
  audit.status = 2;
  CHECK(how_often(audit.with(junit), "<error ") == 1);
  CHECK(audit.with(sarif).find("\"exitCode\":2,\"executionSuccessful\":false") != std::string::npos);
  CHECK(audit.with(markdown).starts_with("# steertag audit: incomplete\n"));
  audit.status = 0;
  CHECK(how_often(audit.with(junit), "<error ") == 0);
  for (const auto write : {sarif, junit, gitlab, github, markdown}) {
    CHECK(audit.with(write).find("ends in the middle of a record") != std::string::npos);
  }
}

TEST_CASE("audit report: what is known is no failure, and each form says so in its own way") {
  MadeAudit audit;
  Known known;
  known.rule = rule(0).id;
  known.shape = "something";
  known.reason = "an old <server>";
  audit.next(0);
  audit.add(&known);
  audit.add(1, 1);
  const std::string in_sarif = audit.with(sarif);
  const std::string suppression =
      R"({"kind":"external","status":"accepted","justification":"an old <server>"})";
  CHECK(how_often(in_sarif, "\"ruleIndex\"") == 2);
  CHECK(how_often(in_sarif, "\"suppressions\":[" + suppression + "]") == 1);
  const std::string in_junit = audit.with(junit);
  CHECK(how_often(in_junit, "<failure ") == 1);
  CHECK(how_often(in_junit, "    known: an old &lt;server&gt;\n") == 1);
  CHECK(how_often(audit.with(gitlab), "\"check_name\"") == 1);
  CHECK(how_often(audit.with(github), " file=") == 1);
  const std::string in_markdown = audit.with(markdown);
  CHECK(in_markdown.find("## Known\n\n- 1 finding: " + known.rule + " something") != std::string::npos);
  CHECK(how_often(in_markdown, "\n### ") == 1);
  audit.verdict.exceeded(known);
  CHECK(how_often(audit.with(sarif), "suppressions") == 0);
  CHECK(how_often(audit.with(junit), "<failure ") == 2);
  CHECK(how_often(audit.with(gitlab), "\"check_name\"") == 2);
  CHECK(how_often(audit.with(github), " file=") == 2);
  CHECK(how_often(audit.with(markdown), "\n### ") == 2);
}

TEST_CASE("audit report: what is known and found no more is said, and fails where the audit insists on it") {
  MadeAudit audit;
  audit.stale = {"known.toml:7: X: known, but found no more"};
  CHECK(how_often(audit.with(junit), "<failure ") == 0);
  for (const auto write : {sarif, junit, gitlab, github, markdown}) {
    CHECK(how_often(audit.with(write), "X: known, but found no more") == 1);
  }
  CHECK(audit.with(markdown).find("**note:** `known.toml:7:`") != std::string::npos);
  audit.stale_fails = true;
  const std::string shown = audit.with(junit);
  CHECK(shown.find("<testcase name=\"what is known is found\"") != std::string::npos);
  CHECK(how_often(shown, "<failure ") == 1);
  CHECK(how_often(shown, "<error ") == 0);
  CHECK(audit.with(markdown).find("**error:** `known.toml:7:`") != std::string::npos);
  CHECK(audit.with(github).starts_with("::error title=steertag audit::known.toml:7: X:"));
  audit.stale.clear();
  CHECK(how_often(audit.with(junit), "what is known is found\" classname=\"capture\" time=\"0\"/>") == 1);
}

TEST_CASE("GitHub: the ten worst, the first ones first, and how many more") {
  MadeAudit audit;
  audit.add(0, 9, rules::Severity::note);
  audit.next(1).certainty = rules::Certainty::possible;
  audit.add();
  audit.add(2, 1);
  const std::string shown = audit.with(github);
  CHECK(shown.starts_with("::error file=a.pcap,line=11,title=" + std::string(rule(2).id)));
  CHECK(shown.find("\n::error file=a.pcap,line=10,") == shown.find('\n'));
  CHECK(shown.find("\n::notice file=a.pcap,line=1,") != std::string::npos);
  CHECK(shown.find("line=9,") == std::string::npos);
  CHECK(how_often(shown, "\n") == 11);
  CHECK(shown.find("::notice title=steertag audit::1 more finding%0A") != std::string::npos);
}

TEST_CASE("GitHub: a command keeps to its line, a property to its place") {
  MadeAudit audit;
  audit.names = {"a,b:c%\n::error::d.pcap"};
  audit.next(0).text = "50 %\n::error::x, y\x1B";
  audit.add();
  const std::string shown = audit.with(github);
  CHECK(how_often(shown, "\n") == 2);
  CHECK(shown.find("file=a%2Cb%3Ac%25%0A%3A%3Aerror%3A%3Ad.pcap,line=1,") != std::string::npos);
  CHECK(shown.find("50 %25%0A::error::x, y\\x1b") != std::string::npos);
}

TEST_CASE("Markdown: five of a rule, and how many more, that of the worst rule first") {
  MadeAudit audit;
  audit.add(0, 1, rules::Severity::warning);
  audit.add(1, Verdict::kMostOfRule + 1);
  const std::string shown = audit.with(markdown);
  CHECK(how_often(shown, "**error** in frame") == 5);
  CHECK(shown.find("\n196 more of " + std::string(rule(1).id) + ".\n") != std::string::npos);
  CHECK(shown.find("### " + std::string(rule(1).id)) < shown.find("### " + std::string(rule(0).id)));
}

TEST_CASE("Markdown: fifty of what is known, and how much more there is") {
  MadeAudit audit;
  std::vector<Known> known(51);
  const auto add = [&](size_t i) {
    known[i].rule = rule(i).id;
    known[i].shape = "something";
    audit.next(i);
    audit.add(&known[i]);
  };
  for (size_t i = 0; i < 50; ++i) {
    add(i);
  }
  CHECK(how_often(audit.with(markdown), "\n- 1 finding: ") == 50);
  CHECK(how_often(audit.with(markdown), "more behaviour") == 0);
  add(50);
  CHECK(how_often(audit.with(markdown), "\n- 1 finding: ") == 50);
  CHECK(how_often(audit.with(markdown), "\n- 1 more behaviour\n") == 1);
}

TEST_CASE("Markdown: never as long as GitHub refuses, and it says what is missing") {
  MadeAudit audit;
  const std::string text = std::string(ExcerptWriter::kMost - 1, 'x') + "\n";
  for (size_t place = 0; place < rules::catalog().size(); ++place) {
    for (size_t i = 0; i < 5; ++i) {
      rules::Finding& finding = audit.next(place);
      finding.excerpt = {text, text, 0};
      finding.text = std::string(2000, 'y');
      audit.add();
    }
  }
  const std::string shown = audit.with(markdown);
  CHECK(shown.size() < 1 << 20);
  const size_t rules_shown = how_often(shown, "\n### ");
  CHECK(rules_shown > 50);
  const size_t missing = rules::catalog().size() - rules_shown;
  CHECK(shown.find(fmt::format("{} more findings of {} rules are not shown", 5 * missing, missing)) !=
        std::string::npos);
}

}  // namespace
}  // namespace steertag::report
