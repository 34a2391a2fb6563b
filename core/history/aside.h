// aside_of(): what is remembered of a message that belongs to no RPC, but that an RDMA_ERROR may
// answer all the same: an RDMA2_OPTIONAL, an RDMA_DONE, or one whose direction nothing shows. A
// function of the message.
#pragma once

#include <optional>

#include "flow/message.h"
#include "history/terms.h"

namespace steertag::history {

// Unset where the message is none of these, or its fixed words were not captured.
std::optional<Aside> aside_of(const Message& message);

}  // namespace steertag::history
