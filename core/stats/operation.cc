#include "stats/operation.h"

#include <fmt/core.h>

#include "rpcrdma/programs.h"

namespace steertag::stats {
namespace {
constexpr uint32_t callback_program = 0x40000000;  // stands for all of them
}

Operation operation_of(const flow::Exchange& exchange) {
  if (!exchange.procedure) {
    return {};
  }
  const auto& [program, version, procedure] = *exchange.procedure;
  Operation operation{.program = rpcrdma::nfs4_callback(program, version) ? callback_program : program,
                      .version = version,
                      .op = exchange.subject.op};
  if (operation.op.empty()) {
    operation.op = rpcrdma::procedure_name(program, version, procedure);
  }
  if (operation.op.empty()) {
    operation.op = std::to_string(procedure);
  }
  return operation;
}

std::string protocol(const Operation& operation) {
  if (!operation.known()) {
    return {};
  }
  if (rpcrdma::nfs4_callback(operation.program, operation.version)) {
    return "NFSv4";
  }
  const std::string_view known = rpcrdma::program_name(operation.program);
  return known.empty() ? fmt::format("program {} version {}", operation.program, operation.version)
                       : fmt::format("{}v{}", known, operation.version);
}

std::string name(const Operation& operation) {
  if (!operation.known()) {
    return "?";
  }
  const bool number = operation.op.find_first_not_of("0123456789") == std::string::npos;
  return protocol(operation) + (number ? " operation " : " ") + operation.op;
}

}  // namespace steertag::stats
