// A capture in memory, for tests that feed the Analyzer: read from classic pcap
// (little-endian, as all captures/ are), then cut, doubled, swapped at will. A
// frame keeps the number that it had in its file whatever is done to the trace.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "analyzer.h"

namespace steertag::support {

// Where tests of every capture look for them, below STEERTAG_ROOT. Sanitizers see the larger set as truth/*.
#ifdef STEERTAG_SANITIZED
inline constexpr const char* kCaptureFolders[] = {"/captures"};
#else
inline constexpr const char* kCaptureFolders[] = {"/captures", "/../shared/captures"};
#endif

struct TraceFrame {
  Stamp at;
  std::vector<uint8_t> bytes;
  uint32_t original_length = 0;
};

struct Trace {
  uint32_t link_type = 1;
  std::vector<TraceFrame> frames;
};

inline Trace load(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<uint8_t> file{std::istreambuf_iterator<char>(in), {}};
  const auto word = [&](size_t at) {
    return uint32_t{file[at]} | uint32_t{file[at + 1]} << 8 | uint32_t{file[at + 2]} << 16 |
           uint32_t{file[at + 3]} << 24;
  };
  if (file.size() < 24 || (word(0) != 0xA1B2C3D4 && word(0) != 0xA1B23C4D)) {
    throw std::runtime_error(path + ": not a little-endian classic pcap");
  }
  const int64_t unit = word(0) == 0xA1B2C3D4 ? 1000 : 1;
  Trace trace;
  trace.link_type = word(20);
  for (size_t at = 24; at + 16 <= file.size();) {
    const uint32_t captured = word(at + 8);
    TraceFrame& frame = trace.frames.emplace_back();
    frame.at = {.number = trace.frames.size(),
                .time_ns = int64_t{word(at)} * 1'000'000'000 + int64_t{word(at + 4)} * unit};
    frame.original_length = word(at + 12);
    frame.bytes.assign(file.begin() + static_cast<ptrdiff_t>(at + 16),
                       file.begin() + static_cast<ptrdiff_t>(at + 16 + captured));
    at += 16 + captured;
  }
  return trace;
}

// An Analyzer, or an Audit.
template <typename Fed>
void feed(Fed& fed, const Trace& trace, const TraceFrame& frame) {
  fed.feed({frame.at, trace.link_type, frame.bytes, frame.original_length});
}

template <typename Fed>
void feed_to_end(Fed& fed, const Trace& trace) {
  for (const TraceFrame& frame : trace.frames) {
    feed(fed, trace, frame);
  }
  fed.finish();
}

inline void feed_all(Observer& observer, const Trace& trace, const Options& options = {}) {
  Analyzer analyzer(observer, options);
  feed_to_end(analyzer, trace);
}

}  // namespace steertag::support
