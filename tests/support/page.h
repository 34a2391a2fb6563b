// The page of a rule (core/rules/*/*.md) as tests see it: its scenarios, each
// a Block with what its heading and its fence say: whether it breaks the rule or
// keeps it, and in which versions, on which fabrics and with which options.
#pragma once

#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rule.h"

namespace steertag::support {

struct Block {  // one fenced scenario
  std::string text;
  bool broken = false;
  bool v1 = true, v2 = true, roce = true, iwarp = true;
  bool checksums = false, skewed = false;
  bool whole = false;        // means nothing where a frame is missing
  bool about_loss = false;   // on the page of NET-01 itself
  bool about_setup = false;  // a connection that carries no message is no mistake
  rules::Profile profile = rules::Profile::deployed;
};

inline std::vector<Block> blocks_of(std::string_view page) {
  std::vector<Block> blocks;
  std::istringstream in{std::string(page)};
  std::string line;
  bool broken = false;
  Block* open = nullptr;
  while (std::getline(in, line)) {
    if (open != nullptr) {
      if (line.starts_with("```")) {
        open = nullptr;
      } else {
        open->text += line + "\n";
      }
    } else if (line.starts_with("## ")) {
      broken = line.starts_with("## Broken");
    } else if (line.starts_with("```packets")) {
      open = &blocks.emplace_back();
      open->broken = broken;
      std::istringstream words(line.substr(10));
      std::set<std::string> said;
      for (std::string word; words >> word;) {
        said.insert(word);
      }
      open->v1 = said.contains("v1") || !said.contains("v2");
      open->v2 = said.contains("v2") || !said.contains("v1");
      open->roce = said.contains("roce") || !said.contains("iwarp");
      open->iwarp = said.contains("iwarp") || !said.contains("roce");
      open->checksums = said.contains("checksums");
      open->whole = said.contains("whole");
      open->skewed = said.contains("skewed");
      open->profile = said.contains("strict")    ? rules::Profile::strict
                      : said.contains("rfc5666") ? rules::Profile::rfc5666
                                                 : rules::Profile::deployed;
    }
  }
  return blocks;
}

}  // namespace steertag::support
