#include "analyzer.h"

#include <algorithm>
#include <array>

#include "follower.h"
#include "link/decoder.h"

namespace steertag {

Intake::Options Options::intake() const {
  return {.ports = {roce_ports, vxlan_ports, geneve_ports},
          .verify_icrc = verify_checksums,
          .copy_window_ns = copy_window_ns};
}

void Counters::set(const Intake& intake) {
  frames = intake.frames();
  dropped = intake.dropped();
  link = intake.counters();
  fragments_dropped = link.fragments_dropped;
  checksum_errors = intake.icrc_errors();
  others = intake.others();
}

void Counters::add_share(const Counters& share) {
  messages += share.messages;
  exchanges += share.exchanges;
  connections += share.connections;
  lost += share.lost;
  pauses = std::max(pauses, share.pauses);  // each share counts them all
  checksum_errors += share.checksum_errors;
  given_up += share.given_up;
}

void Counters::add_capture(const Counters& other) {
  const uint64_t all_pauses = pauses + other.pauses;
  add_share(other);
  frames += other.frames;
  dropped += other.dropped;
  pauses = all_pauses;
  fragments_dropped += other.fragments_dropped;
}

// The story of a frame: the Intake takes the layers off, and the Follower goes on with what it carries.
class Analyzer::Pipeline {
 public:
  Pipeline(Observer& observer, const Options& options)
      : intake_(options.intake()),
        follower_(observer,
                  {options.rpcrdma_ports, options.payload_limit, options.linger_ns, options.settle_ns,
                   options.for_rules, options.for_reports, options.memory, options.course,
                   options.for_rewriting, options.for_files, options.for_sequences, options.for_placements},
                  {.verify_crc = options.verify_checksums, .ports = options.rpcrdma_ports}) {}

  void feed(const Frame& frame) {
    const bool followed = intake_.take(frame, arrival_);
    feed(
        TakenFrame{.at = frame.at, .arrival = followed ? &arrival_ : nullptr, .dropped = frame.dropped != 0});
  }

  void feed(std::span<const Frame> frames) {
    for (; !frames.empty(); frames = frames.subspan(std::min(frames.size(), kTogether))) {
      feed_together(frames.first(std::min(frames.size(), kTogether)));
    }
  }

  void feed(std::span<const TakenFrame> frames) {
    std::array<const track::Arrival*, kTogether> coming;
    size_t count = 0;
    for (const TakenFrame& frame : frames) {
      if (frame.arrival != nullptr && count != coming.size()) {
        coming[count++] = frame.arrival;
      }
    }
    follower_.expect({coming.data(), count});
    for (const TakenFrame& frame : frames) {
      feed(frame);
    }
  }

  void note_dropped(uint64_t frames) {
    intake_.note_dropped(frames);
    follower_.note_dropped();
  }

  Follower& follower() { return follower_; }

  const Counters& counters() {
    counters_.set(intake_);
    counters_.messages = follower_.messages();
    counters_.exchanges = follower_.exchanges();
    counters_.connections = follower_.connections();
    counters_.lost = follower_.lost();
    counters_.pauses = follower_.pauses();
    counters_.given_up = follower_.given_up();
    counters_.checksum_errors += follower_.crc_errors();
    return counters_;
  }

 private:
  static_assert(kTogether <= Follower::kMostExpected);

  void feed_together(std::span<const Frame> frames) {
    std::array<const track::Arrival*, kTogether> coming, of_frame;
    size_t count = 0;
    for (size_t i = 0; i < frames.size(); ++i) {
      track::Arrival& arrival = arrivals_[count];
      of_frame[i] = nullptr;
      if (intake_.take(frames[i], arrival)) {
        arrival.keep();
        of_frame[i] = coming[count++] = &arrival;
      }
    }
    follower_.expect({coming.data(), count});
    for (size_t i = 0; i < frames.size(); ++i) {
      feed(TakenFrame{frames[i].at, of_frame[i], true, frames[i].dropped != 0});
    }
  }

  void feed(const TakenFrame& frame) {
    if (frame.dropped) [[unlikely]] {
      follower_.note_dropped();
    }
    if (frame.arrival == nullptr) {
      follower_.pass(frame.at);
    } else if (frame.ours) [[likely]] {
      follower_.follow(*frame.arrival);
    } else {
      follower_.pass(*frame.arrival);
    }
  }

  Intake intake_;
  Follower follower_;
  track::Arrival arrival_;
  std::array<track::Arrival, kTogether> arrivals_;  // of frames that come together
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
void Analyzer::feed(std::span<const Frame> frames) {
  pipeline_->feed(frames);
}
void Analyzer::feed(std::span<const TakenFrame> frames) {
  pipeline_->feed(frames);
}
void Analyzer::note_dropped(uint64_t frames) {
  pipeline_->note_dropped(frames);
}
void Analyzer::finish() {
  pipeline_->follower().finish();
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
