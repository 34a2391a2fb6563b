// Audit: an Analyzer with the rules behind it. It is fed the frames of a capture
// as an Analyzer is; an Observer, if there is one, hears each event, then the
// rules judge it, and a Listener hears what they find.
//
//   rules::Audit audit(listener, {});
//   for (...) audit.feed(frame);
//   audit.finish();
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analyzer.h"
#include "rules/engine.h"
#include "rules/tally.h"

namespace steertag::rules {

class Audit final : private Observer {
 public:
  // Bytes of each payload and each segment that the rules get to see, at least; see Options::payload_limit.
  static constexpr uint32_t kPayload = 64 << 10;

  // Of `options`, `for_rules` is set here; `settle_ns` is the rules' patience, too.
  explicit Audit(Listener& listener, const Options& options = {}, Settings settings = {})
      : Audit(nullptr, listener, options, std::move(settings)) {}
  Audit(Observer& observer, Listener& listener, const Options& options = {}, Settings settings = {})
      : Audit(&observer, listener, options, std::move(settings)) {}

  void feed(const Frame& frame) { analyzer_.feed(frame); }
  void feed(std::span<const Frame> frames) { analyzer_.feed(frames); }
  void note_dropped(uint64_t frames) { analyzer_.note_dropped(frames); }
  void finish();  // the capture ends here: what is open is reported and judged as far as it got
  // For all that an Analyzer can be told, but for finish().
  Analyzer& analyzer() { return analyzer_; }
  const Counters& counters() const { return analyzer_.counters(); }
  // By rule, in the order of the catalog; of rules that are not wanted zeros, once it is finished.
  const std::vector<Tally>& tallies() const { return engine_.tallies(); }
  // Those of another share of the same frames are added; both are finished.
  void add_share(const Audit& share) { engine_.add(share.tallies()); }

 private:
  Audit(Observer* observer, Listener& listener, const Options& options, Settings settings);

  void on(const Event& event) override;

  Observer* observer_;
  Engine engine_;
  Analyzer analyzer_;
};

}  // namespace steertag::rules
