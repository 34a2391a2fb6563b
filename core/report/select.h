// Selecting what is reported: whether an RPC is one of those asked for by the
// name of its procedure or its operation, and whether there is one of that name.
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

// The same of what an RPC was about (Subject::op): "READ", "NFSv4 READ", "4711" an operation without a name.
bool has_operation(const flow::Exchange& exchange, std::string_view wanted);
bool can_be_operation(std::string_view wanted);
std::vector<std::string> operation_names();

}  // namespace steertag::report
