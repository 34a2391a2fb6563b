// Intake: the front half of an Analyzer, from frames to packets worth following. Link
// layers, tunnels and fragments, which frames are of other protocols, and which packets
// the capture holds twice: all that is asked of every frame, and of no connection.
//
//   track::Arrival arrival;
//   if (intake.take(frame, arrival)) ...   // a Follower takes it (follower.h)
//
// Its state is small and is that of the whole capture: one Intake sees all frames, in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "frame.h"
#include "link/counters.h"
#include "link/decoder.h"
#include "link/others.h"
#include "track/arrival.h"
#include "track/copy_filter.h"

namespace steertag {

class Intake {
 public:
  struct Options {
    link::Decoder::Options ports;
    bool verify_icrc = false;
    int64_t copy_window_ns = 0;  // how far apart two sightings of one packet may be
    // TCP segments of these ports get their digest here, not where they are followed: for who has another
    // thread for that.
    std::vector<uint16_t> digested_ports = {};
  };

  explicit Intake(const Options& options);

  // Fills `into` anew, but for its packet where nothing is to be followed: then false. The views of the
  // packet are those of track::Arrival.
  bool take(const Frame& frame, track::Arrival& into);

  // So many are missing behind the latest one; those before a frame, it says itself.
  void note_dropped(uint64_t frames) { dropped_ += std::min(frames, UINT64_MAX - dropped_); }

  uint64_t frames() const { return frames_; }
  uint64_t dropped() const { return dropped_; }
  uint64_t icrc_errors() const { return icrc_errors_; }
  const link::Counters& counters() const { return link_.counters(); }
  link::Others others() const;  // other protocols, iWARP's own segments among them

 private:
  void take_segment(track::Arrival& into);
  bool take_roce(track::Arrival& into);
  void verify(track::Arrival& into);

  link::Decoder link_;
  link::Others tcp_;  // among TCP segments
  track::CopyFilter packets_, segments_;
  bool verify_icrc_;
  std::vector<uint16_t> digested_ports_;
  uint64_t frames_ = 0, dropped_ = 0;
  uint64_t icrc_errors_ = 0;
};

}  // namespace steertag
