// Fields: the registered fields, trees and expert infos of the protocol rpcrdma,
// each by a name; fields.def lists them. register_fields() is called once, by
// plugin.cc; afterwards the ids never change.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "compat.h"

#include <epan/expert.h>

#include "rules/rule.h"

namespace steertag::plugin {

namespace hf {
#define FIELD(identifier, name, label, type, display, strings, description) extern int identifier;
#include "fields.def"
#undef FIELD
}  // namespace hf

// One expanded/collapsed state for each kind of part.
enum class Part : uint8_t { protocol, list, element, segment, generated, placement, finding, count };
extern int ett[static_cast<size_t>(Part::count)];
inline int ett_of(Part part) {
  return ett[static_cast<size_t>(part)];
}

namespace ei {
extern expert_field cut, ended, unshown, lost, retransmission, no_reply, waiting;
}

// Of a finding; `doubtful`: it is only possible, and shown so.
expert_field* info_of(const rules::Rule& rule, rules::Severity severity, bool doubtful);

extern int proto;

void register_fields();
// Parts of it.
void register_timing_fields();                      // times.cc
void register_rule_infos(expert_module_t* module);  // rule_infos.cc

}  // namespace steertag::plugin
