#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/named.h"
#include "report/finding.h"
#include "report/fold.h"
#include "report/names.h"
#include "report/table.h"
#include "report/text_parts.h"
#include "report/text_stats.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

// Takes the first word, or what is in quotes, off a text; empty where nothing is left.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  size_t end = std::min(text.find(' '), text.size());
  if (text.starts_with('"')) {
    const size_t closing = text.find('"', 1);
    end = closing == std::string_view::npos ? text.size() : closing + 1;
  }
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::string_view trimmed_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

// What is behind the opening fence of a scenario: "In version one, over iWARP:".
std::string fence_words(std::string_view fence) {
  // Words that only tests have to know have none.
  constexpr std::pair<std::string_view, std::string_view> kMeanings[] = {
      {"v1", "in version one"},
      {"v2", "in version two"},
      {"roce", "over RoCEv2"},
      {"iwarp", "over iWARP"},
      {"strict", "under profile strict"},
      {"rfc5666", "under profile rfc5666"},
      {"checksums", "with --checksums"},
      {"skewed", "by a tap of which one direction is late"}};
  std::string words;
  take_word(fence);  // "packets"
  for (std::string_view word = take_word(fence); !word.empty(); word = take_word(fence)) {
    if (const std::string_view meaning = base::named(kMeanings, word); !meaning.empty()) {
      words += (words.empty() ? "" : ", ") + std::string(meaning);
    }
  }
  if (words.empty()) {
    return words;
  }
  words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words + ":";
}

class RulePage {
 public:
  RulePage(Buffer& out, size_t width, const Palette& palette) : out_(out), width_(width), palette_(palette) {}

  void put_all(std::string_view page) {
    while (!page.empty()) {
      const size_t end = std::min(page.find('\n'), page.size());
      take(trimmed_end(page.substr(0, end)));
      page.remove_prefix(std::min(end + 1, page.size()));
    }
    end_paragraph();
  }

 private:
  void take(std::string_view line) {
    if (in_scenario_) {
      in_scenario_ = !line.starts_with("```");
      in_scenario_ ? scenario_.push_back(line) : end_scenario();
    } else if (line.starts_with("```")) {
      end_paragraph();
      in_scenario_ = true;
      gap();
      if (const std::string words = fence_words(line.substr(3)); !words.empty()) {
        put_wrapped(out_, "  ", words, width_);
      }
    } else if (line.starts_with("#")) {
      end_paragraph();
      gap();
      paint(out_, palette_, palette_.title, line.substr(line.find_first_not_of("# ")));
      put(out_, '\n');
    } else if (line.empty()) {
      end_paragraph();
    } else {
      paragraph_ += (paragraph_.empty() ? "" : " ") + std::string(line);
    }
  }

  // One blank line before whatever comes, but for the first.
  void gap() {
    if (std::exchange(any_, true)) {
      put(out_, '\n');
    }
  }

  void end_paragraph() {
    if (!paragraph_.empty()) {
      gap();
      put_wrapped(out_, "", paragraph_, width_);
      paragraph_.clear();
    }
  }

  void end_scenario() {
    constexpr size_t kIndent = 4;
    size_t column = 0;  // of what is said beside the lines
    for (const std::string_view line : scenario_) {
      const size_t mark = line.find("#!");
      column = std::max(column,
                        mark == std::string_view::npos ? 0 : columns_of(trimmed_end(line.substr(0, mark))));
    }
    for (const std::string_view line : scenario_) {
      const size_t mark = std::min(line.find("#!"), line.size());
      const std::string_view code = trimmed_end(line.substr(0, mark));
      const std::string words = mark == line.size() ? "" : expectation_words(line.substr(mark + 2));
      const size_t length = columns_of(code);
      const size_t behind = kIndent + std::max(column, length) + 2 + columns_of(words) + 3;
      if (kIndent + length > width_) {
        put_wrapped(out_, std::string(kIndent, ' '), code, width_);
      } else {
        print(out_, "{:{}}{}", "", kIndent, code);
        put(out_, words.empty() || behind > width_ ? "\n" : std::string(column - length + 2, ' '));
      }
      if (words.empty()) {
        continue;
      }
      const bool beside = behind <= width_;
      Buffer said;
      put_wrapped(said, beside ? "<- " : std::string(2 * kIndent, ' ') + "^ ", words,
                  beside ? SIZE_MAX : width_);
      said.resize(said.size() - 1);
      paint(out_, palette_, palette_.warn, view(said));
      put(out_, '\n');
    }
    scenario_.clear();
  }

  Buffer& out_;
  const size_t width_;
  const Palette& palette_;
  std::string paragraph_;
  std::vector<std::string_view> scenario_;
  bool in_scenario_ = false, any_ = false;
};

// What of the traffic must have been captured.
std::string needs_text(const rules::Rule& rule) {
  std::string needs;
  const auto add = [&](rules::Need need, std::string_view text) {
    if ((rule.needs & need) != 0) {
      needs += (needs.empty() ? "" : "; ") + std::string(text);
    }
  };
  add(rules::needs_setup, "the connection setup with its private data");
  add(rules::prefers_setup, "the connection setup (without it, a violation is only possible)");
  add(rules::needs_both_ways, "both directions");
  add(rules::needs_no_loss, "no frames missing in between");
  add(rules::needs_unbroken, "no frames missing between the Call and its Reply");
  add(rules::needs_end, "the end of the RPC or of the connection");
  return needs.empty() ? "the message alone" : needs;
}

}  // namespace

std::string expectation_words(std::string_view expectation) {
  std::string words, quoted;
  std::vector<std::string_view> notes;
  std::string_view rule;
  const auto end_one = [&] {
    if (rule.empty()) {
      return;
    }
    const bool may = rule.starts_with('?');
    words += words.empty() ? "" : "; ";
    words += fmt::format("{} report {}", may ? "may" : "must", rule.substr(may ? 1 : 0));
    words += notes.empty() ? "" : fmt::format(" ({})", fmt::join(notes, ", "));
    words += quoted.empty() ? "" : ": " + quoted;
    notes.clear();
    quoted.clear();
  };
  for (std::string_view word = take_word(expectation); !word.empty(); word = take_word(expectation)) {
    if (word.starts_with('"')) {
      quoted = word;
    } else if (word[0] == '?' || (word[0] >= 'A' && word[0] <= 'Z')) {
      end_one();
      rule = word;
    } else {
      notes.push_back(word);
    }
  }
  end_one();
  return words;
}

void put_rule_page(Buffer& out, std::string_view page, size_t width, const Palette& palette) {
  RulePage(out, width, palette).put_all(page);
}

void text_rule_line(Buffer& out, const rules::Rule& rule, const TextStyle& style) {
  hang(out, style, 17);
  print(out, "{:<8}", rule.id);
  paint(out, style.palette, severity_colour(rule.severity, style.palette),
        fmt::format("{:<8}", name(rule.severity)));
  print(out, " {}  ({} {})\n", rules::page(rule).requirement, rule.source.document, rule.source.section);
}

void text_rule(Buffer& out, const rules::Rule& rule, const TextStyle& style) {
  constexpr size_t kMostRead = 100;  // longer lines are hard to read
  const size_t width = std::min(line_width(style), kMostRead);
  const rules::Page page = rules::page(rule);
  paint(out, style.palette, style.palette.title, fmt::format("{} {}", rule.id, rule.name));
  put(out, "\n\n");
  put_wrapped(out, "", fmt::format("{}.", page.requirement), width);
  put(out, '\n');
  const auto fact = [&](std::string_view what, std::string_view text) {
    put_wrapped(out, fmt::format("{:<10} ", what), text, width);
  };
  fact("Source", fmt::format("{} §{}", rule.source.document, rule.source.section));
  fact("Severity", name(rule.severity));
  fact("Needs", needs_text(rule));
  put(out, '\n');
  put_wrapped(out, "", fmt::format("Why: {}.", page.why), width);
  put(out, '\n');
  put_rule_page(out, page.rest, width, style.palette);
}

}  // namespace steertag::report
