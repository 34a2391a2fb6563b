// Fields: the registered fields, trees and expert infos of the protocol rpcrdma,
// each by a name; fields.def lists them. register_fields() is called once, by
// plugin.cc; afterwards the ids never change.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "compat.h"

#include <epan/expert.h>

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
extern expert_field error, warning, note, possible, cut, ended, unshown;
}

extern int proto;

void register_fields();
void register_timing_fields();  // times.cc; a part of it

}  // namespace steertag::plugin
