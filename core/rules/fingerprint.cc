#include "rules/fingerprint.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/stable_digest.h"
#include "track/connection_number.h"

namespace steertag::rules {
namespace {

constexpr std::string_view kValue = "N";
// What is said of all that a finding stands for: how many these are is no part of the fault.
constexpr std::string_view kMoreLikeIt = " more like it";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool in_word(char c) {
  return is_digit(c) || is_letter(c) || c == '_' || static_cast<uint8_t>(c) >= 0x80;
}

// Bytes at the front of `text` that are an IPv6 address or a GID; 0: it begins with none.
size_t address_length(std::string_view text) {
  size_t end = 0, colons = 0;
  while (end < text.size() && (is_hex(text[end]) || text[end] == ':' || text[end] == '.')) {
    colons += text[end] == ':' ? 1 : 0;
    ++end;
  }
  while (end != 0 && (text[end - 1] == ':' || text[end - 1] == '.')) {
    colons -= text[--end] == ':' ? 1 : 0;
  }
  return colons >= 2 && (end == text.size() || !in_word(text[end])) ? end : 0;
}

// Bytes of the value at the front of `text`: 12, 2.31, 0x8f04, 64K, 10.9.0.1, fd09::1, 12-15, the number of a
// connection that is not known yet; 0: none is there.
size_t value_length(std::string_view text) {
  using Number = track::ConnectionNumber;
  if (text.size() >= Number::kMarkLength && text[0] == Number::kMark) {
    return Number::kMarkLength;
  }
  if (const size_t address = address_length(text)) {
    return address;
  }
  if (text.empty() || !is_digit(text[0])) {
    return 0;
  }
  size_t end = 1;
  const auto joins = [&](char c) {  // 2.31, 12:34:56, 12-15
    return (c == '.' || c == ':' || c == '-') && end + 1 < text.size() && is_digit(text[end + 1]);
  };
  while (end < text.size() && (in_word(text[end]) || joins(text[end]))) {
    ++end;
  }
  if (end < text.size() && text[end] == '%') {
    ++end;
  }
  return end;
}

// The unit behind a value, with the blank in front of it.
size_t unit_length(std::string_view text) {
  constexpr std::array<std::string_view, 7> kUnits = {" ns", " us", " ms", " s", " min", " h", " %"};
  const auto fits = [&](std::string_view unit) {
    return text.starts_with(unit) && (text.size() == unit.size() || !in_word(text[unit.size()]));
  };
  const auto found = std::find_if(kUnits.begin(), kUnits.end(), fits);
  return found == kUnits.end() ? 0 : found->size();
}

// "N, N and N" is N: how many there are differs from one capture to the next.
void join_lists(std::string& text) {
  for (const std::string_view list : {"N, N", "N and N", "N or N", "N N"}) {
    for (size_t at = 0; (at = text.find(list, at)) != std::string::npos;) {
      const size_t end = at + list.size();
      const bool apart = (at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end]));
      if (apart) {
        text.erase(at + kValue.size(), list.size() - kValue.size());
      } else {
        at = end;
      }
    }
  }
}

// The same where one is spoken of as where several are.
void add_number_blind(base::StableDigest& digest, std::string_view text) {
  while (!text.empty()) {
    const auto end = std::find(text.begin(), text.end(), ' ');
    std::string_view word = text.substr(0, static_cast<size_t>(end - text.begin()));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const size_t tail = word.find_last_not_of(",;:.)");
    word = word.substr(0, tail == std::string_view::npos ? 0 : tail + 1);
    word = word == "are" ? "is" : word == "were" ? "was" : word == "have" ? "has" : word;
    digest.add(word.size() > 2 && word.ends_with('s') ? word.substr(0, word.size() - 1) : word);
  }
}

}  // namespace

std::string shape(std::string_view text) {
  std::string made;
  for (size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || !in_word(text[at - 1]);
    const size_t value = begins ? value_length(text.substr(at)) : 0;
    if (value == 0) {
      made += text[at++];
      continue;
    }
    made += kValue;
    at += value;
    at += unit_length(text.substr(at));
  }
  join_lists(made);
  if (made.ends_with(kMoreLikeIt)) {
    made.erase(std::min(made.rfind("; and "), made.size()));
  }
  return made;
}

uint64_t fingerprint(const Finding& finding) {
  base::StableDigest digest;
  digest.add(finding.rule->id);
  digest.add(finding.blame == Blame::requester   ? "requester"
             : finding.blame == Blame::responder ? "responder"
                                                 : "undecided");
  digest.add(finding.version == 1 ? "1" : finding.version == 2 ? "2" : "");
  // A habit is reported at the first RPC that shows it: which that is, differs from one capture to the next.
  digest.add(finding.rule->habit ? std::string_view() : finding.op);
  add_number_blind(digest, shape(finding.text));
  return digest.value();
}

}  // namespace steertag::rules
