// How long RPCs took, by program and procedure, from the Send of the Call to that
// of the Reply.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "compat.h"

#include <epan/srt_table.h>
#include <epan/tap.h>

#include <cstdio>

#include "fence.h"
#include "fields.h"
#include "notebook.h"
#include "rpcrdma/programs.h"
#include "show.h"
#include "taps.h"

namespace steertag::plugin {
namespace {

// A row for each procedure in the order of its first appearance. Wireshark's tables
// want to know them from the start: rows are named as they are needed.
constexpr int kRows = 256;

struct Row {
  uint32_t program, version, procedure;
};
Row rows[kRows];
int rows_used;

int row_of(const MessageNote::Procedure& procedure) {
  for (int i = 0; i < rows_used; ++i) {
    if (rows[i].program == procedure.program && rows[i].version == procedure.version &&
        rows[i].procedure == procedure.procedure) {
      return i;
    }
  }
  if (rows_used == kRows) {
    return -1;
  }
  rows[rows_used] = {procedure.program, procedure.version, procedure.procedure};
  return rows_used++;
}

void init(struct register_srt*, GArray* tables) {
  rows_used = 0;
  init_srt_table("RPC over RDMA", "RPC over RDMA", tables, kRows, nullptr, nullptr, nullptr);
}

void name_row(const MessageNote::Procedure& procedure, char* into, size_t size) {
  const bool named = static_cast<bool>(fence::run([&] {
    const std::string name = rpcrdma::name(procedure.program, procedure.version, procedure.procedure);
    into[name.copy(into, size - 1)] = '\0';
  }));
  if (!named) {
    snprintf(into, size, "program %u procedure %u", procedure.program, procedure.procedure);
  }
}

tap_packet_status add(void* listener, packet_info* pinfo, epan_dissect_t*, const void* data, tap_flags_t) {
  const MessageNote* message = static_cast<const Tapped*>(data)->message;
  if (message == nullptr || message->direction != flow::Direction::reply || !message->latency_ns ||
      !message->rpc) {
    return TAP_PACKET_DONT_REDRAW;
  }
  const int row = row_of(*message->rpc);
  if (row < 0) {
    return TAP_PACKET_DONT_REDRAW;
  }
  srt_stat_table* table = g_array_index(static_cast<srt_data_t*>(listener)->srt_array, srt_stat_table*, 0);
  if (table->procedures[row].procedure == nullptr) {
    char name[64];
    name_row(*message->rpc, name, sizeof name);
    init_srt_table_row(table, row, name);
  }
  // The table takes the time from `asked` to this frame; the Reply may have been in an earlier one.
  nstime_t asked = pinfo->abs_ts;
  nstime_t latency;
  latency.secs = *message->latency_ns / 1'000'000'000;
  latency.nsecs = static_cast<int>(*message->latency_ns % 1'000'000'000);
  nstime_subtract(&asked, &latency);
  add_srt_table_data(table, row, &asked, pinfo);
  return TAP_PACKET_REDRAW;
}

}  // namespace

void register_latency_table() {
  register_srt_table(proto, "rpcrdma", 1, add, init, nullptr);
}

}  // namespace steertag::plugin
