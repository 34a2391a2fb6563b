// LineCursor: reads a JSON line that JsonWriter has written, from left to right, member by
// member in the order in which they were written. Once something else is found nothing more
// is, and ok() says so. For share.cc alone.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace steertag::report {

class LineCursor {
 public:
  explicit LineCursor(std::string_view line) : rest_(line) {}

  bool ok() const { return ok_; }
  bool at(std::string_view text) const { return ok_ && rest_.starts_with(text); }
  void skip(std::string_view text) {
    ok_ = at(text);
    rest_.remove_prefix(ok_ ? text.size() : 0);
  }
  uint64_t number() {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    ok_ = ok_ && error == std::errc();
    rest_.remove_prefix(ok_ ? static_cast<size_t>(end - rest_.data()) : 0);
    return ok_ ? value : 0;
  }
  uint64_t member(std::string_view key) {
    skip_key(key);
    return number();
  }
  // [1,2,3]
  std::vector<uint64_t> list(std::string_view key) {
    std::vector<uint64_t> values;
    skip_key(key);
    skip("[");
    while (ok_ && !at("]")) {
      if (!values.empty()) {
        skip(",");
      }
      values.push_back(number());
    }
    skip("]");
    return values;
  }
  // As it stands between quotes.
  std::string text(std::string_view key) {
    skip_key(key);
    skip("\"");
    size_t end = 0;
    while (end < rest_.size() && rest_[end] != '"') {
      end += rest_[end] == '\\' ? 2 : 1;
    }
    ok_ = ok_ && end < rest_.size();
    std::string found(rest_.substr(0, ok_ ? end : 0));
    rest_.remove_prefix(ok_ ? end + 1 : 0);
    return found;
  }
  // What needs no escapes: words of ours.
  std::string words(std::string_view key) {
    std::string found = text(key);
    ok_ = ok_ &&
          std::all_of(found.begin(), found.end(), [](char c) { return c >= ' ' && c <= '~' && c != '\\'; });
    return found;
  }

 private:
  void skip_key(std::string_view key) {
    if (at(",")) {
      skip(",");
    }
    skip("\"");
    skip(key);
    skip("\":");
  }
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace steertag::report
