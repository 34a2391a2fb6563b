// How long RPCs took, by operation: from the first frame of the Call to the copy of
// the Reply that the Requester accepted, or, where that is not known, to the Reply.
//
// In one pass of tshark that becomes known after the Reply has been shown: then the
// table only remembers which Replies it was given, and is filled when tshark is
// about to print it, by a listener that prints nothing.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "compat.h"

#include <epan/srt_table.h>
#include <epan/tap.h>

#include <cstdio>
#include <cstring>

#include "fields.h"
#include "items.h"
#include "notebook.h"
#include "session.h"
#include "show.h"

namespace steertag::plugin {
namespace {

// A row for each operation in the order of its first appearance. Wireshark's tables
// want to know them from the start: rows are named as they are needed.
constexpr int kRows = 256;
constexpr size_t kName = 64;
char rows[kRows][kName];
int rows_used;

int row_of(const std::string& operation) {
  char name[kName];
  name[operation.copy(name, sizeof name - 1)] = '\0';
  for (int i = 0; i < rows_used; ++i) {
    if (strcmp(rows[i], name) == 0) {
      return i;
    }
  }
  if (rows_used == kRows) {
    return -1;
  }
  memcpy(rows[rows_used], name, sizeof name);
  return rows_used++;
}

// Tables that were there before the first frame, for tshark to print when the capture has ended. What fills a
// window of Wireshark is tapped for it at once; one that is given the same address later is struck out.
GPtrArray* printed;
// Replies that they were given before the end.
struct Given {
  srt_data_t* table;
  const MessageNote* reply;
};
GArray* given;

void init(struct register_srt*, GArray* tables) {
  rows_used = 0;
  init_srt_table("RPC over RDMA", "RPC over RDMA", tables, kRows, "Operation (delivered)", nullptr, nullptr);
  if (printed == nullptr) {
    printed = g_ptr_array_new();
    given = g_array_new(FALSE, FALSE, sizeof(Given));
  }
  g_ptr_array_remove(printed, tables);
  if (const Notebook* book = session::notebook(); book == nullptr || (book->frames == 0 && !book->finished)) {
    g_ptr_array_add(printed, tables);
  }
}

bool enter(srt_data_t* into, const Notebook& book, const MessageNote& reply) {
  const RpcTimes* times = reply.times < 0 ? nullptr : &book.times[static_cast<size_t>(reply.times)];
  if (times == nullptr || times->name.empty() || !reply.latency_ns) {
    return false;
  }
  const int row = row_of(times->name);
  if (row < 0) {
    return false;
  }
  srt_stat_table* table = g_array_index(into->srt_array, srt_stat_table*, 0);
  if (table->procedures[row].procedure == nullptr) {
    init_srt_table_row(table, row, rows[row]);
  }
  // The table wants the packet of the answer, and takes the time from `asked` to it.
  const int64_t ns = times->timing.delivered_ns.value_or(*reply.latency_ns);
  packet_info answer = {};
  answer.num = reply.frame;
  answer.abs_ts = nstime_of(reply.time_ns);
  nstime_t asked = answer.abs_ts;
  const nstime_t took = nstime_of(ns);
  nstime_subtract(&asked, &took);
  add_srt_table_data(table, row, &asked, &answer);
  return true;
}

tap_packet_status ignore(void*, packet_info*, epan_dissect_t*, const void*, tap_flags_t) {
  return TAP_PACKET_DONT_REDRAW;
}

void fill(void*) {
  if (given->len != 0) {
    session::finish(session::Rest::unseen);
  }
  for (guint i = 0; i < given->len; ++i) {
    const Given& one = g_array_index(given, Given, i);
    enter(one.table, *session::notebook(), *one.reply);
  }
  g_array_set_size(given, 0);
}

// Listeners are asked to print in the reverse order of their registration: this one before the tables.
void await_end() {
  static bool listening;
  if (listening) {
    return;
  }
  listening = true;
  static int listener;
  GString* error = register_tap_listener("rpcrdma", &listener, nullptr, TL_REQUIRES_NOTHING, nullptr, ignore,
                                         fill, nullptr);
  if (error != nullptr) {
    fprintf(stderr, "steertag: -z rpcrdma,srt: %s\n", error->str);
    g_string_free(error, TRUE);
  }
}

tap_packet_status add(void* listener, packet_info*, epan_dissect_t*, const void* data, tap_flags_t) {
  const MessageNote* message = static_cast<const Tapped*>(data)->message;
  if (message == nullptr || message->direction != flow::Direction::reply) {
    return TAP_PACKET_DONT_REDRAW;
  }
  const Notebook& book = *session::notebook();
  srt_data_t* table = static_cast<srt_data_t*>(listener);
  if (!book.finished && g_ptr_array_find(printed, table->srt_array, nullptr)) {
    const Given one = {table, message};
    g_array_append_val(given, one);
    await_end();
    return TAP_PACKET_DONT_REDRAW;
  }
  return enter(table, book, *message) ? TAP_PACKET_REDRAW : TAP_PACKET_DONT_REDRAW;
}

}  // namespace

void register_latency_table() {
  register_srt_table(proto, "rpcrdma", 1, add, init, nullptr);
}

void end_latency_table() {
  if (given != nullptr) {
    g_array_set_size(given, 0);
  }
}

}  // namespace steertag::plugin
