// A capture in memory, for tests that feed the Analyzer: read from a file, then cut, doubled, swapped at
// will. A frame keeps the number that it had in its file whatever is done to the trace.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "analyzer.h"
#include "capture/reader.h"

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

// Up to where it is cut or damaged; throws where the file is no capture.
inline Trace load(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<uint8_t> file{std::istreambuf_iterator<char>(in), {}};
  Bytes unread = file;
  const auto reader = capture::recognise(slice(unread, 0, capture::kMagicSize));
  if (reader == nullptr) {
    throw std::runtime_error(path + ": no capture");
  }
  Trace trace;
  Frame frame;
  for (;;) {
    const capture::Step step = reader->next(unread, frame);
    if (step.kind == capture::Step::Kind::more || step.kind == capture::Step::Kind::damaged) {
      return trace;
    }
    if (step.kind == capture::Step::Kind::frame) {
      trace.link_type = frame.link_type;
      trace.frames.push_back({frame.at, {frame.bytes.begin(), frame.bytes.end()}, frame.original_length});
    }
    unread = slice(unread, step.used);
  }
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
