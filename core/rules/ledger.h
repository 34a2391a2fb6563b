// The ledger of requirements: every MUST and SHOULD of the documents, as the files of requirements/ list
// them, each with the rules that check it or the reason why no traffic can show whether it is kept. The files
// are compiled in; tests/rules/ledger_test holds them against the catalog. Reading them is a pure function of
// their text; what it returns are views into it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace steertag::rules {

// What the words oblige to. A MAY stands in the ledger where it has a condition, or where rules have to leave
// it room.
enum class Level : uint8_t { must, should, may };

// Whom a requirement addresses: by its words ("a Requester ...", "a Responder ..."), or, where they name
// nobody, by whose messages its rules look at. In callbacks the server is the Requester.
enum class Addressee : uint8_t { requester, responder, both };

struct Requirement {
  std::string_view document;  // as a Source has it: "RFC 8166", "version-two-02"
  std::string_view section;
  Level level = Level::must;
  std::string_view words;
  std::vector<std::string_view> rules;  // ids; none: no traffic shows it ...
  std::string_view reason;              // ... for this reason
  Addressee addressee = Addressee::both;
  uint8_t about = 0;  // only traffic that has all of these (traffic.h) puts it to the test

  bool checkable() const { return !rules.empty(); }
  // Which it is counted with: that of the first of its rules; empty where it has none.
  std::string_view family() const { return checkable() ? rules[0].substr(0, 3) : std::string_view(); }
  bool names(std::string_view rule) const;
};

struct LedgerFile {
  std::string_view document;  // as a Source has it
  std::string_view text;
};
std::vector<LedgerFile> ledger_files();  // the documents of version one first

// In the order of the file. Lines that have not the form of a requirement are passed over.
std::vector<Requirement> read_ledger(const LedgerFile& file);
// Of all the files.
std::vector<Requirement> read_ledger();

// `reversed`: the words are about calls from server to client, in which the server is the Requester.
Addressee addressee_of(std::string_view words, bool reversed);

}  // namespace steertag::rules
