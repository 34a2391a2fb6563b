// Shared: what the Histories of all connections of one Analyzer share: which Calls were refused, on which
// connection a handle is advertised, who keeps messages, and scratch memory. It outlives
// them all.
#pragma once

#include "flow/standing.h"
#include "history/kept_messages.h"
#include "history/refusals.h"
#include "memory/handle_directory.h"

namespace steertag::history {

struct Shared {
  RefusalsByHosts refusals;
  memory::HandleDirectory directory;
  KeptMessages kept;
  Standing standing, unknown;  // of the current message; where its history is not known
};

}  // namespace steertag::history
