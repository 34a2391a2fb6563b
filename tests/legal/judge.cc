#include "judge.h"

#include <fmt/core.h>

#include <utility>
#include <variant>

#include "report/names.h"
#include "rules/audit.h"
#include "scenario/scenario.h"

namespace steertag::legal {
namespace {

class Findings final : public rules::Listener {
 public:
  explicit Findings(const scenario::Trace& trace) : trace_(trace) {}

  void on_finding(const rules::Finding& f) override {
    const uint64_t frame = f.at.number;
    const uint32_t line =
        frame >= 1 && frame <= trace_.frames.size() ? trace_.frames[frame - 1].source_line : 0;
    found.push_back({f.rule->id, f.severity, f.certainty,
                     fmt::format("line {}: {} {} [{}] {}", line, report::name(f.severity),
                                 report::name(f.certainty), f.rule->id, f.text)});
  }
  std::vector<Seen> found;

 private:
  const scenario::Trace& trace_;
};

}  // namespace

Verdict judge(const std::string& text, rules::Profile profile) {
  Verdict verdict;
  const auto made = scenario::compile(text);
  if (const auto* error = std::get_if<scenario::Error>(&made)) {
    verdict.error = fmt::format("line {}: {}", error->line, error->message);
    return verdict;
  }
  const auto& trace = std::get<scenario::Trace>(made);
  Findings findings(trace);
  rules::Settings settings;
  settings.profile = profile;
  rules::Audit audit(findings, {}, std::move(settings));
  uint64_t number = 0;
  for (const scenario::SynthFrame& frame : trace.frames) {
    audit.feed({{.number = ++number, .time_ns = frame.time_ns},
                trace.link_type,
                frame.bytes,
                frame.original_length});
  }
  audit.finish();
  verdict.found = std::move(findings.found);
  verdict.tallies = audit.tallies();
  return verdict;
}

}  // namespace steertag::legal
