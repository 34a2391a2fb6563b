// The packets that a Perfetto trace of ours is made of, each with a function or a class that writes it whole:
// the clock, a track, an event on a track. The numbers of all fields stand in the .cc, by the names that
// perfetto/trace/*.proto has for them. Texts may hold anything; they are printable in the trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "report/buffer.h"
#include "report/protobuf_writer.h"

namespace steertag::report {

// Times in the trace are those of the wall clock, ns since the epoch. Once, in front of all; `time_ns`: some
// time at which the clocks were read, as far as anybody asks.
void perfetto_clock(Buffer& out, int64_t time_ns);

// Where events are shown: in the order of `rank` below its parent.
struct PerfettoTrack {
  uint64_t id = 0;      // not 0
  uint64_t parent = 0;  // 0: none
  std::string_view name;
  uint64_t rank = 0;
  bool counter = false;
};
void perfetto_track(Buffer& out, const PerfettoTrack& track);

// What is on a track. A slice begins and ends by an event each, in the order of their times and, where these
// are equal, of the file; those of one track must nest.
enum class PerfettoType : uint8_t { begin = 1, end = 2, instant = 3, counter = 4 };

class PerfettoEvent {
 public:
  PerfettoEvent(Buffer& out, PerfettoType type, uint64_t track, int64_t time_ns);
  ~PerfettoEvent();  // it is whole
  PerfettoEvent(const PerfettoEvent&) = delete;
  PerfettoEvent& operator=(const PerfettoEvent&) = delete;

  void category(std::string_view text);
  void name(std::string_view text);
  void value(uint64_t value);     // counter
  void leads(uint64_t flow);      // an arrow begins here ...
  void follows(uint64_t flow);    // ... and ends here
  void belongs(uint64_t number);  // to all others with that number

  // Shown with it.
  void note(std::string_view key, uint64_t value);
  void note(std::string_view key, std::string_view text);

 private:
  ProtobufWriter writer_;
  size_t packet_, event_;  // where they begin
};

}  // namespace steertag::report
