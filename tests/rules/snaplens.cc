// A snaplen may end anywhere in a message, also where what is wrong with it can be seen in part. Every
// scenario on the rules' pages is captured with each of a range of snaplens, Calls and Replies alike; what
// breaks a rule has to be survived, and of what keeps them all no error or warning may be definite or
// likely that is not there with whole frames. Fences with `whole` have to be survived only.
//
//   snaplens            every rule
//   snaplens CHK-12 INV these rules and families

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer.h"
#include "report/names.h"
#include "rules/audit.h"
#include "rules/catalog.h"
#include "support/page.h"
#include "support/scenario_trace.h"
#include "support/trace.h"

namespace {

using namespace steertag;
using support::Block;
using support::Trace;

// Bytes of a frame: from the ports on, to the end of most COMPOUNDs.
constexpr size_t kShortest = 54, kLongest = 294, kStep = 6;

using Key = std::tuple<std::string_view, uint32_t>;  // rule, XID

class Findings final : public rules::Listener {
 public:
  void on_finding(const rules::Finding& f) override {
    const bool left_out = f.rule->id == "NET-01";
    if (f.severity != rules::Severity::note && f.certainty >= rules::Certainty::likely && !left_out) {
      found.emplace(Key{f.rule->id, f.xid.value_or(0)},
                    fmt::format("frame {}: {} [{}]", f.at.number, f.text, f.rule->id));
    }
  }
  std::map<Key, std::string> found;
};

std::map<Key, std::string> audit(const Trace& trace, const Block& block) {
  rules::Settings settings;
  settings.profile = block.profile;
  if (block.skewed) {
    settings.skewed = true;
  }
  Options options;
  options.verify_checksums = block.checksums;
  Findings findings;
  rules::Audit audit(findings, options, std::move(settings));
  support::feed_to_end(audit, trace);
  return findings.found;
}

// How many findings appear; those of the shortest snaplen that produces them are reported.
uint64_t play(const Trace& whole, const Block& block, const std::string& name) {
  const auto before = audit(whole, block);
  std::set<Key> appeared;
  for (size_t snaplen = kShortest; snaplen <= kLongest; snaplen += kStep) {
    Trace cut = whole;
    for (support::TraceFrame& frame : cut.frames) {
      frame.bytes.resize(std::min(frame.bytes.size(), snaplen));
    }
    for (const auto& [key, text] : audit(cut, block)) {
      if (!block.broken && !block.whole && !before.contains(key) && appeared.insert(key).second) {
        fmt::print("{}, snaplen {}: appears: {}\n", name, snaplen, text);
      }
    }
  }
  return appeared.size();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  uint64_t scenarios = 0, bad = 0;
  for (const rules::Rule* rule : rules::catalog()) {
    const auto meant = [&](const std::string& word) { return rules::meant(*rule, word); };
    if (!words.empty() && std::none_of(words.begin(), words.end(), meant)) {
      continue;
    }
    for (const Block& block : support::blocks_of(rules::page(*rule).rest)) {
      for (const auto fabric : support::kFabrics) {
        const bool iwarp = fabric == scenario::Fabric::iwarp;
        for (const int version : {1, 2}) {
          const bool here = (iwarp ? block.iwarp : block.roce) && (version == 1 ? block.v1 : block.v2);
          const auto text = fmt::format("version {}\n{}", version, block.text);
          if (const auto whole = here ? support::scenario_trace(text, fabric) : std::nullopt) {
            ++scenarios;
            bad += play(*whole, block,
                        fmt::format("{} {}, version {} over {}", rule->id, block.broken ? "broken" : "kept",
                                    version, iwarp ? "iwarp" : "roce2"));
          }
        }
      }
    }
  }
  fmt::print("{} scenarios: {} findings appeared\n", scenarios, bad);
  return bad == 0 && scenarios != 0 ? 0 : 1;
}
