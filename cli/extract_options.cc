#include "extract_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "host/failure.h"
#include "rules/catalog.h"

namespace steertag::cli {
namespace {

ExtractOptions::OfRule read_finding(const std::string& text) {
  const size_t colon = text.find(':');
  ExtractOptions::OfRule found{.rule = text.substr(0, colon), .frame = {}, .text = text};
  if (!rules::known(found.rule)) {
    throw host::Failure("--finding: " + found.rule + ": no such rule or family; see steertag rules");
  }
  if (colon == std::string::npos) {
    return found;
  }
  uint64_t frame = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, frame);
  if (error != std::errc() || stop != end || frame == 0) {
    throw host::Failure("--finding: " + text + " is not RULE or RULE:FRAME, as in CHK-02:17");
  }
  found.frame = frame;
  return found;
}

}  // namespace

void ExtractOptions::prepare() {
  cli::prepare(filter, xids);
  check_rules(policy);
  check_names(choice);
  std::transform(finding_texts.begin(), finding_texts.end(), std::back_inserter(findings), read_finding);
  if (findings.empty() && around.empty() && !chooses_rpcs() && !whole_connections()) {
    throw host::Failure(
        "extract: nothing is chosen; --finding, --xid, --conn, --op or --around say what is wanted");
  }
}

void add_extract_options(CLI::App& command, ExtractOptions& options) {
  take_list(command.add_option("--finding", options.finding_texts,
                               "the finding by RULE in FRAME; without FRAME, the first\none"),
            "RULE[:FRAME]");
  take_list(command.add_option("--xid", options.xids, "RPCs with this XID, as in 0x1a2b3c4d"), "XID");
  take_list(command.add_option("--op", options.choice.operations,
                               "RPCs of this operation, as flows has it: READ,\n\"NFSv4 READ\""),
            "OPERATION");
  take_list(command.add_option("--conn", options.filter.connections,
                               "connection N; with --xid or --op, only RPCs of it"),
            "N")
      ->check(whole("the number of a connection", 1, UINT32_MAX));
  take_list(command.add_option("--around", options.around,
                               "this frame, and the RPCs that it belongs to, or else the\nframes next to it"),
            "FRAME")
      ->check(whole("the number of a frame", 1, UINT64_MAX));
}

}  // namespace steertag::cli
