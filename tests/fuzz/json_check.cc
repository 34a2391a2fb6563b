#include "json_check.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace steertag::fuzz {
namespace {

constexpr size_t kDeepest = 16;

bool digit(char c) {
  return c >= '0' && c <= '9';
}

class Checker {
 public:
  explicit Checker(std::string_view text) : left_(text) {}

  const char* check() {
    if (peek() != '{') {
      return "a record is an object";
    }
    value(0);
    if (wrong_ == nullptr && !left_.empty()) {
      say("something follows the object");
    }
    return wrong_;
  }

 private:
  char peek() const { return left_.empty() ? '\0' : left_.front(); }
  void say(const char* what) { wrong_ = wrong_ == nullptr ? what : wrong_; }
  bool take(char c) {
    const bool there = peek() == c && !left_.empty();
    left_.remove_prefix(there ? 1 : 0);
    return there;
  }
  void need(char c, const char* what) {
    if (!take(c)) {
      say(what);
    }
  }
  bool word(std::string_view text) {
    const bool there = left_.starts_with(text);
    left_.remove_prefix(there ? text.size() : 0);
    return there;
  }

  void value(size_t depth) {
    if (depth > kDeepest) {
      say("nested too deep");
    } else if (peek() == '{') {
      object(depth);
    } else if (take('[')) {
      if (!take(']')) {
        do {
          value(depth + 1);
        } while (wrong_ == nullptr && take(','));
        need(']', "a list has an end");
      }
    } else if (peek() == '"') {
      string();
    } else if (!word("true") && !word("false") && !word("null")) {
      number();
    }
  }

  void object(size_t depth) {
    take('{');
    std::vector<std::string_view> keys;
    if (take('}')) {
      return;
    }
    do {
      keys.push_back(string());
      need(':', "a key has a value");
      value(depth + 1);
    } while (wrong_ == nullptr && take(','));
    need('}', "an object has an end");
    std::sort(keys.begin(), keys.end());
    if (std::adjacent_find(keys.begin(), keys.end()) != keys.end()) {
      say("a key stands twice in an object");
    }
  }

  std::string_view string() {
    need('"', "a string begins with a quotation mark");
    const std::string_view begin = left_;
    while (wrong_ == nullptr && !left_.empty() && peek() != '"') {
      const bool escape = take('\\');
      if (escape && take('u')) {
        const auto is_hex = [](char c) {
          return digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        };
        if (left_.size() < 4 || !std::all_of(left_.begin(), left_.begin() + 4, is_hex)) {
          say("an escape has four digits");
          break;
        }
        left_.remove_prefix(4);
      } else if (escape && std::string_view("\"\\/bfnrt").find(peek()) == std::string_view::npos) {
        say("no such escape");
      } else {
        left_.remove_prefix(1);
      }
    }
    const std::string_view text = begin.substr(0, begin.size() - left_.size());
    need('"', "a string has an end");
    return text;
  }

  void number() {
    take('-');
    const bool zero = take('0');
    const size_t whole = digits();
    if (zero == (whole != 0)) {
      say("a number has digits, and no zeros in front");
    }
    if (take('.') && digits() == 0) {
      say("a fraction has digits");
    }
  }
  size_t digits() {
    size_t count = 0;
    while (digit(peek())) {
      left_.remove_prefix(1);
      ++count;
    }
    return count;
  }

  std::string_view left_;
  const char* wrong_ = nullptr;
};

// Bytes of the character at the front; 0 where it is none (RFC 3629 §4).
size_t character(std::string_view text) {
  const auto octet = [&](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0}; };
  const uint8_t first = octet(0);
  const size_t length = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
  for (size_t i = 1; i < length; ++i) {
    if ((octet(i) & 0xC0) != 0x80) {
      return 0;
    }
  }
  const bool overlong = (first == 0xE0 && octet(1) < 0xA0) || (first == 0xF0 && octet(1) < 0x90);
  const bool beyond = (first == 0xED && octet(1) > 0x9F) || (first == 0xF4 && octet(1) > 0x8F);
  return overlong || beyond ? 0 : length;
}

}  // namespace

const char* check_text(std::string_view text) {
  while (!text.empty()) {
    const size_t length = character(text);
    if (length == 0) {
      return "text is UTF-8";
    }
    if (length == 1 && text[0] != '\n' && (static_cast<uint8_t>(text[0]) < 0x20 || text[0] == 0x7F)) {
      return "text has no control characters";
    }
    text.remove_prefix(length);
  }
  return nullptr;
}

const char* check_json(std::string_view line) {
  if (const char* wrong = check_text(line)) {
    return wrong;
  }
  return Checker(line).check();
}

}  // namespace steertag::fuzz
