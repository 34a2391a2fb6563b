#include "report/select.h"

#include <algorithm>

#include "base/fold_case.h"
#include "nfs/call.h"
#include "report/names.h"
#include "rpcrdma/programs.h"

namespace steertag::report {
namespace {

bool names(std::string_view name, std::string_view wanted) {
  const size_t blank = name.find(' ');
  return base::same_in_any_case(name, wanted) ||
         (blank != std::string_view::npos && base::same_in_any_case(name.substr(blank + 1), wanted));
}

bool any_names(const std::vector<std::string>& known, std::string_view wanted) {
  return std::any_of(known.begin(), known.end(),
                     [&](const std::string& name) { return names(name, wanted); });
}

void add_procedures(uint32_t program, uint32_t version, std::vector<std::string>& into) {
  constexpr uint32_t kMostProcedures = 32;  // more than any known program has
  for (uint32_t procedure = 0; procedure < kMostProcedures; ++procedure) {
    const std::string_view name = rpcrdma::procedure_name(program, version, procedure);
    if (!name.empty()) {
      into.emplace_back(name);
      into.push_back(rpcrdma::name(program, version, procedure));
    }
  }
}

}  // namespace

bool can_be_procedure(std::string_view wanted) {
  if (any_names(procedure_names(), wanted)) {
    return true;
  }
  const size_t digits = wanted.find_last_not_of("0123456789") + 1;
  constexpr std::string_view kWord = "procedure ";
  return digits < wanted.size() && digits >= kWord.size() &&
         base::same_in_any_case(wanted.substr(digits - kWord.size(), kWord.size()), kWord);
}

std::vector<std::string> procedure_names() {
  std::vector<std::string> names;
  for (const auto& [program, version] : rpcrdma::known_programs()) {
    add_procedures(program, version, names);
  }
  return names;
}

bool has_procedure(const flow::Exchange& exchange, std::string_view wanted) {
  if (!exchange.procedure) {
    return false;
  }
  const auto& [program, version, procedure] = *exchange.procedure;
  return names(rpcrdma::name(program, version, procedure), wanted);
}

bool can_be_operation(std::string_view wanted) {
  const bool number = !wanted.empty() && wanted.find_first_not_of("0123456789") == std::string_view::npos;
  return number || any_names(operation_names(), wanted);
}

std::vector<std::string> operation_names() {
  std::vector<std::string> known;
  for (const auto& [program, version] : rpcrdma::known_programs()) {
    if (!nfs::is_compound(program, version, nfs::compound)) {
      add_procedures(program, version, known);
    }
  }
  const auto add = [&](std::string_view name) {
    if (!name.empty()) {
      known.emplace_back(name);
      known.push_back("NFSv4 " + std::string(name));
    }
  };
  constexpr uint32_t kMostOpcodes = 128;  // more than there are, but for ILLEGAL
  for (const bool callback : {false, true}) {
    add(callback ? "CB_NULL" : "NULL");
    for (uint32_t opcode = 0; opcode < kMostOpcodes; ++opcode) {
      add(nfs::operation_name(opcode, callback));
    }
    add(nfs::operation_name(nfs::op_illegal, callback));
  }
  return known;
}

bool has_operation(const flow::Exchange& exchange, std::string_view wanted) {
  return !exchange.subject.op.empty() &&
         (base::same_in_any_case(exchange.subject.op, wanted) || names(rpc_name(exchange), wanted));
}

}  // namespace steertag::report
