// What the tests of findings have in common: a connection, findings on it, and a
// Listener that writes what it hears as short words: "MEM-01 definite 7" is a
// finding of that rule, so sure, in frame 7.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/names.h"
#include "rules/catalog.h"
#include "rules/docket.h"

namespace steertag::rules {

inline const Rule& rule(std::string_view id) {
  for (const Rule* one : catalog()) {
    if (one->id == id) {
      return *one;
    }
  }
  std::abort();
}

inline Finding made(const track::Connection& connection, const Rule& by, uint64_t frame) {
  Finding finding;
  finding.rule = &by;
  finding.severity = by.severity;
  finding.connection = &connection;
  finding.at = {.number = frame};
  finding.text = "text";
  return finding;
}

inline std::string word(const Finding& finding) {
  return std::string(finding.rule->id) + " " + std::string(report::name(finding.certainty)) + " " +
         std::to_string(finding.at.number);
}

class Heard final : public Listener {
 public:
  std::vector<std::string> findings, texts;
  void on_finding(const Finding& finding) override {
    findings.push_back(word(finding));
    texts.push_back(finding.text);
  }
  void on_judged(const track::Connection&) override { findings.push_back("over"); }

  std::vector<std::string> take() { return std::exchange(findings, {}); }
};

using Words = std::vector<std::string>;

}  // namespace steertag::rules
