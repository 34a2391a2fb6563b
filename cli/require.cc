#include "require.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "failure.h"
#include "rules/catalog.h"

namespace steertag::cli {

bool all_judged(const std::vector<std::string>& words, std::span<const rules::Tally> tallies) {
  bool all = true;
  for (const std::string& word : words) {
    for (size_t i = 0; i < tallies.size(); ++i) {
      const rules::Rule& rule = *rules::catalog()[i];
      const rules::Tally& tally = tallies[i];
      if (rules::meant(rule, word) && tally.kept + tally.broken == 0) {
        complain(fmt::format("{}: required, but never judged ({} undecided)", rule.id,
                             base::counted(tally.undecided, "time")));
        all = false;
      }
    }
  }
  return all;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ","));
}

std::vector<std::string> split(const std::string& words) {
  std::vector<std::string> all;
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(',', at), words.size());
    all.push_back(words.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

}  // namespace steertag::cli
