// What captures cost, counted in instructions under callgrind: an audit, one that describes what it finds,
// flows alone, or to be sanitized. For each capture there is a dump of its own, so that one start of valgrind
// does for all of them.
//
//   valgrind --tool=callgrind capture_cost audit|described|flows|sanitize BYTES CAPTURE...
#include <valgrind/callgrind.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include "analyzer.h"
#include "capture/reader.h"
#include "report/excerpt.h"
#include "rules/audit.h"
#include "sanitize/rewriter.h"
#include "sanitize/survey.h"

namespace {

using namespace steertag;

struct Deaf final : Observer, rules::Listener {
  void on(const Event&) override {}
  void on_finding(const rules::Finding&) override { ++findings; }
  uint64_t findings = 0;
};

template <typename Analysis>
void feed_all(Analysis& analysis, Bytes unread) {
  const std::unique_ptr<capture::Reader> reader = capture::recognise(unread);
  Frame frame;
  for (;;) {
    const capture::Step step = reader->next(unread, frame);
    if (step.kind == capture::Step::Kind::more || step.kind == capture::Step::Kind::damaged) {
      break;
    }
    if (step.kind == capture::Step::Kind::frame) {
      analysis.feed(frame);
    }
    unread = slice(unread, step.used);
  }
  analysis.finish();
}

// The two readings of sanitize.
void sanitize_all(Bytes bytes, const Options& options) {
  const sanitize::Key key = sanitize::Key::of(std::array<uint8_t, 32>{});
  sanitize::Plan plan(key, options.memory);
  sanitize::Survey survey(key, options, plan);
  feed_all(survey, bytes);
  struct {
    sanitize::Rewriter rewriter;
    std::vector<uint8_t> into;
    void feed(const Frame& frame) { rewriter.rewrite(frame, into); }
    void finish() {}
  } rewriting{sanitize::Rewriter(key, options.intake().ports, plan), {}};
  feed_all(rewriting, bytes);
}

}  // namespace

int main(int count, char** words) {
  const std::string_view what = words[1];
  Options options;
  options.memory = std::stoull(words[2]);
  for (int i = 3; i < count; ++i) {
    std::ifstream file(words[i], std::ios::binary);
    const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    Deaf deaf;
    uint64_t messages = 0;
    CALLGRIND_ZERO_STATS;
    if (what == "audit" || what == "described") {
      const report::TextStyle style;
      report::ExcerptWriter excerpts(style);
      rules::Settings settings;
      settings.describer = what == "described" ? &excerpts : nullptr;
      rules::Audit analysis(deaf, options, settings);
      feed_all(analysis, bytes);
      messages = analysis.counters().messages;
    } else if (what == "sanitize") {
      sanitize_all(bytes, options);
    } else {
      Analyzer analysis(deaf, options);
      feed_all(analysis, bytes);
      messages = analysis.counters().messages;
    }
    CALLGRIND_DUMP_STATS_AT(words[i]);
    std::printf("%s %llu %llu\n", words[i], static_cast<unsigned long long>(messages),
                static_cast<unsigned long long>(deaf.findings));
  }
}
