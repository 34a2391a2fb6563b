// What happened, as steertag summary says it: -z rpcrdma,summary prints its lines, and a window of Wireshark
// has them (Statistics, RPC over RDMA, Summary). It is of the whole capture, whatever a filter shows.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "compat.h"

#include <epan/stats_tree.h>

#include <cctype>
#include <cstdio>
#include <cstring>

#include "listing.h"
#include "notebook.h"
#include "session.h"
#include "show.h"

namespace steertag::plugin {
namespace {

// Null where there is none, since the analysis ended early.
const char* summary() {
  session::finish();
  const Notebook* const book = session::notebook();
  return book == nullptr || book->summary.empty() ? nullptr : book->summary.c_str();
}

void print_summary(void*) {
  const char* const text = summary();
  print_rule();
  printf("%s", text == nullptr ? "No RPC-over-RDMA messages\n" : text);
  if (const Ending& ending = session::ending()) {
    printf("%c%s\n", toupper(ending.text[0]), ending.text + 1);
  }
  print_rule();
}

Listing summary_listing = {"rpcrdma,summary", print_summary};

// Once the file has been read, which is when a window is opened: a row for each line.
void init_tree(stats_tree* st) {
  const Notebook* const book = session::notebook();
  if (book == nullptr || !book->finished) {
    return;
  }
  char row[120];
  for (const char* line = book->summary.c_str(); *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    snprintf(row, sizeof row, "%.*s", static_cast<int>(length), line);
    stats_tree_create_node(st, row, 0, STAT_DT_INT, FALSE);
    line += length + (line[length] == '\n' ? 1 : 0);
  }
}

tap_packet_status count_nothing(stats_tree*, packet_info*, epan_dissect_t*, const void*, tap_flags_t) {
  return TAP_PACKET_DONT_REDRAW;
}

}  // namespace

void register_summary() {
  register_listing(summary_listing);
  stats_tree_register_plugin("rpcrdma", "rpcrdma_summary", "RPC over RDMA" STEERTAG_MENU "Summary", 0,
                             count_nothing, init_tree, nullptr);
}

}  // namespace steertag::plugin
