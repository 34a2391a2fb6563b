// SPDX-License-Identifier: GPL-2.0-or-later
#include "listing.h"

#include <epan/stat_groups.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace steertag::plugin {
namespace {

tap_packet_status hear(void*, packet_info*, epan_dissect_t*, const void*, tap_flags_t) {
  return TAP_PACKET_DONT_REDRAW;
}

// "rpcrdma,findings", or with a filter "rpcrdma,findings,frame.number < 9".
#if STEERTAG_WIRESHARK(4, 6)
bool init(const char* argument, void* of) {
#else
void init(const char* argument, void* of) {
#endif
  Listing& one = *static_cast<Listing*>(of);
  const size_t length = strlen(one.option);
  const char* const filter = strlen(argument) > length + 1 ? argument + length + 1 : nullptr;
  GString* error = register_tap_listener("rpcrdma", &one.listener, filter, TL_REQUIRES_NOTHING, nullptr, hear,
                                         one.print, nullptr);
  if (error != nullptr) {
    fprintf(stderr, "steertag: -z %s: %s\n", one.option, error->str);
    g_string_free(error, TRUE);
    exit(1);
  }
#if STEERTAG_WIRESHARK(4, 6)
  return true;
#endif
}

}  // namespace

void register_listing(Listing& one) {
  one.ui.group = REGISTER_PACKET_STAT_GROUP_UNSORTED;
  one.ui.cli_string = one.option;
  one.ui.tap_init_cb = init;
  register_stat_tap_ui(&one.ui, &one);
}

void print_rule() {
  printf("===================================================================\n");
}

}  // namespace steertag::plugin
