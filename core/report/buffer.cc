#include "report/buffer.h"

#include <iterator>

namespace steertag::report {

// Apart from print(), so that what fmt needs for it is compiled once.
void print_arguments(Buffer& out, fmt::string_view format, fmt::format_args arguments) {
  fmt::vformat_to(std::back_inserter(out), format, arguments);
}

}  // namespace steertag::report
