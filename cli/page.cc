#include "page.h"

#include <cstddef>

namespace steertag::cli {

void escape_records(std::string_view records, report::Buffer& out) {
  size_t done = 0;
  const auto replace = [&](size_t at, size_t length, std::string_view with) {
    report::put(out, records.substr(done, at - done));
    report::put(out, with);
    done = at + length;
  };
  for (size_t at = 0; at < records.size(); ++at) {
    switch (records[at]) {
      case '<':
        replace(at, 1, "\\u003c");
        break;
      case '>':
        replace(at, 1, "\\u003e");
        break;
      case '&':
        replace(at, 1, "\\u0026");
        break;
      case '\xe2':
        if (const std::string_view three = records.substr(at, 3); three == "\xe2\x80\xa8") {
          replace(at, 3, "\\u2028");
        } else if (three == "\xe2\x80\xa9") {
          replace(at, 3, "\\u2029");
        }
        break;
      default:
        break;
    }
  }
  report::put(out, records.substr(done));
}

}  // namespace steertag::cli
