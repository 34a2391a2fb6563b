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

constexpr size_t kRow = 160;

// Wireshark takes what stands behind a slash for the name of a row: a division slash stands for it.
void copy_row(const char* line, size_t length, char (&row)[kRow]) {
  static constexpr char kSlash[] = "\xe2\x88\x95";
  size_t used = 0;
  for (size_t i = 0; i < length && used + sizeof kSlash < kRow; ++i) {
    used += static_cast<size_t>(line[i] == '/' ? snprintf(row + used, kRow - used, "%s", kSlash)
                                               : snprintf(row + used, kRow - used, "%c", line[i]));
  }
  row[used] = '\0';
}

// A row for each line, once the file has been read: a window is opened then, and tshark -2 dissects by then
// for the second time.
void fill_tree(stats_tree* st) {
  const Notebook* const book = session::notebook();
  if (book == nullptr || !book->finished) {
    return;
  }
  char row[kRow];
  for (const char* line = book->summary.c_str(); *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    copy_row(line, length, row);
    if (line == book->summary.c_str() && stats_tree_parent_id_by_name(st, row) > 0) {
      return;  // it is filled
    }
    stats_tree_create_node(st, row, 0, STAT_DT_INT, FALSE);
    line += length + (line[length] == '\n' ? 1 : 0);
  }
}

tap_packet_status hear_nothing(stats_tree* st, packet_info*, epan_dissect_t*, const void*, tap_flags_t) {
  fill_tree(st);
  return TAP_PACKET_DONT_REDRAW;
}

}  // namespace

void register_summary() {
  register_listing(summary_listing);
  stats_tree_register_plugin("rpcrdma", "rpcrdma_summary", "RPC over RDMA" STEERTAG_MENU "Summary", 0,
                             hear_nothing, fill_tree, nullptr);
}

}  // namespace steertag::plugin
