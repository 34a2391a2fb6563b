// What a capture loses must not turn into an accusation. Real captures are cut,
// thinned, doubled, swapped, truncated, split, skewed, merged, mirrored in tunnels
// and left with one direction, thousands of times; each time the findings are compared with those on the
// whole capture: they may vanish or lose certainty, but no error or warning may appear as definite or likely
// that was not there before.
//
//   metamorphic ROUNDS CAPTURE...   mutations a capture, classic pcap; every one is reproducible
//   metamorphic ROUNDS SCENARIO...  the same of scenarios (.txt), over both fabrics; by RFC 5666 in a folder
//                                   of that name
//   metamorphic ROUNDS pages        and of all that the rules' pages say is kept, as their fences have it
//
// What no deployed peer speaks (version two, Read-Read, payloads in RDMA2_OPTIONAL) is in scenarios alone.
// NET-01 reports missing frames, and so appears when frames are removed; it is excluded.

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer.h"
#include "report/names.h"
#include "rules/audit.h"
#include "rules/catalog.h"
#include "rules/mutation.h"
#include "support/page.h"
#include "support/scenario_trace.h"
#include "support/trace.h"

namespace {

using namespace steertag;
using support::kFabrics;
using support::Trace;
using support::TraceFrame;
using test::kEndsEarly;
using test::kFullOfHoles;
using test::kKinds;
using test::kMerged;
using test::kOffForAWhile;
using test::kTapAhead;
using test::mutate;
using test::Mutation;

// A finding as it can be found again after the capture was changed.
using Key = std::tuple<std::string_view, uint32_t>;  // rule, XID

class Findings final : public rules::Listener {
 public:
  void on_finding(const rules::Finding& f) override {
    if (f.severity == rules::Severity::note || f.rule->id == "NET-01") {
      return;
    }
    Kept& kept = found[{f.rule->id, f.xid.value_or(0)}];
    if (kept.times++ == 0 || f.certainty > kept.certainty) {
      kept.certainty = f.certainty;
      kept.text = fmt::format("frame {}: {} ({}): {} [{}]", f.at.number, report::name(f.severity),
                              report::name(f.certainty), f.text, f.rule->id);
    }
  }

  struct Kept {
    rules::Certainty certainty{};
    uint32_t times = 0;
    std::string text;
  };
  std::map<Key, Kept> found;
};

// What is mutated, and how it is judged.
struct Subject {
  std::string name;
  Trace trace;
  bool iwarp = false;
  rules::Profile profile = rules::Profile::deployed;
  bool checksums = false, skewed = false;
  // A scenario is over as soon as it has begun, and nothing reveals what is missing just before the end.
  // So it meets with one misfortune at a time, in one place, and what that could explain may be likely there.
  bool brief = false;
  rules::Certainty least() const { return brief ? rules::Certainty::definite : rules::Certainty::likely; }
};

// Adds `text` as it is over `fabric`, `like` says how it is judged; nothing where it cannot be compiled.
void add_compiled(const std::string& text, scenario::Fabric fabric, Subject like,
                  std::vector<Subject>& subjects) {
  std::optional<Trace> trace = support::scenario_trace(text, fabric);
  if (!trace) {
    return;
  }
  like.iwarp = fabric == scenario::Fabric::iwarp;
  like.name += like.iwarp ? " over iwarp" : " over roce2";
  like.skewed |= text.find("\ntaps ") != std::string::npos;
  like.brief = true;
  like.trace = std::move(*trace);
  subjects.push_back(std::move(like));
}

void add_scenario(const std::string& path, std::vector<Subject>& subjects) {
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  Subject like;
  like.name = path;
  like.profile = path.find("/rfc5666/") != std::string::npos ? rules::Profile::rfc5666 : like.profile;
  for (const auto fabric : kFabrics) {
    add_compiled(text, fabric, like, subjects);
  }
}

void add_page(const rules::Rule& rule, const support::Block& block, std::vector<Subject>& subjects) {
  for (const auto fabric : kFabrics) {
    for (const int version : {1, 2}) {
      const bool here = fabric == scenario::Fabric::iwarp ? block.iwarp : block.roce;
      if (here && (version == 1 ? block.v1 : block.v2)) {
        Subject like;
        like.name = fmt::format("{} kept, version {}", rule.id, version);
        like.profile = block.profile;
        like.checksums = block.checksums;
        like.skewed = block.skewed;
        add_compiled(fmt::format("version {}\n{}", version, block.text), fabric, like, subjects);
      }
    }
  }
}

void add_pages(std::vector<Subject>& subjects) {
  for (const rules::Rule* rule : rules::catalog()) {
    for (const support::Block& block : support::blocks_of(rules::page(*rule).rest)) {
      if (!block.broken && !block.whole) {
        add_page(*rule, block, subjects);
      }
    }
  }
}

std::map<Key, Findings::Kept> audit(const Subject& subject, const Trace& trace, bool skewed) {
  Findings findings;
  Options options;
  options.verify_checksums = subject.checksums;
  rules::Settings settings;
  settings.profile = subject.profile;
  if (skewed || subject.skewed) {
    settings.skewed = true;
  }
  rules::Audit audit(findings, options, std::move(settings));
  support::feed_to_end(audit, trace);
  return findings.found;
}

std::vector<Subject> subjects_of(const std::vector<std::string>& words) {
  std::vector<Subject> subjects;
  for (const std::string& path : words) {
    if (path == "pages") {
      add_pages(subjects);
    } else if (path.ends_with(".txt")) {
      add_scenario(path, subjects);
    } else {
      Subject& subject = subjects.emplace_back();
      subject.name = path;
      subject.trace = support::load(path);
      subject.iwarp = path.find("iwarp") != std::string::npos;
    }
  }
  return subjects;
}

// Of one subject and what it may be merged with.
class Trial {
 public:
  Trial(const Subject& subject, const Trace* other, size_t seed)
      : subject_(subject),
        other_(other != nullptr ? *other : Trace{}),
        before_(audit(subject, subject.trace, false)),
        of_other_(other != nullptr ? audit(subject, *other, false) : before_),
        random_(static_cast<uint32_t>(seed)) {}

  // One misfortune or, every other time, two.
  Mutation misfortune(int round) {
    const int kind = round % kKinds;
    Mutation m = mutate(subject_.trace, other_, kind, random_);
    if (!subject_.brief && round / kKinds % 2 == 1 && kind != kEndsEarly && m.trace.frames.size() > 1) {
      const std::string first = m.name;
      const int second = static_cast<int>(random_() % kMerged);
      const bool hidden = second == kEndsEarly || (second == kOffForAWhile && kind == kMerged) ||
                          (second == kTapAhead && kind == kTapAhead);
      m = mutate(m.trace, {}, hidden ? second + 1 : second, random_);
      m.name = first + ", " + m.name;
    }
    return m;
  }

  // What is found now that was not found before; in words.
  std::vector<std::string> appeared(const Mutation& m, int kind) const {
    std::vector<std::string> texts;
    for (const auto& now : audit(subject_, m.trace, m.skewed)) {
      const Findings::Kept& kept = now.second;
      const auto known = [&](const auto& findings) {
        const auto same = findings.find(now.first);
        return same != findings.end() && same->second.certainty >= kept.certainty;
      };
      if (kept.certainty >= subject_.least() && !known(before_) && !(kind == kMerged && known(of_other_))) {
        texts.push_back(kept.text);
      }
    }
    return texts;
  }

 private:
  const Subject& subject_;
  Trace other_;
  std::map<Key, Findings::Kept> before_, of_other_;
  std::mt19937 random_;
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 2 ? std::atoi(argv[1]) : 0;
  if (rounds <= 0) {
    fmt::print("usage: metamorphic ROUNDS CAPTURE|SCENARIO.txt|pages...\n");
    return 2;
  }
  const std::vector<Subject> subjects = subjects_of({argv + 2, argv + argc});
  uint64_t done = 0;
  uint64_t bad = 0;
  std::array<uint64_t, kKinds> by_kind{};
  for (size_t i = 0; i < subjects.size(); ++i) {
    const Subject& subject = subjects[i];
    if (subject.trace.frames.size() < 2) {
      continue;
    }
    // Merging is a matter of captures whose hosts and QPs differ: RoCE with iWARP.
    const auto other = std::find_if(subjects.begin(), subjects.end(),
                                    [&](const Subject& one) { return one.iwarp != subject.iwarp; });
    Trial trial(subject, other != subjects.end() ? &other->trace : nullptr, i + 1);
    for (int round = 0; round < rounds; ++round) {
      const int kind = round % kKinds;
      if (subject.brief && kind == kFullOfHoles) {
        continue;
      }
      const Mutation m = trial.misfortune(round);
      ++done;
      for (const std::string& text : trial.appeared(m, kind)) {
        ++bad;
        if (++by_kind[static_cast<size_t>(kind)] <= 10) {
          fmt::print("{}, {}: appears: {}\n", subject.name, m.name, text);
        }
      }
    }
  }
  fmt::print("{} mutations of {} captures: {} findings appeared\n", done, subjects.size(), bad);
  return bad == 0 && done != 0 ? 0 : 1;
}
