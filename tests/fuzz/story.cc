// A story: what the input tells (tale.h), compiled to frames, of which the capture then loses
// or spoils some, through an Audit with all reports. Whatever a story is, frames fed together
// are reported like those fed one by one, and shares of the hosts like all of them. Where nobody breaks a
// rule, nobody is accused: not for what the network did, not for one misfortune of the capture, nor for want
// of memory.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "printed.h"
#include "scenario/scenario.h"
#include "shares.h"
#include "support/trace.h"
#include "tale.h"
#include "targets.h"
#include "witness.h"

namespace steertag::fuzz {
namespace {

using support::Trace;
using support::TraceFrame;

// What happens to the capture, where the traffic is as it is.
enum class Mishap : uint8_t { none, one_missing, ends_early, begins_late, snaplen, twice, swapped };
constexpr uint32_t kMishaps = 7;

std::optional<Trace> compiled(const Tale& tale) {
  const auto made = scenario::compile(tale.text);
  if (const auto* error = std::get_if<scenario::Error>(&made)) {
    if (tale.kept) {
      std::fprintf(stderr, "%s\nline %u: %s\n", tale.text.c_str(), error->line, error->message.c_str());
    }
    require(!tale.kept, "the grammar makes scenarios");
    return std::nullopt;
  }
  const auto& synthetic = std::get<scenario::Trace>(made);
  Trace trace;
  trace.link_type = synthetic.link_type;
  for (const scenario::SynthFrame& frame : synthetic.frames) {
    trace.frames.push_back(
        {{.number = trace.frames.size() + 1, .time_ns = frame.time_ns}, frame.bytes, frame.original_length});
  }
  return trace;
}

void befall(Mishap mishap, uint32_t where, Trace& trace) {
  std::vector<TraceFrame>& frames = trace.frames;
  if (frames.size() < 2) {
    return;
  }
  const auto at = frames.begin() + where % (frames.size() - 1);
  switch (mishap) {
    case Mishap::none:
      break;
    case Mishap::one_missing:
      frames.erase(at);
      break;
    case Mishap::ends_early:
      frames.erase(at + 1, frames.end());
      break;
    case Mishap::begins_late:
      frames.erase(frames.begin(), at);
      break;
    case Mishap::snaplen:
      for (TraceFrame& frame : frames) {
        frame.bytes.resize(std::min<size_t>(frame.bytes.size(), 54 + where % 240));
      }
      break;
    case Mishap::twice:
      frames.insert(at, TraceFrame(*at));
      break;
    case Mishap::swapped:
      std::swap(at->bytes, (at + 1)->bytes);
      std::swap(at->original_length, (at + 1)->original_length);
      break;
  }
  for (size_t i = 0; i < frames.size(); ++i) {
    frames[i].at.number = i + 1;
  }
}

// Bytes of any frames, for as long as the input says so.
void spoil(Input& input, Trace& trace) {
  while (!input.empty() && !trace.frames.empty()) {
    TraceFrame& frame = trace.frames[input.number(2) % trace.frames.size()];
    const uint64_t at = input.number(2);
    const auto bits = static_cast<uint8_t>(input.number(1));
    if (!frame.bytes.empty()) {
      frame.bytes[at % frame.bytes.size()] ^= bits;
    }
  }
}

std::vector<Frame> frames_of(const Trace& trace) {
  std::vector<Frame> frames;
  for (const TraceFrame& frame : trace.frames) {
    frames.push_back({frame.at, trace.link_type, frame.bytes, frame.original_length});
  }
  return frames;
}

void accuse_nobody(const Witness& witness, const std::string& what) {
  if (!witness.accusations().empty()) {
    std::fprintf(stderr, "%s%s", what.c_str(), witness.accusations().c_str());
  }
  require(witness.accusations().empty(), "nobody is accused who keeps the rules");
}

}  // namespace

void run_story(Bytes bytes) {
  // 24 bytes for the capture, the rest for the tale.
  Input capture(bytes.first(std::min<size_t>(bytes.size(), 24)));
  Input traffic(slice(bytes, 24));
  Options options;
  options.verify_checksums = capture.one_of(2) == 1;
  options.memory = capture.one_of(4) == 3 ? size_t{1} << (12 + capture.one_of(8)) : options.memory;
  auto mishap = static_cast<Mishap>(capture.one_of(kMishaps));
  const auto where = static_cast<uint32_t>(capture.number(2));
  const size_t together = 1 + capture.one_of(40);
  const bool divided = capture.one_of(2) == 1;
  const auto which = static_cast<uint32_t>(capture.number(2));

  const Tale tale = tell(traffic);
  std::optional<Trace> trace = compiled(tale);
  if (!trace) {
    return;
  }
  if (tale.kept && !tale.smooth) {
    mishap = Mishap::none;  // one misfortune at a time
  }
  befall(mishap, where, *trace);
  if (!tale.kept) {
    spoil(capture, *trace);
  }
  const std::vector<Frame> frames = frames_of(*trace);
  Witness one_by_one(options), in_groups(options);
  for (const Frame& frame : frames) {
    one_by_one.feed(frame);
  }
  for (std::span<const Frame> left = frames; !left.empty();) {
    const size_t count = std::min(together, left.size());
    in_groups.feed(left.first(count));
    left = left.subspan(count);
  }
  one_by_one.finish();
  in_groups.finish();
  require(one_by_one.records() == in_groups.records(), "it does not matter how many are fed together");
  require_printed(which, frames, together, options);
  if (divided && options.memory == Options::kDefaultMemory) {  // with less, each share gives up what it has
    require(in_shares(frames, options, 1) == in_shares(frames, options, 3), "shares make up the whole");
  }
  if (tale.kept) {
    accuse_nobody(one_by_one, fmt::format("{}# mishap {} at {}, {} bytes of memory{}\n", tale.text,
                                          static_cast<int>(mishap), where, options.memory,
                                          options.verify_checksums ? ", with checksums" : ""));
  }
}

}  // namespace steertag::fuzz
