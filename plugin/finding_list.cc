// -z rpcrdma,findings: every finding of a capture, one line each, by frame. It
// closes the session first: it is complete, also where a frame's own line could
// not be, because its finding was proven only at the end of the capture.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "compat.h"

#include <epan/stat_groups.h>
#include <epan/stat_tap_ui.h>
#include <epan/tap.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "items.h"
#include "notebook.h"
#include "session.h"
#include "show.h"

namespace steertag::plugin {
namespace {

tap_packet_status hear(void*, packet_info*, epan_dissect_t*, const void*, tap_flags_t) {
  return TAP_PACKET_DONT_REDRAW;  // the Notebook remembers
}

void print(const FindingNote& finding, bool at_end) {
  printf("%8u  %-7s %.*s %s%s%s%s (%s)%s\n", finding.frame, word(finding.severity),
         static_cast<int>(finding.rule->id.size()), finding.rule->id.data(),
         finding.certainty == rules::Certainty::possible ? "possibly: " : "", finding.accused.c_str(),
         finding.accused.empty() ? "" : ": ", finding.text.c_str(), finding.clause.c_str(),
         at_end ? " (known at the end)" : "");
}

void print(const Notebook& book) {
  for (uint32_t frame = 0; frame < book.of_frame.frames(); ++frame) {
    for (const Note& note : book.of_frame.of(frame)) {
      if (note.kind == Note::Kind::finding) {
        const FindingNote& finding = book.findings[note.index];
        print(finding, finding.known_from > book.frames);
      }
    }
  }
}

void print(void*) {
  session::finish();
  const Notebook* book = session::notebook();
  printf("===================================================================\n");
  printf("RPC over RDMA: %zu findings\n%8s  %-7s %s\n", book == nullptr ? 0 : book->findings.size(), "Frame",
         "", "Finding");
  if (book != nullptr) {
    print(*book);
  }
  if (const Ending& ending = session::ending()) {
    printf("%c%s\n", toupper(ending.text[0]), ending.text + 1);
  }
  if (const uint64_t times = session::given_up(); times != 0) {
    printf("The limit of memory (preference rpcrdma.memory) was reached: state was dropped %llu times\n",
           static_cast<unsigned long long>(times));
  }
  printf("===================================================================\n");
}

#if STEERTAG_WIRESHARK(4, 6)
bool init(const char* argument, void*) {
#else
void init(const char* argument, void*) {
#endif
  const char* filter =
      strlen(argument) > strlen("rpcrdma,findings,") ? argument + strlen("rpcrdma,findings,") : nullptr;
  static int listener;
  GString* error =
      register_tap_listener("rpcrdma", &listener, filter, TL_REQUIRES_NOTHING, nullptr, hear, print, nullptr);
  if (error != nullptr) {
    fprintf(stderr, "steertag: -z rpcrdma,findings: %s\n", error->str);
    g_string_free(error, TRUE);
    exit(1);
  }
#if STEERTAG_WIRESHARK(4, 6)
  return true;
#endif
}

}  // namespace

void register_finding_list() {
  static stat_tap_ui ui = {
      REGISTER_PACKET_STAT_GROUP_UNSORTED, nullptr, "rpcrdma,findings", init, 0, nullptr};
  register_stat_tap_ui(&ui, nullptr);
}

}  // namespace steertag::plugin
