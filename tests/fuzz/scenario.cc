// A scenario, its text as it is: compiled, or refused in a sentence that names a line; the
// same text gives the same frames, and an Audit takes them, whatever they are.
#include "scenario/scenario.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "input.h"
#include "json_check.h"
#include "targets.h"
#include "witness.h"

namespace steertag::fuzz {
namespace {

constexpr size_t kMostFrames = 2000;  // that are fed; a line may repeat others 20,000 times

}  // namespace

void run_scenario(Bytes bytes) {
  Input input(bytes);
  const uint32_t choice = input.one_of(4);
  const Bytes rest = input.rest();
  const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
  scenario::Choices choices;
  if (choice < 3) {
    choices.fabric = static_cast<scenario::Fabric>(choice);
  }
  const auto made = scenario::compile(text, choices);
  if (const auto* error = std::get_if<scenario::Error>(&made)) {
    const auto lines = static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
    require(!error->message.empty() && error->line <= lines + 1, "a refusal names one of the lines");
    return;
  }
  const auto& trace = std::get<scenario::Trace>(made);
  Witness witness;
  Frame frame;
  frame.link_type = trace.link_type;
  for (const scenario::SynthFrame& synthetic : trace.frames) {
    require(synthetic.bytes.size() <= synthetic.original_length, "a frame is cut, never grown");
    require(frame.at.time_ns <= synthetic.time_ns, "frames are in order of time");
    if (frame.at.number == kMostFrames) {
      break;
    }
    frame.at.number += 1;
    frame.at.time_ns = synthetic.time_ns;
    frame.bytes = synthetic.bytes;
    frame.original_length = synthetic.original_length;
    witness.feed(frame);
  }
  witness.finish();
}

}  // namespace steertag::fuzz
