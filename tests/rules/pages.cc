// Runs the scenarios on the pages of the rules (core/rules/*/*.md): what is
// under "Broken" must be found, at the frames of the line that says so, and
// no other error or warning; what is under "Kept" must pass without any. Notes
// that nobody expects are not counted. Each
// runs over RoCEv2 and over iWARP, in both versions, unless its fence says less.
//
//   pages                     every rule; then a table rule x transport x version
//   pages CHK-02 INV          these rules and families
//   pages -v CHK-02           and what was found
//   pages --quiet FILE...     scenarios in files of their own: no error, no warning; by RFC 5666 in a
//                             folder of that name
//   pages --update ...        and what was found is kept, for the next run to be compared with
//
// What is too close to the edge for a page is in edges/, in files like the pages. Of each rule, and of each
// file, found/ has what the rules said to the last word: a change shows there, and its diff is what gets
// reviewed.
//
// The fence: ```packets [v1] [v2] [roce] [iwarp] [strict] [rfc5666] [checksums] [skewed] [whole]
// An expectation behind a line: #! CHK-02 [error|warning|note] [possible|likely|definite] ["part of the
// text"]; behind one line there may be several.

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "report/names.h"
#include "rules/audit.h"
#include "rules/catalog.h"
#include "rules/found.h"
#include "scenario/scenario.h"
#include "support/page.h"

namespace {

using namespace steertag;
using support::Block;
using support::blocks_of;

struct Expected {
  uint32_t line = 0;
  std::string rule, severity, certainty, part;
  bool met = false;
};

class Listener final : public rules::Listener {
 public:
  void on_finding(const rules::Finding& finding) override {
    found.push_back(finding);
    found.back().connection = nullptr;  // it may be gone by the time anybody looks
  }
  std::vector<rules::Finding> found;
};

bool verbose = false, update = false;
const std::filesystem::path kHere = STEERTAG_ROOT "/tests/rules";

// What there is to see of a scenario.
struct Seen {
  std::string shown;  // for eyes
  std::string told;   // to be kept
  std::vector<rules::Tally> tallies;
  std::vector<rules::Tally> cut, thinned;  // where the capture lacks something: the sum of several
};

void add(std::vector<rules::Tally>& sum, const std::vector<rules::Tally>& more) {
  sum.resize(more.size());
  for (size_t i = 0; i < more.size(); ++i) {
    sum[i].add(more[i]);
  }
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Expected expectation(const scenario::Expectation& from) {
  Expected e;
  e.line = from.line;
  const size_t quote = from.text.find('"');
  std::istringstream words(from.text.substr(0, quote));
  for (std::string word; words >> word;) {
    if (word == "error" || word == "warning" || word == "note") {
      e.severity = word;
    } else if (word == "possible" || word == "likely" || word == "definite") {
      e.certainty = word;
    } else if (word.starts_with("?")) {  // may be found, too
      e.rule = word.substr(1);
      e.met = true;
    } else {
      e.rule = word;
    }
  }
  if (quote != std::string::npos) {
    e.part = from.text.substr(quote + 1, from.text.rfind('"') - quote - 1);
  }
  return e;
}

bool meets(const rules::Finding& f, const Expected& e, const scenario::Trace& trace) {
  return f.at.number >= 1 && f.at.number <= trace.frames.size() &&
         trace.frames[f.at.number - 1].source_line == e.line && f.rule->id == e.rule &&
         (e.severity.empty() || e.severity == report::name(f.severity)) &&
         (e.certainty.empty() || e.certainty == report::name(f.certainty)) &&
         f.text.find(e.part) != std::string::npos;
}

std::vector<Expected> expectations_of(const scenario::Trace& trace) {
  std::vector<Expected> expected;
  for (scenario::Expectation e : trace.expectations) {
    const std::string all = e.text;
    for (size_t at = 0; at != std::string::npos;) {
      const size_t next = all.find("#!", at);
      e.text = all.substr(at, next == std::string::npos ? next : next - at);
      expected.push_back(expectation(e));
      at = next == std::string::npos ? next : next + 2;
    }
  }
  return expected;
}

// What was found and was not expected, and the other way round. `out`: what was found.
std::string compare(const std::vector<rules::Finding>& found, std::vector<Expected>& expected,
                    const scenario::Trace& trace, bool about_loss, std::string& out) {
  std::string wrong;
  for (const rules::Finding& f : found) {
    const uint32_t line = f.at.number >= 1 && f.at.number <= trace.frames.size()
                              ? trace.frames[f.at.number - 1].source_line
                              : 0;
    const std::string shown =
        fmt::format("    line {} frame {}: {} ({}): {} [{}]\n", line, f.at.number, report::name(f.severity),
                    report::name(f.certainty), f.text, f.rule->id);
    out += shown;
    bool wanted = false;
    for (Expected& e : expected) {
      if (meets(f, e, trace)) {
        e.met = wanted = true;
      }
    }
    // Where a scenario leaves frames out of the capture, NET-01 says so.
    const bool loss = f.rule->id == "NET-01" && !about_loss;
    if (!wanted && !loss && f.severity != rules::Severity::note) {
      wrong += "  not expected:\n" + shown;
    }
  }
  for (const Expected& e : expected) {
    if (!e.met) {
      wrong += fmt::format("  not found: line {}: {} {} {} \"{}\"\n", e.line, e.rule, e.severity, e.certainty,
                           e.part);
    }
  }
  return wrong;
}

// What a capture may lack: the end of each frame, or some frames.
struct Lacking {
  size_t most = SIZE_MAX;        // bytes of a frame
  uint64_t every = 0, from = 0;  // frames; 0: none
};

// Lets the rules judge the frames, as far as they were captured; returns how many messages were heard.
uint64_t judge(const scenario::Trace& trace, const Block& block, const Lacking& lacking, Listener& listener,
               std::vector<rules::Tally>& tallies) {
  rules::Settings settings;
  settings.profile = block.profile;
  if (block.skewed) {
    settings.skewed = true;
  }
  Options options;
  options.verify_checksums = block.checksums;
  rules::Audit audit(listener, options, std::move(settings));
  uint64_t number = 0;
  for (const scenario::SynthFrame& frame : trace.frames) {
    ++number;
    if (lacking.every == 0 || number % lacking.every != lacking.from) {
      audit.feed({{.number = number, .time_ns = frame.time_ns},
                  trace.link_type,
                  {Bytes(frame.bytes).first(std::min(frame.bytes.size(), lacking.most))},
                  frame.original_length});
    }
  }
  audit.finish();
  add(tallies, audit.tallies());
  return audit.counters().messages;
}

// The same where the capture lacks something.
void judge_lacking(const scenario::Trace& trace, const Block& block, Seen& seen) {
  Listener nobody;
  for (const size_t most : {80, 96, 112, 128, 160, 224}) {
    judge(trace, block, {.most = most}, nobody, seen.cut);
  }
  for (uint64_t from = 0; from < 5; ++from) {
    judge(trace, block, {.every = 5, .from = from}, nobody, seen.thinned);
  }
}

// Runs one scenario; empty where all is as it should be. `above`: lines put before it.
std::string run(const std::string& text, uint32_t above, const Block& block, scenario::Fabric fabric,
                Seen& seen) {
  scenario::Choices choices;
  choices.fabric = fabric;
  const auto compiled = scenario::compile(text, choices);
  if (const auto* error = std::get_if<scenario::Error>(&compiled)) {
    return fmt::format("line {}: {}", error->line, error->message);
  }
  const auto& trace = std::get<scenario::Trace>(compiled);
  Listener listener;
  const uint64_t messages = judge(trace, block, {}, listener, seen.tallies);
  judge_lacking(trace, block, seen);

  std::vector<Expected> expected = expectations_of(trace);
  std::string wrong = compare(listener.found, expected, trace, block.about_loss, seen.shown);
  for (const rules::Finding& finding : listener.found) {
    seen.told += support::told(finding, trace, above);
  }
  if (messages == 0 && !block.about_setup) {
    wrong += "  no message is heard\n";
  }
  if (block.broken && expected.empty()) {
    wrong += "  expects nothing (no #! after any line)\n";
  }
  return wrong;
}

struct Cells {  // of the table: a letter for each scenario, by {iwarp, version}
  std::map<std::pair<bool, int>, std::string> of;
  int bad = 0;
};

// Runs a scenario wherever it means something; what was found there, for found/, is added to `kept`.
void run_everywhere(const rules::Rule& rule, const Block& block, const std::string& name, Cells& cells,
                    Seen& sum, std::string& kept) {
  support::Found found;
  for (const auto fabric : {scenario::Fabric::roce2, scenario::Fabric::iwarp}) {
    for (const int version : {1, 2}) {
      const bool iwarp = fabric == scenario::Fabric::iwarp;
      if (!(iwarp ? block.iwarp : block.roce) || !(version == 1 ? block.v1 : block.v2)) {
        continue;
      }
      Seen seen;
      const std::string wrong =
          run(fmt::format("version {}\n{}", version, block.text), 1, block, fabric, seen);
      cells.of[{iwarp, version}] += !wrong.empty() ? '!' : block.broken ? 'B' : 'k';
      const std::string where = fmt::format("{} v{}", iwarp ? "iwarp" : "roce2", version);
      if (!wrong.empty() || verbose) {
        fmt::print("{} {} {}: {}\n{}{}", rule.id, name, where, wrong.empty() ? "as expected" : "WRONG", wrong,
                   wrong.empty() ? seen.shown : "");
      }
      if (!wrong.empty()) {
        fmt::print("{}\n", block.text);
        ++cells.bad;
      }
      const auto own = [&](const rules::Rule& one) { return &one == &rule; };
      found.add(where, seen.told + support::told(seen.tallies, own));
      add(sum.tallies, seen.tallies);
      add(sum.cut, seen.cut);
      add(sum.thinned, seen.thinned);
    }
  }
  kept += found.take(name);
}

// Whether anything of what is on the page of the rule, and in edges/, is not as it should be.
bool run_page(const rules::Rule& rule, Cells& cells) {
  bool any[2] = {};
  std::string kept;
  Seen sum;
  for (const bool edges : {false, true}) {
    const std::string own = contents(kHere / "edges" / (std::string(rule.id) + ".md"));
    int numbers[2] = {};
    for (Block& block : blocks_of(edges ? own : rules::page(rule).rest)) {
      block.about_loss = rule.id == "NET-01";
      block.about_setup = rule.id.starts_with("SET-");
      any[block.broken ? 1 : 0] = true;
      const std::string name = fmt::format("{}{} {}", edges ? "edge, " : "", block.broken ? "broken" : "kept",
                                           ++numbers[block.broken ? 1 : 0]);
      run_everywhere(rule, block, name, cells, sum, kept);
    }
  }
  const rules::Page page = rules::page(rule);
  const auto one_line = [](std::string_view text) {
    return !text.empty() && text.find('\n') == std::string_view::npos && text.back() != '.';
  };
  if (!one_line(page.requirement) || !one_line(page.why)) {
    fmt::print("{}: its page does not begin with two lines: the requirement, and \"Why: \" with the reason\n",
               rule.id);
    ++cells.bad;
  }
  if (!any[0] || !any[1]) {
    fmt::print("{}: its page has no {} scenario\n", rule.id, any[1] ? "kept" : "broken");
    ++cells.bad;
  }
  const auto all = [](const rules::Rule&) { return true; };
  kept += "in all:\n" + support::told(sum.tallies, all);
  kept += "in all, cut to 80, 96, 112, 128, 160, 224 bytes:\n" + support::told(sum.cut, all);
  kept += "in all, each fifth of the frames missing:\n" + support::told(sum.thinned, all);
  const std::string other =
      support::differences(kHere / "found" / (std::string(rule.id) + ".txt"), kept, update);
  fmt::print("{}", other);
  return cells.bad == 0 && other.empty();
}

int pages(const std::vector<std::string>& words) {
  int bad = 0;
  std::string table = fmt::format("{:<8} {:^12} {:^12}\n{:<8} {:^5} {:^5}  {:^5} {:^5}\n", "", "RoCEv2",
                                  "iWARP", "rule", "v1", "v2", "v1", "v2");
  for (const rules::Rule* rule : rules::catalog()) {
    if (!words.empty() && std::none_of(words.begin(), words.end(),
                                       [&](const std::string& word) { return rules::meant(*rule, word); })) {
      continue;
    }
    Cells cells;
    bad += run_page(*rule, cells) ? 0 : 1;
    table += fmt::format("{:<8} {:^5} {:^5}  {:^5} {:^5}\n", rule->id, cells.of[{false, 1}],
                         cells.of[{false, 2}], cells.of[{true, 1}], cells.of[{true, 2}]);
  }
  fmt::print("{}B: broken, and found; k: kept, and silent; !: neither\n{} wrong\n", table, bad);
  return bad == 0 ? 0 : 1;
}

int quiet(const std::vector<std::string>& paths) {
  int bad = 0;
  for (const std::string& path : paths) {
    const std::string text = contents(path);
    const bool former = path.find("/rfc5666/") != std::string::npos;
    support::Found found;
    bool wrong_anywhere = false;
    for (const auto fabric : {scenario::Fabric::roce2, scenario::Fabric::iwarp}) {
      Seen seen;
      Block block;
      block.skewed = text.find("\ntaps ") != std::string::npos;
      if (former) {
        block.profile = rules::Profile::rfc5666;
      }
      const char* const where = fabric == scenario::Fabric::iwarp ? "iwarp" : "roce2";
      const std::string wrong = run(text, 0, block, fabric, seen);
      if (text.empty() || !wrong.empty() || verbose) {
        fmt::print("{} over {}:\n{}{}", path, where, wrong, verbose ? seen.shown : "");
      }
      wrong_anywhere |= text.empty() || !wrong.empty();
      const auto all = [](const rules::Rule&) { return true; };
      found.add(where, seen.told + support::told(seen.tallies, all) +
                           "cut to 80, 96, 112, 128, 160, 224 bytes:\n" + support::told(seen.cut, all) +
                           "each fifth of the frames missing:\n" + support::told(seen.thinned, all));
    }
    const std::string stem = std::filesystem::path(path).stem().string();
    const std::string other =
        support::differences(kHere / "found/silent" / fmt::format("{}{}.txt", former ? "rfc5666-" : "", stem),
                             found.take(stem), update);
    fmt::print("{}", other);
    bad += wrong_anywhere || !other.empty() ? 1 : 0;
  }
  fmt::print("{} of {} scenarios with findings that the traffic does not deserve\n", bad, paths.size());
  return bad == 0 && !paths.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  verbose = std::erase(words, "-v") != 0;
  update = std::erase(words, "--update") != 0;
  if (std::erase(words, "--quiet") != 0) {
    return quiet(words);
  }
  return pages(words);
}
