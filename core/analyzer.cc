#include "analyzer.h"

#include "follower.h"
#include "intake.h"
#include "link/decoder.h"

namespace steertag {

// The story of a frame: the Intake takes the layers off, and the Follower goes on with what it carries.
class Analyzer::Pipeline {
 public:
  Pipeline(Observer& observer, const Options& options)
      : intake_({.ports = {options.roce_ports, options.vxlan_ports, options.geneve_ports},
                 .verify_icrc = options.verify_checksums,
                 .copy_window_ns = options.copy_window_ns}),
        follower_(observer,
                  {options.rpcrdma_ports, options.payload_limit, options.linger_ns, options.settle_ns,
                   options.for_rules, options.memory},
                  {.verify_crc = options.verify_checksums, .ports = options.rpcrdma_ports}) {}

  void feed(const Frame& frame) {
    if (intake_.take(frame, arrival_)) {
      follower_.follow(arrival_);
    } else {
      follower_.pass(frame.at);
    }
  }

  void finish() { follower_.finish(); }

  const Counters& counters() {
    counters_.frames = intake_.frames();
    counters_.messages = follower_.messages();
    counters_.exchanges = follower_.exchanges();
    counters_.connections = follower_.connections();
    counters_.lost = follower_.lost();
    counters_.pauses = follower_.pauses();
    counters_.given_up = follower_.given_up();
    counters_.link = intake_.counters();
    counters_.fragments_dropped = counters_.link.fragments_dropped;
    counters_.checksum_errors = intake_.icrc_errors() + follower_.crc_errors();
    counters_.others = intake_.others();
    return counters_;
  }

 private:
  Intake intake_;
  Follower follower_;
  track::Arrival arrival_;
  Counters counters_;
};

Analyzer::Analyzer(Observer& observer, const Options& options)
    : pipeline_(std::make_unique<Pipeline>(observer, options)) {}
Analyzer::~Analyzer() = default;
Analyzer::Analyzer(Analyzer&&) noexcept = default;
Analyzer& Analyzer::operator=(Analyzer&&) noexcept = default;

void Analyzer::feed(const Frame& frame) {
  pipeline_->feed(frame);
}
void Analyzer::finish() {
  pipeline_->finish();
}
const Counters& Analyzer::counters() const {
  return pipeline_->counters();
}
bool Analyzer::reads(uint32_t link_type) {
  link::Decoder decoder;
  decoder.decode(Frame{.at = {}, .link_type = link_type, .bytes = {}});
  return decoder.counters().unknown_link == 0;
}

}  // namespace steertag
