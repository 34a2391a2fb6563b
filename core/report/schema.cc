#include "report/schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

#include "base/embedded.h"

namespace steertag::report {
namespace {

// The rest of `text` up to a quote.
std::string quoted(std::string_view text) {
  return std::string(text.substr(0, text.find('"')));
}

// The names that follow `what`, each once.
std::vector<std::string> names_behind(std::string_view text, std::string_view what) {
  std::vector<std::string> names;
  for (size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) {
    std::string name = quoted(text.substr(at + what.size()));
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

// Its lines in schema.json, where each begins in the fifth column, and where it has more than one line ends
// there, too.
std::string_view definition(std::string_view name) {
  const std::string_view all = schema();
  std::string_view rest = all.substr(all.find("\"$defs\": {"));
  rest.remove_prefix(std::min(rest.find(fmt::format("\n    \"{}\": ", name)), rest.size()));
  const size_t line = rest.find('\n', 1);
  const bool one_line = rest.substr(0, line).ends_with("},") || rest.substr(0, line).ends_with("}");
  const std::string_view found = rest.substr(0, one_line ? line : rest.find("\n    }") + 6);
  return found.substr(0, found.ends_with(',') ? found.size() - 1 : found.size());
}

}  // namespace

std::string_view schema() {
  return base::embedded("schema.json");
}

std::vector<std::string> schema_records() {
  return names_behind(schema(), R"("then": {"$ref": "#/$defs/)");
}

std::string schema_of(std::string_view record) {
  std::vector<std::string> needed = {std::string(record)};
  std::string definitions;
  for (size_t i = 0; i < needed.size(); ++i) {
    const std::string_view one = definition(needed[i]);
    for (std::string& name : names_behind(one, R"("$ref": "#/$defs/)")) {
      if (std::find(needed.begin(), needed.end(), name) == needed.end()) {
        needed.push_back(std::move(name));
      }
    }
    definitions += definitions.empty() ? "" : ",";
    definitions += one;
  }
  const std::string_view all = schema();
  const std::string_view head = all.substr(0, all.find('\n', 2) + 1);  // which draft it is of
  return fmt::format("{}  \"$ref\": \"#/$defs/{}\",\n  \"$defs\": {{{}\n  }}\n}}\n", head, record,
                     definitions);
}

}  // namespace steertag::report
