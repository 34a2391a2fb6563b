#include "host/nearest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "base/fold_case.h"

namespace steertag::host {
namespace {

// How many letters must be added, removed or changed to turn one word into the other.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t change = diagonal + (base::lower(a[i]) == base::lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  std::string_view nearest;
  size_t least = 3;  // further away than that is not a typo
  for (const std::string& name : names) {
    if (word.size() > name.size() + least) {
      continue;  // as far away as that, at least
    }
    const bool begun = !word.empty() && name.size() > word.size() &&
                       base::same_in_any_case(std::string_view(name).substr(0, word.size()), word);
    const size_t d = begun ? 1 : distance(word, name);
    if (d < least) {
      least = d;
      nearest = name;
    }
  }
  return nearest.empty() ? std::string() : "; did you mean " + std::string(nearest) + "?";
}

}  // namespace steertag::host
