#include <map>
#include <string_view>
#include <tuple>

#include "report/record/json_teller.h"
#include "report/record/score.h"

namespace steertag::report {

void json_score(Buffer& out, const Score& score) {
  // Documents in the order of the ledger; in each, what no traffic shows, which has no family, comes last.
  using Key = std::tuple<size_t, bool, std::string_view, rules::Addressee, rules::Level>;
  struct Group {
    std::string_view document;
    Figures figures;
  };
  std::map<std::string_view, size_t> places;  // of documents
  std::map<Key, Group> groups;
  for (const Scored& scored : score.requirements()) {
    const rules::Requirement& of = scored.requirement;
    const size_t place = places.emplace(of.document, places.size()).first->second;
    Group& group = groups[{place, !of.checkable(), of.family(), of.addressee, of.level}];
    group.document = of.document;
    group.figures.add(scored);
  }
  for (const auto& [key, group] : groups) {
    const auto& [place, hidden, family, addressee, level] = key;
    const std::string_view shown = hidden ? std::string_view() : family;
    record::print(out, record::Score{group.document, shown, addressee, level, group.figures});
  }
}

}  // namespace steertag::report
