#include "toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "base/fold_case.h"
#include "failure.h"
#include "nearest.h"
#include "rules/catalog.h"

// In the headers, so that the command needs no other library at run time; errors as results.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
// It asserts, or with NDEBUG has the compiler assume, what does not hold of broken keys, which it refuses in
// order a few lines on.
#define TOML_ASSERT(expr) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace steertag::cli {
namespace {

constexpr double kMostSeconds = 1e9;

// Rules and families, for whoever misspelt one.
std::vector<std::string> rule_names() {
  std::vector<std::string> words;
  for (const rules::Rule* rule : rules::catalog()) {
    words.emplace_back(rule->id);
    words.emplace_back(rule->name);
    words.emplace_back(rules::family(*rule));
  }
  return words;
}

std::string no_rule(const std::string& word) {
  const std::string meant = did_you_mean(word, rule_names());
  return word + ": no such rule or family" + (meant.empty() ? "; see steertag rules" : meant);
}

// The id of a rule, also by its name, or a family; in any case. Empty: there is none.
std::string rule_or_family(std::string_view word) {
  for (const rules::Rule* rule : rules::catalog()) {
    if (rules::meant(*rule, word)) {
      const std::string_view family = rules::family(*rule);
      return std::string(base::same_in_any_case(family, word) ? family : rule->id);
    }
  }
  return {};
}

// A value, where it stands, what it belongs to.
struct Value {
  const toml::node& node;
  std::string key;
};

// Takes values of one type or another, and refuses the rest.
class Values {
 public:
  explicit Values(const std::string& file) : file_(file) {}

  const std::string& file() const { return file_; }
  [[noreturn]] void fail(const toml::source_position& at, const std::string& why) const {
    throw Failure(fmt::format("{}:{}:{}: {}", file_, at.line, at.column, why));
  }
  [[noreturn]] void fail(const Value& value, const std::string& why) const {
    fail(value.node.source().begin, value.key + ": " + why);
  }

  std::string text(const Value& value) const {
    const std::optional<std::string> text = value.node.value_exact<std::string>();
    if (!text) {
      fail(value, "is to be a string, in quotes");
    }
    return *text;
  }
  std::string one_of(const Value& value, const std::vector<std::string>& words) const {
    std::string word = text(value);
    if (std::find(words.begin(), words.end(), word) == words.end()) {
      fail(value, fmt::format("{} is none of {}{}", word, fmt::join(words, ", "), did_you_mean(word, words)));
    }
    return word;
  }
  bool flag(const Value& value) const {
    const std::optional<bool> flag = value.node.value_exact<bool>();
    if (!flag) {
      fail(value, "is to be true or false");
    }
    return *flag;
  }
  uint64_t whole(const Value& value, uint64_t least, uint64_t highest) const {
    const std::optional<int64_t> number = value.node.value_exact<int64_t>();
    if (!number || *number < 0 || static_cast<uint64_t>(*number) < least ||
        static_cast<uint64_t>(*number) > highest) {
      fail(value, fmt::format("is to be a whole number from {} to {}", least, highest));
    }
    return static_cast<uint64_t>(*number);
  }
  double number(const Value& value) const {
    const std::optional<int64_t> integer = value.node.value_exact<int64_t>();
    const std::optional<double> number =
        integer ? static_cast<double>(*integer) : value.node.value_exact<double>();
    if (!number || !(*number >= 0 && *number <= kMostSeconds)) {
      fail(value, "is to be a number from 0 to 1000000000");
    }
    return *number;
  }
  const toml::table& table(const Value& value) const {
    const toml::table* const table = value.node.as_table();
    if (table == nullptr) {
      fail(value, "is to be a table");
    }
    return *table;
  }
  // Calls what(element) for those of a list, of which a value alone is one, too.
  template <typename What>
  void each(const Value& value, const What& what) const {
    const toml::array* list = value.node.as_array();
    if (list == nullptr) {
      return what(value);
    }
    for (const toml::node& element : *list) {
      what(Value{element, value.key});
    }
  }
  std::vector<std::string> words(const Value& value) const {
    std::vector<std::string> all;
    each(value, [&](const Value& one) { all.push_back(text(one)); });
    return all;
  }
  std::vector<std::string> rule_words(const Value& value) const {
    std::vector<std::string> all;
    each(value, [&](const Value& one) {
      all.push_back(text(one));
      if (!rules::known(all.back())) {
        fail(one, no_rule(all.back()));
      }
    });
    return all;
  }
  std::string rule_id(const Value& value) const {
    std::string word = text(value);
    const bool is_id = std::any_of(rules::catalog().begin(), rules::catalog().end(),
                                   [&](const rules::Rule* rule) { return rule->id == word; });
    if (!is_id) {
      fail(value, word + ": is not the id of a rule" + did_you_mean(word, rule_names()));
    }
    return word;
  }
  std::vector<uint16_t> ports(const Value& value) const {
    std::vector<uint16_t> all;
    each(value, [&](const Value& one) { all.push_back(static_cast<uint16_t>(whole(one, 0, UINT16_MAX))); });
    return all;
  }

 private:
  const std::string& file_;
};

class ConfigReader {
 public:
  ConfigReader(const std::string& file, Reasons reasons) : values_(file), reasons_(reasons) {}

  Config read(const toml::table& table) {
    for (const auto& [key, node] : table) {
      take(key, node, keys_, "");
    }
    return std::move(config_);
  }

 private:
  using Take = std::function<void(const Value&)>;
  struct Key {
    std::string_view name;
    Take take;
  };

  [[noreturn]] void unknown(const toml::key& key, const std::vector<Key>& keys,
                            std::string_view where) const {
    std::vector<std::string> names;
    for (const Key& one : keys) {
      names.emplace_back(one.name);
    }
    const std::string meant = did_you_mean(key.str(), names);
    values_.fail(key.source().begin,
                 fmt::format("{}: no such key{}{}", key.str(), where,
                             meant.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : meant));
  }
  void take(const toml::key& key, const toml::node& node, const std::vector<Key>& keys,
            std::string_view where) const {
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&](const Key& one) { return one.name == key.str(); });
    if (found == keys.end()) {
      unknown(key, keys, where);
    }
    found->take({node, std::string(key.str())});
  }

  void severity(const Value& value) {
    for (const auto& [key, node] : values_.table(value)) {
      const Value one{node, std::string(key.str())};
      const std::string word = rule_or_family(one.key);
      if (word.empty()) {
        values_.fail(key.source().begin, no_rule(one.key));
      }
      const std::string chosen = values_.one_of(one, {"error", "warning", "note", "off"});
      if (!config_.severity.try_emplace(word, severity_named(chosen)).second) {
        values_.fail(key.source().begin, fmt::format("{}: there is another severity of {}", one.key, word));
      }
    }
  }

  uint64_t fingerprint(const Value& value) const {
    const std::string digits = values_.text(value);
    const char* const end = digits.data() + digits.size();
    uint64_t print = 0;
    const auto [stop, error] = std::from_chars(digits.data(), end, print, 16);
    if (digits.size() != 16 || error != std::errc() || stop != end) {
      values_.fail(value, "is to be 16 hex digits, as a finding's fingerprint is");
    }
    return print;
  }

  void known(const Value& value) {
    report::Known known;
    known.file = values_.file();
    known.line = value.node.source().begin.line;
    bool printed = false;
    const std::vector<Key> keys = {
        {"fingerprint", [&](const Value& v) { known.fingerprint = fingerprint(v), printed = true; }},
        {"rule", [&](const Value& v) { known.rule = values_.rule_id(v); }},
        {"role",
         [&](const Value& v) {
           known.role = values_.one_of(v, {"requester", "responder", "undecided"});
         }},
        {"version",
         [&](const Value& v) { known.version = static_cast<uint32_t>(values_.whole(v, 1, UINT32_MAX)); }},
        {"op", [&](const Value& v) { known.op = values_.text(v); }},
        {"shape", [&](const Value& v) { known.shape = values_.text(v); }},
        {"at_most", [&](const Value& v) { known.at_most = values_.whole(v, 1, INT64_MAX); }},
        {"reason", [&](const Value& v) { known.reason = values_.text(v); }},
    };
    for (const auto& [key, node] : values_.table(value)) {
      take(key, node, keys, " of [[known]]");
    }
    if (!printed || known.rule.empty()) {
      values_.fail(value, fmt::format("an entry without {}", printed ? "rule" : "fingerprint"));
    }
    if (reasons_ == Reasons::required && known.reason.find_first_not_of(" \t\r\n") == std::string::npos) {
      values_.fail(value, fmt::format("the reason of {} is empty: say why it is accepted", known.rule));
    }
    if (!prints_.insert(known.fingerprint).second) {
      values_.fail(value,
                   fmt::format("there is another entry with the fingerprint {:016x}", known.fingerprint));
    }
    config_.known.push_back(std::move(known));
  }

  const Values values_;
  const Reasons reasons_;
  Config config_;
  std::set<uint64_t> prints_;
  const std::vector<Key> keys_ = {
      {"profile",
       [this](const Value& v) {
         config_.profile = values_.one_of(v, {"deployed", "strict", "rfc5666"});
       }},
      {"strict", [this](const Value& v) { config_.strict = values_.flag(v); }},
      {"fail-on",
       [this](const Value& v) {
         config_.fail_on = values_.one_of(v, {"error", "warning", "note", "never"});
       }},
      {"select", [this](const Value& v) { config_.select = values_.rule_words(v); }},
      {"ignore", [this](const Value& v) { config_.ignore = values_.rule_words(v); }},
      {"require", [this](const Value& v) { config_.require = values_.rule_words(v); }},
      {"baselines", [this](const Value& v) { config_.baselines = values_.words(v); }},
      {"strict-baseline", [this](const Value& v) { config_.strict_baseline = values_.flag(v); }},
      {"ports", [this](const Value& v) { config_.ports = values_.ports(v); }},
      {"udp-ports", [this](const Value& v) { config_.udp_ports = values_.ports(v); }},
      {"vxlan-ports", [this](const Value& v) { config_.vxlan_ports = values_.ports(v); }},
      {"geneve-ports", [this](const Value& v) { config_.geneve_ports = values_.ports(v); }},
      {"checksums", [this](const Value& v) { config_.checksums = values_.flag(v); }},
      {"settle", [this](const Value& v) { config_.settle = values_.number(v); }},
      {"skew", [this](const Value& v) { config_.skew = values_.number(v); }},
      {"severity", [this](const Value& v) { severity(v); }},
      {"known", [this](const Value& v) { values_.each(v, [this](const Value& one) { known(one); }); }},
  };
};

}  // namespace

Config read_config(std::string_view text, const std::string& name, Reasons reasons) {
  if (text.size() > kMostToml) {
    throw Failure(fmt::format("{}: longer than {} MiB", name, kMostToml >> 20));
  }
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    Values(name).fail(parsed.error().source().begin, std::string(parsed.error().description()));
  }
  return ConfigReader(name, reasons).read(parsed.table());
}

}  // namespace steertag::cli
