// What captures cost an audit, or flows alone, counted in instructions under callgrind: for
// each capture a dump of its own, so that one start of valgrind does for all of them.
//
//   valgrind --tool=callgrind capture_cost audit|flows BYTES CAPTURE...
#include <valgrind/callgrind.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include "analyzer.h"
#include "capture/reader.h"
#include "rules/audit.h"

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

}  // namespace

int main(int count, char** words) {
  const bool audit = std::string_view(words[1]) == "audit";
  Options options;
  options.memory = std::stoull(words[2]);
  for (int i = 3; i < count; ++i) {
    std::ifstream file(words[i], std::ios::binary);
    const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    Deaf deaf;
    uint64_t messages = 0;
    CALLGRIND_ZERO_STATS;
    if (audit) {
      rules::Audit analysis(deaf, options);
      feed_all(analysis, bytes);
      messages = analysis.counters().messages;
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
