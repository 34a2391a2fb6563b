// SPDX-License-Identifier: GPL-2.0-or-later
#include "compat.h"

#include <epan/color_filters.h>
#include <wsutil/report_message.h>

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "notebook.h"
#include "preferences.h"
#include "show.h"

namespace steertag::plugin {
namespace {

// --- the Info column ---

// Rules that a frame's findings are of; with more than so many, the rest are not counted.
struct Worst {
  static constexpr size_t kRules = 32, kNamed = 3;
  const FindingNote* of[kRules];
  size_t count = 0;

  static bool doubtful(const FindingNote& finding) {
    return finding.certainty == rules::Certainty::possible && !shows_possible_in_full();
  }
  static bool worse(const FindingNote* one, const FindingNote* other) {
    const bool first = doubtful(*one), second = doubtful(*other);
    if (first != second || one->severity != other->severity) {
      return first != second ? second : one->severity > other->severity;
    }
    return one->rule->id < other->rule->id;
  }

  void add(const FindingNote& finding) {
    for (size_t i = 0; i < count; ++i) {
      if (of[i]->rule == finding.rule) {
        of[i] = worse(&finding, of[i]) ? &finding : of[i];
        return;
      }
    }
    if (count < kRules) {
      of[count++] = &finding;
    }
  }
};
static_assert(rules::Severity::error > rules::Severity::warning &&
              rules::Severity::warning > rules::Severity::note);

// --- colours ---

struct Rule {
  const char *name, *filter;
  color_t background, foreground = {};
};
// The colours of Wireshark's expert infos.
constexpr uint16_t wide(unsigned byte) {
  return static_cast<uint16_t>(byte * 0x101);
}
const Rule kColours[] = {
    {"RPC over RDMA: error", "rpcrdma.error || rpcrdma.ended_early", {wide(0xff), wide(0x5c), wide(0x5c)}},
    {"RPC over RDMA: warning", "rpcrdma.warning", {wide(0xf7), wide(0xf2), wide(0x53)}},
    {"RPC over RDMA: note", "rpcrdma.note", {wide(0xa0), wide(0xff), wide(0xff)}},
    {"RPC over RDMA: possible", "rpcrdma.possible", {wide(0x80), wide(0xb7), wide(0xf7)}},
    // As Wireshark has what goes wrong with TCP.
    {"RPC over RDMA: lost or sent again",
     "rpcrdma.lost || rpcrdma.retransmission",
     {wide(0x12), wide(0x27), wide(0x2e)},
     {wide(0xf7), wide(0x87), wide(0x87)}},
    {"RPC over RDMA: no Reply", "rpcrdma.no_reply", {wide(0xff), wide(0xd8), wide(0xa8)}},
};

struct Lists {
  GSList *temporary = nullptr, *lasting = nullptr;  // as Wireshark has them
  const color_filter_t* found[std::size(kColours)] = {};
};

void gather(color_filter_t* filter, void* into) {
  Lists& lists = *static_cast<Lists*>(into);
  if (g_str_has_prefix(filter->filter_name, CONVERSATION_COLOR_PREFIX)) {
    lists.temporary = g_slist_append(lists.temporary, filter);
    return;
  }
  for (size_t i = 0; i < std::size(kColours); ++i) {
    if (strcmp(filter->filter_name, kColours[i].name) == 0) {
      lists.found[i] = filter;
    }
  }
  lists.lasting = g_slist_append(lists.lasting, filter);
}

// Whether the list has become another.
bool put_in(Lists& lists) {
  bool changed = false;
  for (size_t i = std::size(kColours); i-- > 0;) {
    if (lists.found[i] == nullptr) {
      color_t background = kColours[i].background, foreground = kColours[i].foreground;
      lists.lasting = g_slist_prepend(lists.lasting, color_filter_new(kColours[i].name, kColours[i].filter,
                                                                      &background, &foreground, false));
      changed = true;
    }
  }
  return changed;
}

bool take_out(Lists& lists) {
  bool changed = false;
  for (const color_filter_t* const found : lists.found) {
    if (found != nullptr) {
      lists.lasting = g_slist_remove(lists.lasting, found);
      color_filter_delete(const_cast<color_filter_t*>(found));
      changed = true;
    }
  }
  return changed;
}

}  // namespace

void mark_info(packet_info* pinfo, const Notebook& book) {
  Worst worst;
  for (const Note& note : book.of_frame.of(pinfo->num)) {
    if (note.kind == Note::Kind::finding) {
      worst.add(book.findings[note.index]);
    }
  }
  if (worst.count == 0) {
    return;
  }
  const size_t named = std::min(worst.count, Worst::kNamed);
  std::partial_sort(worst.of, worst.of + named, worst.of + worst.count, Worst::worse);
  char text[64] = "";
  size_t used = 0;
  for (size_t i = 0; i < named; ++i) {
    const FindingNote& finding = *worst.of[i];
    used += static_cast<size_t>(snprintf(text + used, sizeof text - used, "%s%.*s%s", i == 0 ? "" : " ",
                                         static_cast<int>(std::min<size_t>(finding.rule->id.size(), 12)),
                                         finding.rule->id.data(), Worst::doubtful(finding) ? "?" : ""));
  }
  if (worst.count > named) {
    snprintf(text + used, sizeof text - used, " +%zu", worst.count - named);
  }
  col_prepend_fstr(pinfo->cinfo, COL_INFO, "[%s] ", text);
}

void settle_colours(bool wanted) {
  Lists lists;
  color_filters_clone(&lists, gather);
  // There are temporary ones wherever colours are in use: not in tshark without --color.
  if (lists.temporary != nullptr && (wanted ? put_in(lists) : take_out(lists))) {
    gchar* error = nullptr;
    if (!color_filters_apply(lists.temporary, lists.lasting, &error)) {
      report_warning("RPC over RDMA: %s", error == nullptr ? "colouring rules" : error);
      g_free(error);
    }
  }
  color_filter_list_delete(&lists.temporary);
  color_filter_list_delete(&lists.lasting);
}

}  // namespace steertag::plugin
