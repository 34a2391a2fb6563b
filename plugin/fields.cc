// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields.h"

namespace steertag::plugin {

namespace hf {
#define FIELD(identifier, name, label, type, display, strings, description) int identifier = -1;
#include "fields.def"
#undef FIELD
}  // namespace hf

namespace ei {
expert_field cut = EI_INIT, ended = EI_INIT, unshown = EI_INIT, lost = EI_INIT, retransmission = EI_INIT,
             no_reply = EI_INIT, waiting = EI_INIT;
}

int proto = -1;
int ett[static_cast<size_t>(Part::count)];

void register_fields() {
  static hf_register_info fields[] = {
#define FIELD(identifier, name, label, type, display, strings, description) \
  {&hf::identifier, {label, "rpcrdma." name, type, display, strings, 0, description, HFILL}},
#include "fields.def"
#undef FIELD
  };
  static int* trees[static_cast<size_t>(Part::count)];
  for (size_t i = 0; i < static_cast<size_t>(Part::count); ++i) {
    ett[i] = -1;
    trees[i] = &ett[i];
  }
  static ei_register_info infos[] = {
      {&ei::cut, {"rpcrdma.header_ends_early", PI_UNDECODED, PI_NOTE, "Header ends early", EXPFILL}},
      {&ei::ended, {"rpcrdma.ended_early", PI_UNDECODED, PI_ERROR, "Analysis ended early", EXPFILL}},
      {&ei::unshown, {"rpcrdma.not_shown", PI_UNDECODED, PI_ERROR, "Not shown: out of memory", EXPFILL}},
      {&ei::lost, {"rpcrdma.lost", PI_SEQUENCE, PI_NOTE, "Packet lost", EXPFILL}},
      {&ei::retransmission, {"rpcrdma.retransmission", PI_SEQUENCE, PI_NOTE, "Sent again", EXPFILL}},
      {&ei::no_reply, {"rpcrdma.no_reply", PI_SEQUENCE, PI_NOTE, "Call without a Reply", EXPFILL}},
      {&ei::waiting, {"rpcrdma.waiting", PI_SEQUENCE, PI_CHAT, "Call that still waits", EXPFILL}},
  };
  proto_register_field_array(proto, fields, array_length(fields));
  register_timing_fields();
  proto_register_subtree_array(trees, array_length(trees));
  expert_module_t* const module = expert_register_protocol(proto);
  expert_register_field_array(module, infos, array_length(infos));
  register_rule_infos(module);
}

}  // namespace steertag::plugin
