// Spells: when something went on that came and went: spans of time, in order, each apart from the next by
// more than kApartNs of quiet. Of two outages with an hour between them neither lasted for an hour. Bounded:
// of more than kMost spells only the whole is known, for something that never ceases for long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rare.h"
#include "stats/span.h"

namespace steertag::stats {

class Spells {
 public:
  static constexpr size_t kMost = 16;
  static constexpr int64_t kApartNs = 60'000'000'000;

  void note(int64_t from_ns, int64_t to_ns);
  void note(const Span& span) {
    if (span.any()) {
      note(span.begin_ns, span.end_ns);
    }
  }
  void note(const Spells& others);

  bool any() const { return !spans().empty(); }
  size_t count() const { return spans().size(); }
  // From the first to the last. Precondition of both: there is any.
  Span whole() const { return {spans().front().begin_ns, spans().back().end_ns}; }
  // The one at that time, or next to it.
  const Span& at(int64_t ns) const;

 private:
  struct Kept {
    std::vector<Span> spans;
    bool many = false;  // there were too many: one span for all
  };
  const std::vector<Span>& spans() const { return kept_->spans; }
  void make_one();

  base::Rare<Kept> kept_;
};

}  // namespace steertag::stats
