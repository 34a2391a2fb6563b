#include "incident/collection.h"

#include <algorithm>

#include "incident/incidents.h"

namespace steertag::incident {

void Collection::note(attempt::Attempt attempt) {
  if (attempts_.size() < kMostAttempts) {
    attempts_.push_back(std::move(attempt));
  }
}

void Collection::take_over(Collection& share, const Fates::Renumber& number,
                           const std::function<void(std::string&)>& fill_in) {
  fates_.take_over(share.fates_, number);
  repeated_.take_over(share.repeated_, number);
  recalls_.take_over(share.recalls_, number);
  violations_.take_over(share.violations_, number, fill_in);
  for (attempt::Attempt& attempt : share.attempts_) {
    attempt.conn = number(attempt.conn);
    note(std::move(attempt));
  }
}

std::vector<attempt::Attempt> Collection::attempts() const {
  std::vector<attempt::Attempt> sorted = attempts_;
  std::sort(sorted.begin(), sorted.end(), [](const attempt::Attempt& x, const attempt::Attempt& y) {
    return x.like.connection.order < y.like.connection.order;
  });
  return sorted;
}

std::vector<Incident> Collection::incidents(const stats::Counted& counted, int64_t answer_within_ns) const {
  return put_together({.counted = counted,
                       .fates = fates_,
                       .repeated = repeated_,
                       .recalls = recalls_,
                       .violations = violations_,
                       .attempts = attempts(),
                       .answer_within_ns = answer_within_ns});
}

}  // namespace steertag::incident
