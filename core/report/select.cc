#include "report/select.h"

#include <algorithm>

#include "base/fold_case.h"
#include "rpcrdma/programs.h"

namespace steertag::report {

namespace {

bool names(std::string_view name, std::string_view wanted) {
  const size_t blank = name.find(' ');
  return base::same_in_any_case(name, wanted) ||
         (blank != std::string_view::npos && base::same_in_any_case(name.substr(blank + 1), wanted));
}

}  // namespace

bool can_be_procedure(std::string_view wanted) {
  const std::vector<std::string> known = procedure_names();
  if (std::any_of(known.begin(), known.end(), [&](const std::string& name) { return names(name, wanted); })) {
    return true;
  }
  const size_t digits = wanted.find_last_not_of("0123456789") + 1;
  constexpr std::string_view kWord = "procedure ";
  return digits < wanted.size() && digits >= kWord.size() &&
         base::same_in_any_case(wanted.substr(digits - kWord.size(), kWord.size()), kWord);
}

std::vector<std::string> procedure_names() {
  constexpr uint32_t kMostProcedures = 32;  // more than any known program has
  std::vector<std::string> names;
  for (const auto& [program, version] : rpcrdma::known_programs()) {
    for (uint32_t procedure = 0; procedure < kMostProcedures; ++procedure) {
      const std::string_view name = rpcrdma::procedure_name(program, version, procedure);
      if (!name.empty()) {
        names.emplace_back(name);
        names.push_back(rpcrdma::name(program, version, procedure));
      }
    }
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

}  // namespace steertag::report
