// Marks: what shows in the packet list that a frame has findings: the rules' ids in
// front of the Info column, worst first, and colouring rules by severity. These are
// put into Wireshark's own list, where they are not there yet, each time a file is
// opened; the user may switch off, move or change them like any other, and the
// preference rpcrdma.colours takes them out.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "compat.h"

namespace steertag::plugin {

struct Notebook;

// Puts "[MEM-09 CRD-02?] " in front of what the column says. The question mark: possibly.
void mark_info(packet_info* pinfo, const Notebook& book);

void settle_colours(bool wanted);

}  // namespace steertag::plugin
