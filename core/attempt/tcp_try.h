// failed_try(): what failed of a TCP connection that carried no RPC-over-RDMA: a SYN
// that was refused or not answered, an MPA Request that was rejected or not
// answered, or an end before the first message.
#pragma once

#include <optional>

#include "attempt/attempt.h"
#include "track/connection.h"
#include "track/tcp_setup.h"

namespace steertag::attempt {

// Nothing where it is not known to have failed.
std::optional<Try> failed_try(const track::TcpSetup& setup, const track::Connection& connection);

}  // namespace steertag::attempt
