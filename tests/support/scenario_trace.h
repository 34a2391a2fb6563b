// scenario_trace(): what a scenario describes, over one fabric, as a capture in
// memory. For programs that then lose, cut or change some of its frames; tests
// by Catch2 have compiled(), which says what is wrong with the text.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "scenario/scenario.h"
#include "support/trace.h"

namespace steertag::support {

inline constexpr scenario::Fabric kFabrics[] = {scenario::Fabric::roce2, scenario::Fabric::iwarp};

// Unset where the text cannot be compiled for that fabric.
inline std::optional<Trace> scenario_trace(const std::string& text, scenario::Fabric fabric) {
  const auto made = scenario::compile(text, {fabric, {}});
  const auto* synthetic = std::get_if<scenario::Trace>(&made);
  if (synthetic == nullptr) {
    return std::nullopt;
  }
  Trace trace;
  trace.link_type = synthetic->link_type;
  for (const scenario::SynthFrame& frame : synthetic->frames) {
    trace.frames.push_back(
        {{.number = trace.frames.size() + 1, .time_ns = frame.time_ns}, frame.bytes, frame.original_length});
  }
  return trace;
}

}  // namespace steertag::support
