// compiled(): a conversation in the language of scenarios as a Trace, for tests
// that then lose, cut or shift some of its frames.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <variant>

#include "scenario/scenario.h"
#include "support/trace.h"

namespace steertag::support {

inline Trace compiled(const std::string& text, scenario::Fabric fabric) {
  auto result = scenario::compile(text, {fabric, {}});
  if (const auto* error = std::get_if<scenario::Error>(&result)) {
    FAIL("line " << error->line << ": " << error->message << "\n" << text);
  }
  const auto& made = std::get<scenario::Trace>(result);
  Trace trace;
  trace.link_type = made.link_type;
  for (const scenario::SynthFrame& frame : made.frames) {
    trace.frames.push_back(
        {{.number = trace.frames.size() + 1, .time_ns = frame.time_ns}, frame.bytes, frame.original_length});
  }
  return trace;
}

}  // namespace steertag::support
