// How long RPCs took, by operation: from the first frame of the Call, be it that of
// an earlier attempt, to the copy of the Reply that the Requester accepted, or, where
// that is not known, to the Reply.
// Calls that were never answered have rows of their own: how long they waited, as far
// as the capture goes.
//
// What tshark prints has the longest first. That, and much else, becomes known after
// the Replies have been shown: the table only remembers which messages it was given,
// and is filled when tshark is about to print it, by a listener that prints nothing.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "compat.h"

#include <epan/srt_table.h>
#include <epan/tap.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>

#include "fields.h"
#include "items.h"
#include "notebook.h"
#include "session.h"
#include "show.h"

namespace steertag::plugin {
namespace {

// A row for each operation, in the order of its first appearance. Wireshark's tables
// want to know them from the start: rows are named as they are needed.
constexpr int kRows = 256;
struct Row {
  char name[64];
  int64_t longest_ns;
  int place;  // in the table
};
Row rows[kRows];
int rows_used;

Row* row_of(const std::string& operation, bool waiting) {
  char name[sizeof Row::name];
  g_snprintf(name, sizeof name, "%s%s", operation.c_str(), waiting ? ", waiting" : "");
  for (int i = 0; i < rows_used; ++i) {
    if (strcmp(rows[i].name, name) == 0) {
      return &rows[i];
    }
  }
  if (rows_used == kRows) {
    return nullptr;
  }
  Row& added = rows[rows_used];
  memcpy(added.name, name, sizeof name);
  added.longest_ns = 0;
  added.place = rows_used++;
  return &added;
}

// Gives the rows their places, the longest first.
void put_in_order() {
  int order[kRows];
  std::iota(order, order + rows_used, 0);
  std::sort(order, order + rows_used, [](int one, int other) {
    return rows[one].longest_ns != rows[other].longest_ns ? rows[one].longest_ns > rows[other].longest_ns
                                                          : strcmp(rows[one].name, rows[other].name) < 0;
  });
  for (int place = 0; place < rows_used; ++place) {
    rows[order[place]].place = place;
  }
}

// Tables that were there before the first frame, for tshark to print when the capture has ended. What fills a
// window of Wireshark is tapped for it at once; one that is given the same address later is struck out.
GPtrArray* printed;
// Messages that they were given.
struct Given {
  srt_data_t* table;
  const MessageNote* message;
};
GArray* given;

void init(struct register_srt*, GArray* tables) {
  rows_used = 0;
  init_srt_table("RPC over RDMA", "RPC over RDMA", tables, kRows, "Operation (delivered, or waiting)",
                 nullptr, nullptr);
  if (printed == nullptr) {
    printed = g_ptr_array_new();
    given = g_array_new(FALSE, FALSE, sizeof(Given));
  }
  g_ptr_array_remove(printed, tables);
  if (const Notebook* book = session::notebook(); book == nullptr || (book->frames == 0 && !book->finished)) {
    g_ptr_array_add(printed, tables);
  }
}

struct Took {
  Row* row = nullptr;  // null: it is not for the table
  int64_t ns = 0;
};

// Of a Reply how long it took until it was delivered; of a Call without one how long it waited.
Took took(const Notebook& book, const MessageNote& message) {
  const RpcTimes* const times = message.times < 0 ? nullptr : &book.times[static_cast<size_t>(message.times)];
  const bool waiting = message.direction == flow::Direction::call;
  if (times == nullptr || times->name.empty() ||
      !(waiting ? times->timing.unanswered_ns : message.latency_ns)) {
    return {};
  }
  return {row_of(times->name, waiting), waiting ? *times->timing.unanswered_ns
                                                : times->timing.delivered_ns.value_or(*message.latency_ns) +
                                                      flow::earlier_ns(times->timing)};
}

bool enter(srt_data_t* into, const Notebook& book, const MessageNote& message) {
  const Took one = took(book, message);
  if (one.row == nullptr) {
    return false;
  }
  srt_stat_table* table = g_array_index(into->srt_array, srt_stat_table*, 0);
  const int row = one.row->place;
  if (table->procedures[row].procedure == nullptr) {
    init_srt_table_row(table, row, one.row->name);
  }
  // The table wants the packet of the answer, and takes the time from `asked` to it.
  packet_info answer = {};
  answer.num = message.frame;
  answer.abs_ts = nstime_of(message.time_ns);
  nstime_t asked = answer.abs_ts;
  const nstime_t passed = nstime_of(one.ns);
  nstime_subtract(&asked, &passed);
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
  const Notebook* const book = session::notebook();
  for (guint i = 0; i < given->len; ++i) {
    const Took one = took(*book, *g_array_index(given, Given, i).message);
    if (one.row != nullptr) {
      one.row->longest_ns = std::max(one.row->longest_ns, one.ns);
    }
  }
  put_in_order();
  for (guint i = 0; i < given->len; ++i) {
    const Given& one = g_array_index(given, Given, i);
    enter(one.table, *book, *one.message);
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
  if (message == nullptr || message->direction == flow::Direction::unknown) {
    return TAP_PACKET_DONT_REDRAW;
  }
  const Notebook& book = *session::notebook();
  srt_data_t* table = static_cast<srt_data_t*>(listener);
  if (g_ptr_array_find(printed, table->srt_array, nullptr)) {
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
