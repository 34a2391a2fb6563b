// What an AuditProduct says to the ring that keeps the latest frames (Settings::kRing, host/ring.h): a line
// for each finding, with its frame, whether it keeps the frames around it, and its words. The ring reads
// these lines back.
#pragma once

#include <cstdint>
#include <string_view>

#include "report/buffer.h"

namespace steertag::product {

// There is no end of line in the words as they are written.
inline void ring_line(report::Buffer& out, uint64_t frame, bool keeps, std::string_view words) {
  report::print(out, "{} {} ", frame, keeps ? 'k' : '-');
  for (const char c : words) {
    out.push_back(c == '\n' ? ' ' : c);
  }
  report::put(out, '\n');
}

}  // namespace steertag::product
