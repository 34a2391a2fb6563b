// SPDX-License-Identifier: GPL-2.0-or-later
#include "preferences.h"

#include <epan/prefs.h>
#include <epan/range.h>

#include <algorithm>

#include "fields.h"

namespace steertag::plugin {
namespace {

Flag version_one = true;
Flag guard = true;
Flag strict = false;
Flag colours = true;
guint memory = Settings().memory_mib;
gint profile = static_cast<gint>(rules::Profile::deployed);
range_t* rpcrdma_ports = nullptr;
range_t* roce_ports = nullptr;
range_t* vxlan_ports = nullptr;
range_t* geneve_ports = nullptr;

std::vector<uint16_t> list(const range_t* range) {
  std::vector<uint16_t> ports;
  for (unsigned i = 0; range != nullptr && i < range->nranges; ++i) {
    for (uint32_t port = range->ranges[i].low; port <= range->ranges[i].high && port <= 0xffff; ++port) {
      ports.push_back(static_cast<uint16_t>(port));
    }
  }
  return ports;
}

}  // namespace

void register_preferences() {
  static const enum_val_t profiles[] = {
      {"deployed", "deployed: tolerate what shipping implementations are known to do",
       static_cast<gint>(rules::Profile::deployed)},
      {"strict", "strict: the text as written", static_cast<gint>(rules::Profile::strict)},
      {"rfc5666", "rfc5666: version one as RFC 5666 defined it", static_cast<gint>(rules::Profile::rfc5666)},
      {nullptr, nullptr, 0}};
  module_t* module = prefs_register_protocol(proto, nullptr);
  prefs_register_bool_preference(
      module, "version_one", "Dissect version one",
      "Dissect RPC-over-RDMA version one and the RPC in it with this plugin. Otherwise Wireshark's own "
      "RPCoRDMA does, and this plugin adds its findings.",
      &version_one);
  prefs_register_bool_preference(
      module, "guard_ports", "RoCEv2 before other UDP protocols",
      "Treat UDP datagrams to the RoCEv2 port as RoCEv2, whatever protocol their source port "
      "belongs to: RoCEv2 senders choose it at random.",
      &guard);
  prefs_register_enum_preference(module, "profile", "Profile",
                                 "How strictly traffic is judged by the documents.", &profile, profiles,
                                 FALSE);
  prefs_register_bool_preference(
      module, "strict", "Possible findings in full",
      "Findings that frames missing from the capture could explain are shown with the "
      "severity of their rule, instead of only as chats.",
      &strict);
  prefs_register_bool_preference(
      module, "colours", "Colour frames with findings and losses",
      "Put colouring rules for findings, lost packets and Calls without a Reply at the head of the list, "
      "where they are not in it.",
      &colours);
  prefs_register_range_preference(module, "ports", "More ports of NFS/RDMA",
                                  "RDMA CM or TCP ports on which NFS/RDMA is expected, besides 20049.",
                                  &rpcrdma_ports, 0xffff);
  prefs_register_range_preference(module, "udp_ports", "More ports of RoCEv2",
                                  "UDP destination ports that carry RoCEv2, besides 4791.", &roce_ports,
                                  0xffff);
  prefs_register_range_preference(
      module, "vxlan_ports", "More ports of VXLAN",
      "UDP destination ports of VXLAN, besides 4789, where RPC-over-RDMA is expected.", &vxlan_ports, 0xffff);
  prefs_register_range_preference(
      module, "geneve_ports", "More ports of GENEVE",
      "UDP destination ports of GENEVE, besides 6081, where RPC-over-RDMA is expected.", &geneve_ports,
      0xffff);
  prefs_register_uint_preference(module, "memory", "Memory (MiB)",
                                 "How much memory open connections and RPCs may take, besides what is shown. "
                                 "Beyond that the least useful of them are dropped, which is reported.",
                                 10, &memory);
}

Settings settings() {
  Settings settings;
  settings.profile = static_cast<rules::Profile>(profile);
  settings.rpcrdma_ports = list(rpcrdma_ports);
  settings.roce_ports = list(roce_ports);
  settings.vxlan_ports = list(vxlan_ports);
  settings.geneve_ports = list(geneve_ports);
  settings.memory_mib = std::max(memory, 1u);
  return settings;
}

bool shows_possible_in_full() {
  return strict;
}

bool colours_findings() {
  return colours;
}

bool takes_version_one() {
  return version_one;
}

bool guards_ports() {
  return guard;
}

}  // namespace steertag::plugin
