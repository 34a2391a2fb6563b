// What the rules said of scenarios, kept as text beside the tests (found/): each
// finding to the word, with all that is said beside its sentence, and how often each
// rule was put to the test. A frame is called by the line that made it, "3.2" is the
// second of line 3, so that both transports give the same text where they are judged
// alike; what is the same is kept once.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/names.h"
#include "rules/catalog.h"
#include "rules/finding.h"
#include "rules/tally.h"
#include "scenario/scenario.h"

namespace steertag::support {

inline std::string frame_name(const Stamp& at, const scenario::Trace& trace, uint32_t above) {
  if (at.number < 1 || at.number > trace.frames.size()) {
    return "-";
  }
  const uint32_t line = trace.frames[at.number - 1].source_line;
  const auto of_line = [&](const scenario::SynthFrame& frame) { return frame.source_line == line; };
  const auto first = trace.frames.begin();
  return fmt::format("{}.{}", line - above,
                     std::count_if(first, first + static_cast<std::ptrdiff_t>(at.number), of_line));
}

// One line. `above`: lines of the text that are not in the scenario as it is printed.
inline std::string told(const rules::Finding& f, const scenario::Trace& trace, uint32_t above) {
  std::string text = fmt::format("  {} {} {}", frame_name(f.at, trace, above), report::name(f.severity),
                                 report::name(f.certainty));
  if (f.blame != rules::Blame::undecided) {
    text += fmt::format(" {}", report::name(f.blame));
  }
  if (f.by) {
    text += *f.by == rdma::Side::a ? " (a)" : " (b)";
  }
  text += fmt::format(" [{}] {}", f.rule->id, f.text);
  if (f.xid) {
    text += fmt::format("; xid {:#x}", *f.xid);
  }
  if (f.handle) {
    text += fmt::format("; handle {:#x}", *f.handle);
  }
  if (f.where) {
    text += fmt::format("; at {}+{}", f.where->offset, f.where->length);
  }
  for (const Stamp& one : f.related) {
    text += fmt::format("{}{}", &one == f.related.data() ? "; see " : ", ", frame_name(one, trace, above));
  }
  if (f.count != 1) {
    text += fmt::format("; {} times", f.count);
  }
  return text + fmt::format(" ({} {})\n", f.source.document, f.source.section);
}

// "3 kept, 1 broken, 2 end": of what could not be decided, why.
inline std::string told(const rules::Tally& tally) {
  constexpr std::array<const char*, rules::kLacks> kNames = {"setup", "direction", "loss", "bytes", "end"};
  std::string text;
  const auto add = [&](uint64_t times, const char* what) {
    text += times == 0 ? "" : fmt::format("{}{} {}", text.empty() ? "" : ", ", times, what);
  };
  add(tally.kept, "kept");
  add(tally.broken, "broken");
  for (size_t lack = 0; lack < rules::kLacks; ++lack) {
    add(tally.lacks[lack], kNames[lack]);
  }
  return text;
}

// Rules with what was said of them, a family to the line: "CHK-02 3 kept; CHK-03 1 bytes".
template <typename Wanted>
std::string told(const std::vector<rules::Tally>& tallies, const Wanted& wanted) {
  std::string text;
  std::string_view family;
  for (size_t place = 0; place < tallies.size(); ++place) {
    const rules::Rule& rule = *rules::catalog()[place];
    if (tallies[place].checked() != 0 && wanted(rule)) {
      const bool same = rule.id.substr(0, 3) == std::exchange(family, rule.id.substr(0, 3));
      text += fmt::format("{}{} {}",
                          same           ? "; "
                          : text.empty() ? "  "
                                         : "\n  ",
                          rule.id, told(tallies[place]));
    }
  }
  return text.empty() ? text : text + "\n";
}

// Texts, each with where it was had; the same text of several places is kept once.
class Found {
 public:
  void add(const std::string& where, const std::string& text) {
    const auto same =
        std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) { return part.text == text; });
    if (same != parts_.end()) {
      same->where += ", " + where;
    } else {
      parts_.push_back({where, text});
    }
  }
  // All of them under a heading.
  std::string take(const std::string& heading) {
    std::string all;
    for (const Part& part : std::exchange(parts_, {})) {
      all += fmt::format("{}: {}\n{}", heading, part.where, part.text);
    }
    return all;
  }

 private:
  struct Part {
    std::string where, text;
  };
  std::vector<Part> parts_;
};

// Compares a text with the kept one, or writes it; the lines that differ, empty where none does.
inline std::string differences(const std::filesystem::path& kept, const std::string& text, bool update) {
  std::ifstream in(kept);
  const std::string before{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (before == text) {
    return {};
  }
  if (update) {
    std::filesystem::create_directories(kept.parent_path());
    std::ofstream(kept) << text;
    fmt::print("wrote {}\n", kept.string());
    return {};
  }
  const auto lines_of = [](const std::string& from) {
    std::multiset<std::string> lines;
    std::istringstream words(from);
    for (std::string line; std::getline(words, line);) {
      lines.insert(line);
    }
    return lines;
  };
  const std::multiset<std::string> was = lines_of(before), is = lines_of(text);
  std::vector<std::string> gone, come;
  std::set_difference(was.begin(), was.end(), is.begin(), is.end(), std::back_inserter(gone));
  std::set_difference(is.begin(), is.end(), was.begin(), was.end(), std::back_inserter(come));
  std::string shown = fmt::format("not what is kept in {} (--update writes it):\n", kept.string());
  for (const std::string& line : gone) {
    shown += "-" + line + "\n";
  }
  for (const std::string& line : come) {
    shown += "+" + line + "\n";
  }
  return shown;
}

}  // namespace steertag::support
