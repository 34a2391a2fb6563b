// A plugin for tests: prints, for each frame, the filters that the menu of Wireshark would offer for it. Of
// those of "rpcrdma" alone: frame, name and filter, with tabs between, on standard error.
//
// SPDX-License-Identifier: GPL-2.0-or-later
// Wireshark's headers lean on each other.
// clang-format off
#include "plugin/compat.h"
#include <epan/conversation_filter.h>
// clang-format on

#include <cstdio>
#include <cstring>

namespace {

// The second argument, which some versions of Wireshark have, is null.
template <typename Result, typename... More>
Result ask(Result (*callback)(packet_info*, More...), packet_info* pinfo) {
  return callback(pinfo, More()...);
}

int print_filters(tvbuff_t*, packet_info* pinfo, proto_tree*, void*) {
  for (const GList* entry = packet_conv_filter_list; entry != nullptr; entry = entry->next) {
    const auto* const filter = static_cast<const conversation_filter_t*>(entry->data);
    if (strcmp(filter->proto_name, "rpcrdma") == 0 && ask(filter->is_filter_valid, pinfo)) {
      char* const text = ask(filter->build_filter_string, pinfo);
      fprintf(stderr, "probe\t%u\t%s\t%s\n", pinfo->num, filter->display_name, text);
      g_free(text);
    }
  }
  return 0;
}

void register_probe() {
  const int proto = proto_register_protocol("Conversation probe", "Probe", "conversation_probe");
  register_postdissector(register_dissector("conversation_probe", print_filters, proto));
}

}  // namespace

extern "C" WS_DLL_PUBLIC_DEF const char plugin_version[] = "1";
extern "C" WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
extern "C" WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

extern "C" WS_DLL_PUBLIC_DEF void plugin_register(void) {
  static proto_plugin registration;
  registration.register_protoinfo = register_probe;
  proto_register_plugin(&registration);
}

#ifdef WS_PLUGIN_DESC_DISSECTOR
extern "C" WS_DLL_PUBLIC_DEF uint32_t plugin_describe(void) {
  return WS_PLUGIN_DESC_DISSECTOR;
}
#endif
