// aside_of(): what is remembered of a message that no RPC stands for, and that an RDMA_ERROR
// may answer nevertheless: an RDMA2_OPTIONAL, or one of which nobody can say what it is.
// A function of the message.
#pragma once

#include <optional>

#include "flow/message.h"
#include "flow/terms.h"

namespace steertag::flow {

// Unset where the message is no such one, or its fixed words were not captured.
std::optional<Aside> aside_of(const Message& message);

}  // namespace steertag::flow
