#include <array>
#include <map>
#include <tuple>

#include "report/json_writer.h"
#include "report/score.h"

namespace steertag::report {

void json_score(Buffer& out, const Score& score) {
  // In the order of the documents; those that no traffic shows, which have no family, come last.
  using Key = std::tuple<std::string_view, bool, std::string_view, rules::Addressee, rules::Level>;
  std::map<Key, Figures> groups;
  for (const Scored& scored : score.requirements()) {
    const rules::Requirement& of = scored.requirement;
    groups[{of.document, !of.checkable(), of.family(), of.addressee, of.level}].add(scored);
  }
  for (const auto& [key, figures] : groups) {
    const auto& [document, hidden, family, addressee, level] = key;
    JsonWriter json(out);
    json.object();
    json.text("type", "score");
    json.text("document", document);
    if (!hidden) {
      json.text("family", family);
    }
    json.text("role", name(addressee));
    json.text("level", level == rules::Level::must ? "MUST" : "SHOULD");
    json.number("requirements", figures.requirements);
    json.number("exercised", figures.exercised);
    json.number("kept", figures.kept);
    json.number("broken", figures.broken);
    json.number("not_shown", figures.not_shown);
    json.end_object();
    json.end_line();
  }
}

}  // namespace steertag::report
