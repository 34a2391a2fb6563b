#include "manual/shells.h"

#include <algorithm>
#include <cstddef>

namespace steertag::manual {

std::string brief(const std::string& text) {
  constexpr size_t kMost = 72;
  std::string_view kept = text;
  kept = kept.substr(0, std::min(kept.find(';'), kept.find(". ")));
  if (kept.size() > kMost) {
    kept = kept.substr(0, kept.rfind(' ', kMost));
  }
  while (!kept.empty() && (kept.ends_with(',') || kept.ends_with(':'))) {
    kept.remove_suffix(1);
  }
  return std::string(kept);
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) {
    out += (out.empty() ? "" : std::string(between)) + word;
  }
  return out;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

}  // namespace steertag::manual
