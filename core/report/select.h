// Selecting what is reported: whether an RPC is one of those asked for by the
// name of its procedure.
// Pure functions; names as rpcrdma/programs.h has them.
#pragma once

#include <string_view>

#include "flow/exchange.h"

namespace steertag::report {

// "COMPOUND" and "NFSv4 COMPOUND" both name that procedure, in any case. An
// exchange whose procedure is unknown has no name.
bool has_procedure(const flow::Exchange& exchange, std::string_view wanted);

}  // namespace steertag::report
