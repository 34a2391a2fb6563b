// Selecting what is reported: whether an RPC is one of those asked for by the
// name of its procedure, and whether there is a procedure of that name.
// Pure functions; names as rpcrdma/programs.h has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "flow/exchange.h"

namespace steertag::report {

// "COMPOUND" and "NFSv4 COMPOUND" both name that procedure, in any case. An
// exchange whose procedure is unknown has no name.
bool has_procedure(const flow::Exchange& exchange, std::string_view wanted);

// Whether any procedure can have that name: one that is known by name, or any by its number ("NFSv3 procedure
// 99").
bool can_be_procedure(std::string_view wanted);
// Those that are known by name: "COMPOUND", "NFSv4 COMPOUND" ...
std::vector<std::string> procedure_names();

}  // namespace steertag::report
