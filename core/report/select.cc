#include "report/select.h"

#include <algorithm>
#include <string>

#include "rpcrdma/programs.h"

namespace steertag::report {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

bool has_procedure(const flow::Exchange& exchange, std::string_view wanted) {
  if (!exchange.procedure) {
    return false;
  }
  const auto& [program, version, procedure] = *exchange.procedure;
  const std::string name = rpcrdma::name(program, version, procedure);
  const size_t blank = name.find(' ');
  return same(name, wanted) ||
         (blank != std::string::npos && same(std::string_view(name).substr(blank + 1), wanted));
}

}  // namespace steertag::report
