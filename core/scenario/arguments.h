// Arguments: the terms of one line or group, handed out by name. A parser takes
// what it knows; whatever is left over at the end is an error that names it. Problem keeps the first error,
// so that parsers are written straight down.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/lexer.h"
#include "scenario/script.h"

namespace steertag::scenario {

struct Problem {
  uint32_t line = 0;  // the line being parsed or played
  std::optional<Error> error;

  void say(std::string message) {
    if (!error) {
      error = Error{line, std::move(message)};
    }
  }
  bool any() const { return error.has_value(); }
};

class Arguments {
 public:
  Arguments(const std::vector<Term>& terms, Problem& problem, size_t skip = 0)
      : terms_(terms), used_(terms.size(), false), problem_(problem) {
    for (size_t i = 0; i < skip && i < used_.size(); ++i) {
      used_[i] = true;
    }
  }

  bool flag(std::string_view name) { return take(name, Form::word) != nullptr; }  // name
  std::optional<std::string_view> value(std::string_view name);                   // name=value
  std::optional<uint64_t> number(std::string_view name, uint64_t max);            // name=number
  std::optional<uint32_t> number(std::string_view name);                          // 32 bits
  std::optional<std::vector<uint8_t>> octets(std::string_view name);              // name=hex
  // name=both or name=client/server
  template <typename T>
  void pair(std::string_view name, std::array<T, 2>& into, uint64_t max);
  // name=number, into `into`. Whether it was there.
  template <typename T>
  bool assign(std::string_view name, T& into, uint64_t max) {
    const auto value = number(name, max);
    into = value ? static_cast<T>(*value) : into;
    return value.has_value();
  }
  const Term* group(std::string_view name) { return take(name, Form::group); }  // name(...): the next one
  const Term* word() { return take({}, Form::word); }         // the next one, skipping groups and values
  const Term* next_value() { return take({}, Form::value); }  // the next name=value that was not taken

  // Everything must have been taken. `expected` says what could be here.
  void finish(std::string_view expected);

  Problem& problem() { return problem_; }

 private:
  enum class Form : uint8_t { word, value, group };  // name, name=value, name(...)
  static Form form_of(const Term& term);
  const Term* take(std::string_view name, Form form);

  const std::vector<Term>& terms_;
  std::vector<bool> used_;
  Problem& problem_;
};

// "@data", "@data.2", "0x8f01:4096@0x10000".
Target parse_target(std::string_view text, Problem& problem);
SegmentSpec parse_segment(std::string_view text, Problem& problem);
FieldPatch parse_field(const Term& term, Problem& problem);
OctetsPatch parse_octets_patch(const Term& term, Problem& problem);  // set(OFFSET HEX)
uint32_t parse_u32(std::string_view text, std::string_view what, Problem& problem);

template <typename T>
void Arguments::pair(std::string_view name, std::array<T, 2>& into, uint64_t max) {
  const auto text = value(name);
  if (!text) {
    return;
  }
  const size_t slash = text->find('/');
  const auto first = parse_number(text->substr(0, slash));
  const auto second = slash == text->npos ? first : parse_number(text->substr(slash + 1));
  if (!first || !second || *first > max || *second > max) {
    problem_.say(std::string(name) + "= takes one number for both ends, or CLIENT/SERVER, at most " +
                 std::to_string(max) + ".");
    return;
  }
  into[0] = static_cast<T>(static_cast<uint32_t>(*first));
  into[1] = static_cast<T>(static_cast<uint32_t>(*second));
}

}  // namespace steertag::scenario
