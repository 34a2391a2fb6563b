#include "toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>
#include <vector>

#include "failure.h"
#include "nearest.h"
#include "rules/catalog.h"

// In the headers, so that the command needs no other library at run time; errors as results.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace steertag::cli {
namespace {

constexpr double kMostSeconds = 1e9;

// Rules and families, for whoever misspelt one.
std::vector<std::string> rule_names() {
  std::vector<std::string> words;
  for (const rules::Rule* rule : rules::catalog()) {
    words.emplace_back(rule->id);
    words.emplace_back(rule->name);
    words.emplace_back(rule->id.substr(0, rule->id.find('-')));
  }
  return words;
}

class ConfigReader {
 public:
  ConfigReader(const std::string& name, Reasons reasons) : name_(name), reasons_(reasons) {}

  Config read(const toml::table& table) {
    for (const auto& [key, node] : table) {
      take(key, node);
    }
    return std::move(config_);
  }

  [[noreturn]] void fail(const toml::source_position& at, const std::string& why) const {
    throw Failure(fmt::format("{}:{}:{}: {}", name_, at.line, at.column, why));
  }

 private:
  // A value, where it stands, what it belongs to.
  struct Value {
    const toml::node& node;
    std::string key;
  };
  using Take = std::function<void(const Value&)>;
  struct Key {
    std::string_view name;
    Take take;
  };

  [[noreturn]] void fail(const Value& value, const std::string& why) const {
    fail(value.node.source().begin, value.key + ": " + why);
  }
  [[noreturn]] void unknown(const toml::key& key, const std::vector<Key>& keys,
                            std::string_view where) const {
    std::vector<std::string> names;
    for (const Key& one : keys) {
      names.emplace_back(one.name);
    }
    const std::string meant = did_you_mean(key.str(), names);
    fail(key.source().begin,
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
  void take(const toml::key& key, const toml::node& node) { take(key, node, keys_, ""); }

  // --- values ---

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
  std::string rule_word(const Value& value, const std::string& word) const {
    if (!rules::known(word)) {
      const std::string meant = did_you_mean(word, rule_names());
      fail(value, word + ": no such rule or family" + (meant.empty() ? "; see steertag rules" : meant));
    }
    return word;
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
  std::vector<std::string> rule_words_of(const Value& value) const {
    std::vector<std::string> all;
    each(value, [&](const Value& one) { all.push_back(rule_word(one, text(one))); });
    return all;
  }
  std::vector<uint16_t> ports(const Value& value) const {
    std::vector<uint16_t> all;
    each(value, [&](const Value& one) { all.push_back(static_cast<uint16_t>(whole(one, 0, UINT16_MAX))); });
    return all;
  }

  // --- tables ---

  const toml::table& table(const Value& value) const {
    const toml::table* const table = value.node.as_table();
    if (table == nullptr) {
      fail(value, "is to be a table");
    }
    return *table;
  }

  void severity(const Value& value) {
    for (const auto& [key, node] : table(value)) {
      const Value one{node, std::string(key.str())};
      if (!rules::known(one.key)) {
        const std::string meant = did_you_mean(one.key, rule_names());
        fail(key.source().begin,
             one.key + ": no such rule or family" + (meant.empty() ? "; see steertag rules" : meant));
      }
      config_.severity[one.key] = severity_named(one_of(one, {"error", "warning", "note", "off"}));
    }
  }

  uint64_t fingerprint(const Value& value) const {
    const std::string digits = text(value);
    const char* const end = digits.data() + digits.size();
    uint64_t print = 0;
    const auto [stop, error] = std::from_chars(digits.data(), end, print, 16);
    if (digits.size() != 16 || error != std::errc() || stop != end) {
      fail(value, "is to be 16 hex digits, as a finding's fingerprint is");
    }
    return print;
  }

  void known(const Value& value) {
    report::Known known;
    known.file = name_;
    known.line = value.node.source().begin.line;
    bool printed = false;
    const std::vector<Key> keys = {
        {"fingerprint", [&](const Value& v) { known.fingerprint = fingerprint(v), printed = true; }},
        {"rule", [&](const Value& v) { known.rule = rule_id(v); }},
        {"role",
         [&](const Value& v) {
           known.role = one_of(v, {"requester", "responder", "undecided"});
         }},
        {"version", [&](const Value& v) { known.version = static_cast<uint32_t>(whole(v, 1, UINT32_MAX)); }},
        {"op", [&](const Value& v) { known.op = text(v); }},
        {"shape", [&](const Value& v) { known.shape = text(v); }},
        {"at_most", [&](const Value& v) { known.at_most = whole(v, 1, INT64_MAX); }},
        {"reason", [&](const Value& v) { known.reason = text(v); }},
    };
    for (const auto& [key, node] : table(value)) {
      take(key, node, keys, " of [[known]]");
    }
    if (!printed || known.rule.empty()) {
      fail(value, fmt::format("an entry without {}", printed ? "rule" : "fingerprint"));
    }
    if (reasons_ == Reasons::required && known.reason.find_first_not_of(" \t\r\n") == std::string::npos) {
      fail(value, fmt::format("the reason of {} is empty: say why it is accepted", known.rule));
    }
    if (!prints_.insert(known.fingerprint).second) {
      fail(value, fmt::format("there is another entry with the fingerprint {:016x}", known.fingerprint));
    }
    config_.known.push_back(std::move(known));
  }

  const std::string& name_;
  const Reasons reasons_;
  Config config_;
  std::set<uint64_t> prints_;
  const std::vector<Key> keys_ = {
      {"profile",
       [this](const Value& v) {
         config_.profile = one_of(v, {"deployed", "strict", "rfc5666"});
       }},
      {"strict", [this](const Value& v) { config_.strict = flag(v); }},
      {"fail-on",
       [this](const Value& v) {
         config_.fail_on = one_of(v, {"error", "warning", "note", "never"});
       }},
      {"select", [this](const Value& v) { config_.select = rule_words_of(v); }},
      {"ignore", [this](const Value& v) { config_.ignore = rule_words_of(v); }},
      {"require", [this](const Value& v) { config_.require = rule_words_of(v); }},
      {"baselines", [this](const Value& v) { config_.baselines = words(v); }},
      {"strict-baseline", [this](const Value& v) { config_.strict_baseline = flag(v); }},
      {"ports", [this](const Value& v) { config_.ports = ports(v); }},
      {"udp-ports", [this](const Value& v) { config_.udp_ports = ports(v); }},
      {"vxlan-ports", [this](const Value& v) { config_.vxlan_ports = ports(v); }},
      {"geneve-ports", [this](const Value& v) { config_.geneve_ports = ports(v); }},
      {"checksums", [this](const Value& v) { config_.checksums = flag(v); }},
      {"settle", [this](const Value& v) { config_.settle = number(v); }},
      {"skew", [this](const Value& v) { config_.skew = number(v); }},
      {"severity", [this](const Value& v) { severity(v); }},
      {"known", [this](const Value& v) { each(v, [this](const Value& one) { known(one); }); }},
  };
};

}  // namespace

Config read_config(std::string_view text, const std::string& name, Reasons reasons) {
  if (text.size() > kMostToml) {
    throw Failure(fmt::format("{}: longer than {} MiB", name, kMostToml >> 20));
  }
  ConfigReader reader(name, reasons);
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    std::string why(parsed.error().description());
    reader.fail(parsed.error().source().begin, why);
  }
  return reader.read(parsed.table());
}

}  // namespace steertag::cli
