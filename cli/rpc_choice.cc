#include "rpc_choice.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "host/failure.h"
#include "host/nearest.h"
#include "options.h"
#include "report/select.h"
#include "stats/outcome.h"

namespace steertag::cli {

void RpcChoice::check_names() const {
  for (const std::string& name : procedures) {
    if (!report::can_be_procedure(name)) {
      throw host::Failure("--procedure: " + name + ": no such procedure" +
                          host::did_you_mean(name, report::procedure_names()));
    }
  }
  for (const std::string& name : operations) {
    if (!report::can_be_operation(name)) {
      throw host::Failure("--op: " + name + ": no such operation" +
                          host::did_you_mean(name, report::operation_names()));
    }
  }
}

bool RpcChoice::wants(const flow::Exchange& exchange) const {
  if (incomplete && exchange.status == flow::Status::complete && exchange.complete) {
    return false;
  }
  if (failed && !stats::failed(exchange)) {
    return false;
  }
  const auto any = [&](const std::vector<std::string>& names, auto has) {
    return names.empty() || std::any_of(names.begin(), names.end(),
                                        [&](const std::string& name) { return has(exchange, name); });
  };
  return any(procedures, report::has_procedure) && any(operations, report::has_operation);
}

bool RpcChoice::wants(const flow::Negotiation& one) const {
  return procedures.empty() && operations.empty() &&
         !(incomplete && one.status == flow::Status::complete && one.complete) &&
         !(failed && one.status != flow::Status::transport_error);
}

void add_choice_options(CLI::App& command, RpcChoice& choice) {
  take_list(command.add_option("--op", choice.operations,
                               "only this operation, as the procedure column has it:\nREAD, \"NFSv4 READ\""),
            "OPERATION");
  take_list(
      command.add_option("--procedure", choice.procedures, "only this procedure: READ, \"NFSv4 COMPOUND\""),
      "PROCEDURE");
  command.add_flag("--failed", choice.failed,
                   "only RPCs that were answered with an error: of NFS, of\nRPC, or of the transport");
  command.add_flag("--incomplete", choice.incomplete,
                   "only RPCs without Call or Reply, answered by a\ntransport error, or incomplete");
}

}  // namespace steertag::cli
