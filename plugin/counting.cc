// Statistics by kind: messages, chunks and their bytes, findings by rule.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "compat.h"

#include <epan/stats_tree.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <numeric>

#include "items.h"
#include "notebook.h"
#include "rpcrdma/header.h"
#include "show.h"

namespace steertag::plugin {
namespace {

constexpr const char* kMessages = "Messages";
constexpr const char* kBytes = "KiB moved by RDMA";
constexpr const char* kChunks = "RDMA frames, by list";
constexpr const char* kFindings = "Findings";

void copy_word(std::string_view from, char* into, size_t size) {
  into[from.copy(into, size - 1)] = '\0';
}

void add(stats_tree* st, const char* parent, const char* name, int value) {
  stats_tree_manip_node_int(MN_INCREASE, st, name, stats_tree_parent_id_by_name(st, parent), FALSE, value);
}

const char* list_name(flow::ChunkKind kind) {
  return kind == flow::ChunkKind::read    ? "Read list"
         : kind == flow::ChunkKind::write ? "Write list"
         : kind == flow::ChunkKind::reply ? "Reply chunk"
                                          : "Read list of a Reply";
}

// Bytes by list, for each window of statistics that is open. Wireshark's own counters go up to 2^31.
using ByList = std::array<uint64_t, 4>;
struct Moved {
  const stats_tree* tree;
  ByList bytes;
  Moved* next;
};
Moved* moved;

void forget_tree(stats_tree* st) {
  for (Moved** at = &moved; *at != nullptr; at = &(*at)->next) {
    if ((*at)->tree == st) {
      Moved* const gone = *at;
      *at = gone->next;
      g_free(gone);
      return;
    }
  }
}

void init_tree(stats_tree* st) {
  forget_tree(st);
  Moved* const added = g_new0(Moved, 1);
  added->tree = st;
  added->next = moved;
  moved = added;
  for (const char* name : {kMessages, kChunks, kBytes}) {
    stats_tree_create_node(st, name, 0, STAT_DT_INT, TRUE);
  }
}

void set_kib(stats_tree* st, const char* name, int parent, gboolean with_children, uint64_t bytes) {
  stats_tree_manip_node_int(MN_SET, st, name, parent, with_children,
                            static_cast<int>(std::min<uint64_t>(bytes >> 10, INT_MAX)));
}

void add_bytes(stats_tree* st, flow::ChunkKind kind, uint32_t length) {
  Moved* of_tree = moved;
  while (of_tree != nullptr && of_tree->tree != st) {
    of_tree = of_tree->next;
  }
  if (of_tree == nullptr) {
    return;
  }
  ByList& bytes = of_tree->bytes;
  bytes[static_cast<size_t>(kind)] += length;
  set_kib(st, kBytes, 0, TRUE, std::accumulate(bytes.begin(), bytes.end(), uint64_t{0}));
  set_kib(st, list_name(kind), stats_tree_parent_id_by_name(st, kBytes), FALSE,
          bytes[static_cast<size_t>(kind)]);
}

tap_packet_status count(stats_tree* st, packet_info*, epan_dissect_t*, const void* data, tap_flags_t) {
  const Tapped& tapped = *static_cast<const Tapped*>(data);
  char name[80];
  if (tapped.message != nullptr) {
    const MessageNote& message = *tapped.message;
    char procedure[32];
    copy_word(rpcrdma::procedure_name(message.version, message.procedure), procedure, sizeof procedure);
    snprintf(name, sizeof name, "%s%s", procedure,
             message.direction == flow::Direction::call    ? " (Call)"
             : message.direction == flow::Direction::reply ? " (Reply)"
                                                           : "");
    stats_tree_manip_node_int(MN_INCREASE, st, kMessages, 0, TRUE, 1);
    add(st, kMessages, name, 1);
  } else if (tapped.placement != nullptr) {
    const PlacementNote& placement = *tapped.placement;
    snprintf(name, sizeof name, "%s%s", list_name(placement.kind),
             placement.request ? " (Read Requests)" : "");
    stats_tree_manip_node_int(MN_INCREASE, st, kChunks, 0, TRUE, 1);
    add(st, kChunks, name, 1);
    if (!placement.request) {
      add_bytes(st, placement.kind, placement.length);
    }
  } else {
    return TAP_PACKET_DONT_REDRAW;
  }
  return TAP_PACKET_REDRAW;
}

void init_findings(stats_tree* st) {
  stats_tree_create_node(st, kFindings, 0, STAT_DT_INT, TRUE);
}

tap_packet_status count_findings(stats_tree* st, packet_info*, epan_dissect_t*, const void* data,
                                 tap_flags_t) {
  const FindingNote* finding = static_cast<const Tapped*>(data)->finding;
  if (finding == nullptr) {
    return TAP_PACKET_DONT_REDRAW;
  }
  char name[128];
  snprintf(name, sizeof name, "%s: %.*s, %.*s", word(finding->severity),
           static_cast<int>(finding->rule->id.size()), finding->rule->id.data(),
           static_cast<int>(finding->rule->name.size()), finding->rule->name.data());
  stats_tree_manip_node_int(MN_INCREASE, st, kFindings, 0, TRUE, 1);
  add(st, kFindings, name, 1);
  return TAP_PACKET_REDRAW;
}

}  // namespace

void register_counting() {
  stats_tree_register_plugin("rpcrdma", "rpcrdma", "RPC over RDMA" STEERTAG_MENU "Messages and Chunks", 0,
                             count, init_tree, forget_tree);
  stats_tree_register_plugin("rpcrdma", "rpcrdma_findings", "RPC over RDMA" STEERTAG_MENU "Findings", 0,
                             count_findings, init_findings, nullptr);
}

}  // namespace steertag::plugin
