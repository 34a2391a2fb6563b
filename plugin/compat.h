// What differs between Wireshark 4.0 and 4.6, and nothing else. Every file of
// plugin/ that talks to Wireshark includes this before any <epan/...> header; the
// rest of the plugin is written as if there were one Wireshark.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <wireshark.h>

#include <epan/packet.h>
#include <ws_version.h>
#if WIRESHARK_VERSION_MAJOR > 4 || WIRESHARK_VERSION_MINOR >= 4
#include <wsutil/plugins.h>
#endif

#define STEERTAG_WIRESHARK(major, minor) \
  (WIRESHARK_VERSION_MAJOR > (major) ||  \
   (WIRESHARK_VERSION_MAJOR == (major) && WIRESHARK_VERSION_MINOR >= (minor)))

// Between the parts of a place in the menu (epan/stats_tree.h).
#if STEERTAG_WIRESHARK(4, 4)
#define STEERTAG_MENU STATS_TREE_MENU_SEPARATOR
#else
#define STEERTAG_MENU "/"
#endif

namespace steertag::plugin {

// The types of preferences, heuristics and flag tests.
#if STEERTAG_WIRESHARK(4, 4)
using Flag = bool;
using Size = unsigned;
#else
using Flag = gboolean;
using Size = guint;
#endif

// The whole frame, as passed to the first dissector; null where there is none.
inline tvbuff_t* frame_tvb(packet_info* pinfo) {
#if STEERTAG_WIRESHARK(4, 6)
  struct data_source* source = get_data_source_by_name(pinfo, "Frame");
  return source == nullptr ? nullptr : get_data_source_tvb(source);
#else
  return get_data_source_tvb_by_name(pinfo, "Frame");
#endif
}

}  // namespace steertag::plugin
