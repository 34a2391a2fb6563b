// Again: the captures of a command that reads them more than once, from the beginning each time. They have to
// be files, and stay as they are: where a later reading ends otherwise than the first, the work cannot be
// done.
//
// Made before the sandbox is entered, which has to allow that the captures are opened again.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "host/failure.h"
#include "host/interrupt.h"
#include "host/trace.h"

namespace steertag::host {

class Again {
 public:
  // Throws Failure where they cannot be read again, in the name of the command. `others`: as Trace has them.
  Again(const std::vector<std::string>& captures, size_t others, std::string_view command)
      : trace_(checked(captures, command), others) {
    if (!trace_.regular()) {
      throw Failure(std::string(command) + " reads captures several times: they have to be files");
    }
    trace_.on_trouble = [this](const std::string& path, const std::string& trouble) {
      trouble_ = shown(path) + ": " + trouble;
    };
  }

  // How it ended the first time.
  void expect(const Trace& first) { expected_ = end_of(first); }

  // The same where no Reading has read them before: complains of what is wrong with them.
  template <typename What>
  void each_frame_first(const What& what) {
    const auto note = std::exchange(
        trace_.on_trouble,
        [](const std::string& path, const std::string& trouble) { complain(shown(path) + ": " + trouble); });
    trace_.restart();
    for (Frame frame; trace_.next(frame) && !interrupted();) {
      what(frame);
    }
    trace_.on_trouble = note;
    expect(trace_);
  }

  // Calls what(frame) for each frame, until it is interrupted. Throws Failure.
  template <typename What>
  void each_frame(const What& what) {
    trouble_.clear();
    trace_.restart();
    for (Frame frame; trace_.next(frame) && !interrupted();) {
      what(frame);
    }
    if (!interrupted() && end_of(trace_) != expected_) {
      throw Failure(trouble_.empty() ? "a capture changed while it was read" : trouble_);
    }
  }

  Trace& trace() { return trace_; }
  const Trace& trace() const { return trace_; }

 private:
  using End = std::tuple<bool, bool, bool>;
  static End end_of(const Trace& trace) { return {trace.damaged(), trace.foreign(), trace.cut()}; }

  static const std::vector<std::string>& checked(const std::vector<std::string>& captures,
                                                 std::string_view command) {
    if (std::find(captures.begin(), captures.end(), "-") != captures.end()) {
      throw Failure("standard input: can be read only once, and " + std::string(command) +
                    " reads captures several times");
    }
    return captures;
  }

  Trace trace_;
  End expected_{};
  std::string trouble_;
};

}  // namespace steertag::host
