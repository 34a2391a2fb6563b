#include "product/required.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/counted.h"
#include "rules/catalog.h"

namespace steertag::product {

namespace {

// Each rule once, by however many of the words it is meant; those of one word together.
template <typename What>
void each_never_judged(const std::vector<std::string>& words, std::span<const rules::Tally> tallies,
                       const What& what) {
  std::set<std::string_view> seen;
  std::vector<bool> told(tallies.size());
  for (const std::string& word : words) {
    if (!seen.insert(word).second) {
      continue;
    }
    for (size_t i = 0; i < tallies.size(); ++i) {
      const rules::Rule& rule = *rules::catalog()[i];
      if (!told[i] && tallies[i].kept + tallies[i].broken == 0 && rules::meant(rule, word)) {
        told[i] = true;
        what(rule, tallies[i]);
      }
    }
  }
}

}  // namespace

std::vector<std::string> never_judged(const std::vector<std::string>& words,
                                      std::span<const rules::Tally> tallies) {
  std::vector<std::string> ids;
  each_never_judged(words, tallies,
                    [&](const rules::Rule& rule, const rules::Tally&) { ids.emplace_back(rule.id); });
  return ids;
}

std::vector<std::string> unjudged(const std::vector<std::string>& words,
                                  std::span<const rules::Tally> tallies) {
  std::vector<std::string> lines;
  each_never_judged(words, tallies, [&](const rules::Rule& rule, const rules::Tally& tally) {
    lines.push_back(fmt::format("{}: required, but never judged ({} undecided)", rule.id,
                                base::counted(tally.undecided, "time")));
  });
  return lines;
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

}  // namespace steertag::product
