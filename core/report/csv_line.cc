#include "report/csv_line.h"

namespace steertag::report {

void csv_value(Buffer& out, std::string_view value) {
  if (value.find_first_of(",\"\r\n") == std::string_view::npos) {
    return put(out, value);
  }
  put(out, '"');
  for (const char c : value) {
    put(out, c);
    if (c == '"') {
      put(out, c);
    }
  }
  put(out, '"');
}

}  // namespace steertag::report
