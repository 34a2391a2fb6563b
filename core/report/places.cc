#include "report/places.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace steertag::report {
namespace {

constexpr std::string_view kStandardInput = "-";

std::vector<std::string_view> steps(std::string_view path) {
  std::vector<std::string_view> all;
  const bool absolute = path.starts_with('/');
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    const std::string_view step = path.substr(0, end);
    path.remove_prefix(std::min(path.size(), end + 1));
    if (step == ".." && !all.empty() && all.back() != "..") {
      all.pop_back();
    } else if (!step.empty() && step != "." && !(absolute && step == "..")) {
      all.push_back(step);
    }
  }
  return all;
}

// Of two lists of steps, how many they begin with alike.
size_t alike_steps(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

std::string joined(const std::vector<std::string_view>& steps, size_t from) {
  return fmt::format("{}", fmt::join(steps.begin() + static_cast<std::ptrdiff_t>(from), steps.end(), "/"));
}

}  // namespace

Places::Places(const Files& files, std::string_view folder) {
  const std::vector<std::string_view> here = steps(folder);
  const std::string prefix = folder.empty() ? std::string() : std::string(folder) + "/";
  std::vector<std::string> whole;  // what the steps are parts of
  whole.reserve(files.names.size());
  std::vector<std::vector<std::string_view>> all;
  for (const std::string& name : files.names) {
    whole.push_back(name.starts_with('/') || name == kStandardInput ? name : prefix + name);
    all.push_back(steps(whole.back()));
  }
  const std::vector<std::string_view>* first = nullptr;  // of those outside
  size_t common = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool known = whole[i].starts_with('/');
    const bool below =
        known ? !folder.empty() && alike_steps(all[i], here) == here.size() && all[i].size() > here.size()
              : all[i].empty() || all[i][0] != "..";
    places_.push_back({below ? joined(all[i], known ? here.size() : 0) : std::string(), !below});
    if (!below) {
      const size_t most = all[i].empty() ? 0 : all[i].size() - 1;  // not the file itself
      common = first == nullptr ? most : std::min({common, most, alike_steps(*first, all[i])});
      first = first == nullptr ? &all[i] : first;
    }
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (places_[i].outside) {
      const auto up = std::find_if(all[i].begin(), all[i].end(), [](auto step) { return step != ".."; });
      places_[i].path = joined(all[i], std::max(common, static_cast<size_t>(up - all[i].begin())));
    }
  }
  if (first != nullptr && !prefix.empty()) {
    base_.assign(1, '/');  // g++ 12 warns of base_ = "/", wrongly
    for (size_t i = 0; i < common; ++i) {
      base_ += std::string((*first)[i]) + "/";
    }
  }
}

std::string percent_encoded(std::string_view path) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string made;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      made += c;
    } else {
      made += fmt::format("%{:02X}", static_cast<uint8_t>(c));
    }
  }
  return made;
}

}  // namespace steertag::report
