// timed(): what a scenario's RPCs took, as flows would say it, and when each packet of each of its lines was
// sent, so that a test can say to the nanosecond what it should be. The frames can be changed before.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <variant>
#include <vector>

#include "scenario/scenario.h"
#include "support/trace.h"

namespace steertag::support {

struct TimedRpc {
  uint32_t conn = 0, xid = 0;
  flow::Status status{};
  std::optional<Stamp> call, reply;
  flow::Timing timing;
};

class TimedRecorder final : public Observer {
 public:
  std::vector<TimedRpc> rpcs;

  void on(const Event& event) override {
    if (const auto* timed = std::get_if<ExchangeTimed>(&event)) {
      const flow::Exchange& x = timed->exchange;
      rpcs.push_back({x.connection->number, x.xid, x.status, x.call, x.reply, x.timing});
    }
  }
};

// Big-endian.
inline uint32_t word_at(const std::vector<uint8_t>& bytes, size_t at) {
  return uint32_t{bytes[at]} << 24 | uint32_t{bytes[at + 1]} << 16 | uint32_t{bytes[at + 2]} << 8 |
         uint32_t{bytes[at + 3]};
}

// The frames of a scenario with the lines that they are of.
struct LinedTrace {
  Trace trace;
  std::vector<uint32_t> lines;

  LinedTrace(const std::string& text, scenario::Fabric fabric) {
    const auto result = scenario::compile(text, {fabric, {}});
    if (const auto* error = std::get_if<scenario::Error>(&result)) {
      FAIL("line " << error->line << ": " << error->message << "\n" << text);
    }
    const auto& made = std::get<scenario::Trace>(result);
    trace.link_type = made.link_type;
    for (const scenario::SynthFrame& frame : made.frames) {
      trace.frames.push_back({{.number = trace.frames.size() + 1, .time_ns = frame.time_ns},
                              frame.bytes,
                              frame.original_length});
      lines.push_back(frame.source_line);
    }
  }

  // When the nth frame of a line was captured, from 1; from the last backwards, where it is negative.
  int64_t at(uint32_t line, int nth) const {
    std::vector<int64_t> times;
    for (size_t i = 0; i < lines.size(); ++i) {
      if (lines[i] == line) {
        times.push_back(trace.frames[i].at.time_ns);
      }
    }
    const auto count = static_cast<int>(times.size());
    const int place = nth < 0 ? count + nth : nth - 1;
    REQUIRE(place >= 0);
    REQUIRE(place < count);
    return times[static_cast<size_t>(place)];
  }

  void erase(size_t frame) {
    trace.frames.erase(trace.frames.begin() + static_cast<ptrdiff_t>(frame));
    lines.erase(lines.begin() + static_cast<ptrdiff_t>(frame));
  }
  // Gives a TCP segment over IPv4 without options a selective acknowledgment.
  void acknowledge(size_t frame, uint32_t begin, uint32_t end) {
    constexpr size_t kIpLength = 16, kDataOffset = 46, kOptions = 54;
    std::vector<uint8_t>& bytes = trace.frames[frame].bytes;
    std::vector<uint8_t> option = {1, 1, 5, 10};
    for (const uint32_t word : {begin, end}) {
      for (int shift = 24; shift >= 0; shift -= 8) {
        option.push_back(static_cast<uint8_t>(word >> shift));
      }
    }
    bytes.insert(bytes.begin() + kOptions, option.begin(), option.end());
    bytes[kIpLength + 1] = static_cast<uint8_t>(bytes[kIpLength + 1] + option.size());
    bytes[kDataOffset] = static_cast<uint8_t>(bytes[kDataOffset] + (option.size() / 4 << 4));
    trace.frames[frame].original_length = static_cast<uint32_t>(bytes.size());
  }

  // In the order in which their times were complete.
  std::vector<TimedRpc> rpcs() const {
    TimedRecorder recorder;
    Options options;
    options.for_reports = true;
    feed_all(recorder, trace, options);
    return recorder.rpcs;
  }
  TimedRpc rpc(uint32_t xid) const {
    for (const TimedRpc& one : rpcs()) {
      if (one.xid == xid) {
        return one;
      }
    }
    FAIL("no RPC has that XID");
    return {};
  }
};

// "call 50 read 1 (network, 50 recovered)": phases of half a millisecond or more, in milliseconds.
inline std::string spent(const flow::Timing& timing) {
  const auto ms = [](int64_t ns) { return std::to_string((ns + 500'000) / 1'000'000); };
  if (!timing.delivered_ns) {
    return "unknown";
  }
  std::string text;
  for (size_t phase = 0; phase < flow::kPhases; ++phase) {
    if (timing.phases_ns[phase] >= 500'000) {
      text += std::string(flow::phase_names[phase]) + " " + ms(timing.phases_ns[phase]) + " ";
    }
  }
  text += "(" + std::string(flow::waited_on_names[static_cast<size_t>(timing.waited_on)]);
  return text + (timing.recovery_ns >= 500'000 ? ", " + ms(timing.recovery_ns) + " recovered)" : ")");
}

}  // namespace steertag::support
