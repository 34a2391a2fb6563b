// A difference in words, for text and Markdown: what it is about, its value on both sides, by how much it
// changed, where to look. Text of one line each, printable, not escaped for any format.
// Pure functions of the difference.
#pragma once

#include <string>

#include "diff/difference.h"
#include "report/diff.h"

namespace steertag::report {

struct DiffWords {
  std::string group;          // "findings", "rules", "NFSv3 READ", "connections"
  std::string what;           // "p99"
  std::string before, after;  // "1.24 ms"
  std::string change;         // "x 3.7"; empty where the values say it all
  std::string look;           // "new.pcap:33"; of the side that it is about
};

DiffWords words(const diff::Difference& difference, const DiffReport& report);

// "3 differences, 1 of them a regression"; "No difference".
std::string verdict_words(const diff::Comparison& comparison);
// "1032 frames, 158 RPCs, 1 connection; 0 errors, ..."
std::string side_words(const DiffSide& side);
// What was not compared, and why; empty where there is nothing to say.
std::string limits_words(const DiffReport& report);

}  // namespace steertag::report
