// Span: from when until when something went on, in nanoseconds: of one thing, or of several
// together. Nothing is noted in a new one. An incident that is told from statistics takes its
// begin and end from it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace steertag::stats {

struct Span {
  int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;

  bool any() const { return begin_ns <= end_ns; }
  void note(int64_t from_ns, int64_t to_ns) {
    begin_ns = std::min(begin_ns, from_ns);
    end_ns = std::max(end_ns, to_ns);
  }
  void note(const Span& other) { note(other.begin_ns, other.end_ns); }
};

}  // namespace steertag::stats
