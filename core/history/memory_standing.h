// The part of a message's Standing that is about memory: whether the memory that a Call
// advertises is advertised already, and whose handle a Send With Invalidate names. Functions of
// what is advertised at that moment, called only with Settings::for_rules.
#pragma once

#include <cstdint>
#include <optional>

#include "flow/message.h"
#include "flow/standing.h"
#include "memory/advertised.h"

namespace steertag::history {

void fill_memory(Standing& standing, const Message& message, const memory::Advertised& advertised);

// An unanswered Call that advertises the handle; null where there is none.
const Exchange* find_advertiser(const memory::Advertised& advertised, Side owner, uint32_t handle);
// The Send With Invalidate that invalidated the handle, which no Call has advertised since.
std::optional<Stamp> find_invalidated(const memory::Advertised& advertised, Side owner, uint32_t handle);
// Memory for results that this Call advertises although it is part of another unanswered Call.
std::optional<Overlap> find_overlap(const memory::Advertised& advertised, const Message& call);

}  // namespace steertag::history
