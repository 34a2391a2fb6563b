// The plugin as Wireshark sees it: what it registers, and what it does with each
// frame. It is a postdissector: it gets every frame whole, whoever dissected it
// before and however far that got.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "compat.h"

#include <epan/tap.h>
#include <wsutil/report_message.h>

#include <cstdio>

#include "builtin.h"
#include "fields.h"
#include "frames.h"
#include "handover.h"
#include "preferences.h"
#include "session.h"
#include "show.h"

namespace steertag::plugin {
namespace {

int dissect(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, void*) {
  const bool first = !pinfo->fd->visited;
  if (first) {
    feed(tvb, pinfo);
  }
  return show(tvb, pinfo, tree, first) ? static_cast<int>(tvb_captured_length(tvb)) : 0;
}

void begin() {
  session::open(settings);
  settle_with_builtin();
  settle_colours(colours_findings());
}

// Whether the user has been told that the analysis of this file ended early.
bool told;

// The file has been read, as far as Wireshark and tshark -2 are concerned. Once a file: a box that does not
// wait for an answer, and on the terminal a line.
void finish() {
  session::finish();
  if (const Ending& ending = session::ending(); ending && !told) {
    told = true;
    report_failure("RPC over RDMA: %s.", ending.text);
  }
}

// A frame's finding may be proven only when the capture ends. Then Wireshark, and
// tshark -2, show it when they dissect the frame again; in one pass, it is too late.
void end() {
  session::finish(session::Rest::unseen);
  if (const size_t unseen = session::unseen_findings(); unseen != 0) {
    fprintf(stderr, "steertag: %zu more findings were proven only at the end of the capture; -2 shows them\n",
            unseen);
  }
  if (const uint64_t times = session::given_up(); times != 0) {
    fprintf(stderr,
            "steertag: the limit of memory (preference rpcrdma.memory) was reached: state was dropped %llu "
            "times, and RPCs in progress there are not judged\n",
            static_cast<unsigned long long>(times));
  }
  if (const Ending& ending = session::ending(); ending && !told) {
    fprintf(stderr, "steertag: %s\n", ending.text);
  }
  told = false;
  end_latency_table();
  session::close();
  give_back_to_builtin();
}

void register_all() {
  proto = proto_register_protocol("RPC over RDMA (Steertag)", "RPC-over-RDMA", "rpcrdma");
  register_fields();
  register_preferences();
  tap = register_tap("rpcrdma");
  register_counting();
  register_latency_table();
  register_finding_list();
  register_summary();
  register_conversations();
  register_postdissector(register_dissector("rpcrdma", dissect, proto));
  register_init_routine(begin);
  register_postseq_cleanup_routine(finish);
  register_cleanup_routine(end);
}

void hand_off() {
  register_handover();
  register_builtin();
}

}  // namespace
}  // namespace steertag::plugin

extern "C" WS_DLL_PUBLIC_DEF const char plugin_version[] = STEERTAG_VERSION;
extern "C" WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
extern "C" WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

extern "C" WS_DLL_PUBLIC_DEF void plugin_register(void) {
  static proto_plugin registration;
  registration.register_protoinfo = steertag::plugin::register_all;
  registration.register_handoff = steertag::plugin::hand_off;
  proto_register_plugin(&registration);
}

#ifdef WS_PLUGIN_DESC_DISSECTOR
extern "C" WS_DLL_PUBLIC_DEF uint32_t plugin_describe(void) {
  return WS_PLUGIN_DESC_DISSECTOR;
}
#endif
