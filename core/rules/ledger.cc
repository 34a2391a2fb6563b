#include "rules/ledger.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/embedded.h"
#include "rules/catalog.h"
#include "rules/kinds.h"
#include "rules/traffic.h"

namespace steertag::rules {
namespace {

// What is in front of `separator`; it and that are taken off. Unset where it does not occur.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view separator) {
  const size_t at = text.find(separator);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view front = text.substr(0, at);
  text.remove_prefix(at + separator.size());
  return front;
}

std::vector<std::string_view> split_at(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (const auto part = take_until(text, separator)) {
    parts.push_back(*part);
  }
  parts.push_back(text);
  return parts;
}

template <typename List>
bool has_one_of(std::string_view text, const List& phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view phrase) { return text.find(phrase) != std::string_view::npos; });
}

std::optional<Level> level_of(std::string_view word) {
  using Entry = std::pair<std::string_view, Level>;
  constexpr auto kLevels = std::to_array<Entry>({{"must", Level::must},
                                                 {"must not", Level::must},
                                                 {"required", Level::must},
                                                 {"shall", Level::must},
                                                 {"shall not", Level::must},
                                                 {"should", Level::should},
                                                 {"should not", Level::should},
                                                 {"recommended", Level::should},
                                                 {"not recommended", Level::should},
                                                 {"may", Level::may},
                                                 {"optional", Level::may}});
  const auto same = [&](std::string_view name) {
    return name.size() == word.size() &&
           std::equal(name.begin(), name.end(), word.begin(), [](char a, char b) {
             return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b + ('a' - 'A')) : b);
           });
  };
  const auto found =
      std::find_if(kLevels.begin(), kLevels.end(), [&](const Entry& entry) { return same(entry.first); });
  return found == kLevels.end() ? std::nullopt : std::optional(found->second);
}

bool is_reason(std::string_view answer) {
  constexpr std::array<std::string_view, 3> kReasons = {"unobservable: ", "not traffic: ", "undecidable: "};
  return std::any_of(kReasons.begin(), kReasons.end(),
                     [&](std::string_view reason) { return answer.starts_with(reason); });
}

bool in_section(std::string_view section, std::string_view of) {
  return section.starts_with(of) && (section.size() == of.size() || section[of.size()] == '.');
}

bool in_one_of(std::string_view section, std::span<const std::string_view> sections) {
  return std::any_of(sections.begin(), sections.end(),
                     [&](std::string_view of) { return in_section(section, of); });
}

uint8_t about_nfs(std::string_view section) {
  return in_section(section, "4")   ? nfs_early
         : in_section(section, "5") ? nfs_beside
         : in_section(section, "6") ? nfs_four
                                    : any_traffic;
}

// What a requirement is about by its place in the document, and by the direction that it speaks of.
uint8_t about(std::string_view document, std::string_view section, std::string_view words) {
  constexpr std::array<std::string_view, 4> kBackward = {"reverse", "backward", "callback", "CB_COMPOUND"};
  constexpr std::array<std::string_view, 3> kBackwardSections = {"4", "5", "6"};  // of RFC 8167
  constexpr std::array<std::string_view, 2> kHandleInCall = {"5.4", "6.3"};       // of reminv-design-09
  uint8_t kinds = has_one_of(words, kBackward) ? backward : any_traffic;
  if (document == "RFC 8166" || document == "RFC 5666" || document == "RFC 8797") {
    kinds |= version_one;
  } else if (document == "RFC 8267") {
    kinds |= version_one | about_nfs(section);
  } else if (document == "RFC 8167") {
    kinds |= in_one_of(section, kBackwardSections) ? backward : any_traffic;
  } else if (document == "version-two-02") {
    kinds |= version_two;
  } else if (document == "xcharext-02") {
    kinds |= version_two | characteristics;
  } else if (document == "reminv-design-09") {
    kinds |= in_section(section, "5.2")          ? version_one
             : in_one_of(section, kHandleInCall) ? version_two
                                                 : any_traffic;
  }
  return kinds;
}

// What a sentence begins with before it comes to whom it is about: "and", "in the reverse direction,".
std::string_view without_preamble(std::string_view words) {
  constexpr std::array<std::string_view, 2> kJoins = {"and ", "or "};
  constexpr std::array<std::string_view, 9> kClauses = {
      "as in ", "in the ", "in version", "where ", "after ", "from ", "on ", "over ", "for that reason "};
  for (const std::string_view join : kJoins) {
    if (words.starts_with(join)) {
      words.remove_prefix(join.size());
    }
  }
  for (const std::string_view clause : kClauses) {
    if (words.starts_with(clause)) {
      take_until(words, ", ");
      break;
    }
  }
  return words;
}

// Where rules look at nothing but messages of one direction: whoever sends those.
Addressee sender_of(const std::vector<std::string_view>& ids) {
  constexpr Kinds kOfRequesters = kinds::calls, kOfResponders = kinds::replies;
  Kinds looked_at = 0;
  for (const Rule* const rule : catalog()) {
    if (std::find(ids.begin(), ids.end(), rule->id) != ids.end()) {
      const bool other = rule->message == nullptr || rule->exchange != nullptr || rule->access != nullptr ||
                         rule->incident != nullptr || rule->ending != nullptr;
      looked_at |= other ? kinds::any : rule->about;
    }
  }
  return looked_at != 0 && (looked_at & ~kOfRequesters) == 0   ? Addressee::requester
         : looked_at != 0 && (looked_at & ~kOfResponders) == 0 ? Addressee::responder
                                                               : Addressee::both;
}

std::optional<Requirement> read_line(std::string_view document, std::string_view line) {
  if (line.starts_with('#')) {
    return std::nullopt;
  }
  const auto section = take_until(line, " ");
  const auto level = take_until(line, ": ");
  const auto words = take_until(line, " -> ");
  const auto known = level ? level_of(*level) : std::nullopt;
  if (!section || !known || !words || line.empty()) {
    return std::nullopt;
  }
  Requirement made;
  made.document = document;
  made.section = *section;
  made.level = *known;
  made.words = *words;
  if (is_reason(line)) {
    made.reason = line;
  } else {
    made.rules = split_at(line, " ");
  }
  made.about = about(document, *section, *words);
  made.addressee = addressee_of(*words, (made.about & backward) != 0);
  if (made.addressee == Addressee::both) {
    made.addressee = sender_of(made.rules);
  }
  return made;
}

}  // namespace

bool Requirement::names(std::string_view rule) const {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

std::vector<LedgerFile> ledger_files() {
  constexpr auto kFiles = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"RFC 8166", "rfc8166.txt"},
       {"RFC 5666", "rfc5666.txt"},
       {"RFC 8167", "rfc8167.txt"},
       {"RFC 8267", "rfc8267.txt"},
       {"RFC 8797", "rfc8797.txt"},
       {"version-two-02", "version-two-02.txt"},
       {"xcharext-02", "xcharext-02.txt"},
       {"reminv-design-09", "reminv-design-09.txt"}});
  std::vector<LedgerFile> all;
  for (const auto& [document, name] : kFiles) {
    all.push_back({document, base::embedded(name)});
  }
  return all;
}

std::vector<Requirement> read_ledger(const LedgerFile& file) {
  std::vector<Requirement> all;
  for (const std::string_view line : split_at(file.text, "\n")) {
    if (auto requirement = read_line(file.document, line)) {
      all.push_back(std::move(*requirement));
    }
  }
  return all;
}

std::vector<Requirement> read_ledger() {
  std::vector<Requirement> all;
  for (const LedgerFile& file : ledger_files()) {
    const std::vector<Requirement> more = read_ledger(file);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

// Who answers a Call, or does not, is its Responder, however the sentence begins; who drops a message is not
// who sent it. Otherwise the first words decide: the end that they name, or whose message they name. "What a
// Call ..." and "who lets the Responder ..." name somebody else first, and so does "the server's ...".
Addressee addressee_of(std::string_view words, bool reversed) {
  constexpr auto kAnswered = std::to_array<std::string_view>(
      {"answered by ", "is not executed", "gets ERR_", "get a Reply", "get an inline Reply", "gets Replies",
       "gets its Replies", "ends in an error", "is left with", "is rejected as well"});
  constexpr size_t kFirstWords = 5, kFirstOfMessage = 3;
  if (has_one_of(words, kAnswered)) {
    return Addressee::responder;
  }
  const std::vector<std::string_view> all = split_at(without_preamble(words), " ");
  const bool indirect = all[0] == "what" || all[0] == "who";
  const bool dropped = words.find("is dropped") != std::string_view::npos;
  for (size_t i = 0; i < std::min(all.size(), indirect ? 0 : kFirstWords); ++i) {
    const std::string_view word = all[i].substr(0, all[i].find(','));
    const bool message = i < kFirstOfMessage;
    const auto names = [&](std::string_view one, std::string_view several) {
      return word == one || word == several;
    };
    if (names("Requester", "Requesters") ||
        (reversed ? names("server", "servers") : names("client", "clients"))) {
      return Addressee::requester;
    }
    if (names("Responder", "Responders") ||
        (reversed ? names("client", "clients") : names("server", "servers"))) {
      return Addressee::responder;
    }
    if (message && names("Call", "Calls")) {
      return dropped ? Addressee::responder : Addressee::requester;
    }
    if (message && names("Reply", "Replies")) {
      return dropped ? Addressee::requester : Addressee::responder;
    }
  }
  return Addressee::both;
}

}  // namespace steertag::rules
