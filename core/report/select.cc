#include "report/select.h"

#include <string>

#include "base/fold_case.h"
#include "rpcrdma/programs.h"

namespace steertag::report {

bool has_procedure(const flow::Exchange& exchange, std::string_view wanted) {
  if (!exchange.procedure) {
    return false;
  }
  const auto& [program, version, procedure] = *exchange.procedure;
  const std::string name = rpcrdma::name(program, version, procedure);
  const size_t blank = name.find(' ');
  return base::same_in_any_case(name, wanted) ||
         (blank != std::string::npos &&
          base::same_in_any_case(std::string_view(name).substr(blank + 1), wanted));
}

}  // namespace steertag::report
