#include "scenario/lexer.h"

#include <fmt/core.h>

#include <algorithm>

namespace steertag::scenario {
namespace {

constexpr int kMaxDepth = 4;  // call(write(seg(...))) and one to spare

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

class LineLexer {
 public:
  LineLexer(std::string_view rest, Line& line, size_t& words) : rest_(rest), line_(line), words_(words) {}

  std::optional<Error> run() {
    terms(line_.terms, 0);
    if (!error_ && at_closing()) {
      fail("There is a ')' without a '(' before it.");
    }
    return error_;
  }

 private:
  void fail(std::string message) {
    if (!error_) {
      error_ = Error{line_.number, std::move(message)};
    }
  }

  bool at_closing() const { return !rest_.empty() && rest_.front() == ')'; }

  // False at the end of the line.
  bool skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) {
      rest_.remove_prefix(1);
    }
    if (!rest_.empty() && rest_.front() == '#') {
      if (rest_.starts_with("#!")) {
        line_.expectation = trimmed(rest_.substr(2));
      }
      rest_ = {};
    }
    return !rest_.empty();
  }

  void terms(std::vector<Term>& into, int depth) {
    while (!error_ && skip_blanks() && !at_closing()) {
      term(into, depth);
    }
  }

  void term(std::vector<Term>& into, int depth) {
    std::string_view word = rest_.substr(0, rest_.find_first_of(" \t\r()"));
    rest_.remove_prefix(word.size());
    if (word.ends_with(',')) {
      word.remove_suffix(1);
    }
    if (++words_ > kMaxWords) {
      return fail(fmt::format("The scenario has more than {} words.", kMaxWords));
    }
    if (depth == 0 && into.size() == kMaxLineWords) {
      return fail(fmt::format("The line has more than {} words beside those in parentheses.", kMaxLineWords));
    }
    Term& made = into.emplace_back();
    if (const size_t equals = word.find('='); equals != word.npos) {
      made.name = word.substr(0, equals);
      made.value = word.substr(equals + 1);
    } else {
      made.name = word;
    }
    if (!rest_.empty() && rest_.front() == '(') {
      rest_.remove_prefix(1);
      group(made, depth + 1);
    } else if (made.name.empty()) {
      fail("A value needs a name before its '='.");
    }
  }

  void group(Term& made, int depth) {
    if (depth > kMaxDepth) {
      return fail("Parentheses are nested too deep; nothing needs more than two levels.");
    }
    if (made.name.empty() || made.value) {
      return fail("A '(' needs a plain word right before it, as in write(4096).");
    }
    made.group = true;
    terms(made.arguments, depth);
    if (error_) {
      return;
    }
    if (!at_closing()) {
      return fail(fmt::format("{}( is never closed: add a ')' on the same line.", made.name));
    }
    rest_.remove_prefix(1);
  }

  std::string_view rest_;
  Line& line_;
  size_t& words_;  // of the whole scenario
  std::optional<Error> error_;
};

// Takes "a.client>" off the front of `text`.
std::string_view take_actor(std::string_view& text) {
  const size_t end = text.find_first_of("> \t\r#(");
  if (end == text.npos || text[end] != '>') {
    return {};
  }
  const std::string_view actor = text.substr(0, end);
  text.remove_prefix(end + 1);
  return actor;
}

}  // namespace

std::optional<Error> lex(std::string_view text, std::vector<Line>& into) {
  uint32_t number = 0;
  size_t words = 0;
  while (!text.empty()) {
    std::string_view rest = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), rest.size() + 1));
    Line line;
    line.number = ++number;
    rest = trimmed(rest);
    line.size = rest.size();
    line.actor = take_actor(rest);
    if (auto error = LineLexer(rest, line, words).run()) {
      return error;
    }
    if (!line.actor.empty() && line.terms.empty()) {
      return Error{number, fmt::format("Say what {} does, for example \"{}> call nfs3 NULL\".", line.actor,
                                       line.actor)};
    }
    if (!line.terms.empty() || !line.expectation.empty()) {
      into.push_back(std::move(line));
    }
  }
  return std::nullopt;
}

}  // namespace steertag::scenario
