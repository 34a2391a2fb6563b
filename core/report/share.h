// The records of one share of a capture's connections (--shard), as a file that a Merger
// reads: JSON Lines as always, and with each what is needed to put it among those of the
// other shares, as its last member:
//
//   {"type":"stream",...,"share":[2,3,"audit --strict a.pcap"]}      the second of three, of what run
//   {"type":"rpc","conn":1,...,"share":[1042,1,0,0,20]}              a Moment; where in the line numbers of
//                                                                    connections stand, which are provisional
//   {"type":"promise","what":0,"conn":1,"order":17,"share":[...]}    for the numbering of all
//   {"type":"share","frames":...}                                    instead of the summary: what was counted
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer.h"
#include "report/buffer.h"
#include "report/finding.h"
#include "report/part.h"
#include "report/policy_file.h"
#include "report/seen.h"
#include "rules/tally.h"

namespace steertag::report {

struct ShareName {
  uint64_t place = 0, of = 0;  // from 1
  std::string run;             // equal for shares that belong together
  // As it was read: the record without what makes it that of a share, and without its end.
  std::string head{};
};

// What is counted, and how the run ended.
struct ShareTotals {
  Counters counters;
  FindingCounts findings;
  bool rules = false;  // were asked: there are findings, tallies
  std::vector<rules::Tally> tallies;
  bool show_tallies = false;
  std::string required;  // rules that must have had a verdict, with commas between
  Seen seen;
  uint64_t files = 0;
  std::string cut;
  bool damaged = false;
  uint64_t status = 0;
};

// `policies`: what the run was configured by.
void put_share_stream(Buffer& out, std::string_view version, const ShareName& name,
                      std::span<const PolicyFile> policies);
void put_piece(Buffer& out, const Piece& piece);
void put_totals(Buffer& out, const ShareTotals& totals);

// These read what the above have written, a line without its end; false for anything else.
// `text` holds the text of the piece.
bool read_share_stream(std::string_view line, std::string_view version, ShareName& name);
bool read_piece(std::string_view line, Piece& piece, std::string& text);
bool read_totals(std::string_view line, ShareTotals& totals);

}  // namespace steertag::report
