// The part of a message's Standing that is about memory: whether the memory that a Call
// advertises is advertised already, and whose handle a Send With Invalidate names. Functions of
// what is advertised at that moment, called only with Settings::for_rules.
#pragma once

#include "flow/message.h"
#include "flow/standing.h"
#include "memory/advertised.h"

namespace steertag::history {

void fill_memory(Standing& standing, const Message& message, const memory::Advertised& advertised);

}  // namespace steertag::history
