// Whose the handle is that a Send With Invalidate names, for the findings about
// one that is not the answered Call's: the end that loses memory by a mistake is
// named with it. Good until the check returns.
#pragma once

#include <fmt/core.h>

#include <string>

#include "flow/message.h"

namespace steertag::rules {

// A clause about the open Call, other than `answered`, that advertises the handle; empty where there is none.
inline std::string owner_of_invalidated(const flow::Message& message, const flow::Exchange* answered) {
  const flow::Exchange* owner = message.standing->invalidates;
  return owner == nullptr || owner == answered
             ? std::string()
             : fmt::format("; that one is advertised by XID {:#010x}, which is still open", owner->xid);
}

}  // namespace steertag::rules
