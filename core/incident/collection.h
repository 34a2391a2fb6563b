// Collection: hears of a capture what incidents are made of, but for the statistics, which whoever has it
// keeps anyway; and makes the incidents when the capture is over. Several can each hear of a share of the
// connections; one takes over what they have collected. Bounded, as its parts are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "attempt/attempt.h"
#include "incident/fates.h"
#include "incident/incident.h"
#include "incident/recalls.h"
#include "incident/repeated.h"
#include "incident/violations.h"
#include "stats/judge.h"

namespace steertag::incident {

class Collection {
 public:
  static constexpr size_t kMostAttempts = 4096;

  void name(const track::Connection& connection) { fates_.name(connection); }
  void close(const track::Connection& connection) {
    fates_.close(connection);
    recalls_.close(connection);
  }
  void note(const flow::Incident& incident) { fates_.note(incident); }
  void note(const track::Connection& connection, const flow::Loss& loss) { fates_.note(connection, loss); }
  void note(const flow::Exchange& exchange) {
    fates_.note(exchange);
    repeated_.note(exchange);
    recalls_.note(exchange);
  }
  void note(const stats::Rpc& rpc) { fates_.note(rpc); }  // each once: what stats::Sums hears of
  void note(const rules::Finding& finding) { violations_.note(finding); }
  void note(attempt::Attempt attempt);

  // `number` says what connections of the share are called here; `fill_in` puts that into a text. What the
  // share's stats::Sums have held back is to be noted before.
  void take_over(Collection& share, const Fates::Renumber& number,
                 const std::function<void(std::string&)>& fill_in);

  // `answer_within_ns`: from so long on a Call that waits hangs. The gravest first.
  std::vector<Incident> incidents(const stats::Counted& counted, int64_t answer_within_ns) const;
  // In order of their first frames.
  std::vector<attempt::Attempt> attempts() const;

 private:
  Fates fates_;
  Repeated repeated_;
  Recalls recalls_;
  Violations violations_;
  std::vector<attempt::Attempt> attempts_;
};

}  // namespace steertag::incident
