// A whole capture file, through a reader and an Audit with all reports. The second word of a
// pcap's header that nobody uses (sigfigs) says how the Audit is made: bit 0 with checksums,
// bit 1 with next to no memory, bit 2 by RFC 5666, bit 3 also in shares, bit 4 also sanitized; and, in its
// second and third byte, what else is printed of it (printed.h). mutate_file() keeps such files plausible.
#include <algorithm>
#include <vector>

#include "capture/reader.h"
#include "input.h"
#include "printed.h"
#include "sanitize/key.h"
#include "sanitize/plan.h"
#include "sanitize/rewriter.h"
#include "sanitize/survey.h"
#include "shares.h"
#include "targets.h"
#include "witness.h"

namespace steertag::fuzz {
namespace {

constexpr size_t kChoiceAt = 12, kPrintedAt = 13;
constexpr size_t kTogether = 7;  // frames

std::vector<Frame> frames_of(Bytes file) {
  std::vector<Frame> frames;
  const auto reader = capture::recognise(file);
  for (Bytes left = file; reader;) {
    Frame frame;
    const capture::Step step = reader->next(left, frame);
    if (step.kind == capture::Step::Kind::frame) {
      frames.push_back(frame);
    } else if (step.kind != capture::Step::Kind::nothing) {
      break;
    }
    left = slice(left, step.used);
  }
  return frames;
}

// Frame by frame as many bytes as before; and once more the same, since nothing but the key makes it what it
// is.
void require_sanitized(const std::vector<Frame>& frames, const Options& options) {
  const sanitize::Key key = sanitize::Key::of({});
  const auto sanitized = [&] {
    sanitize::Plan plan(key, options.memory);
    sanitize::Survey survey(key, options, plan);
    for (const Frame& frame : frames) {
      survey.feed(frame);
    }
    survey.finish();
    sanitize::Rewriter rewriter(key, options.intake().ports, plan);
    std::vector<std::vector<uint8_t>> written;
    for (const Frame& frame : frames) {
      rewriter.rewrite(frame, written.emplace_back());
      require(written.back().size() == frame.bytes.size(), "a sanitized frame is as long as it was");
    }
    return written;
  };
  require(sanitized() == sanitized(), "a capture is sanitized alike twice");
}

}  // namespace

void run_file(Bytes bytes) {
  const uint8_t choice = bytes.size() > kChoiceAt ? bytes[kChoiceAt] : 0;
  Options options;
  options.verify_checksums = (choice & 1) != 0;
  options.memory = (choice & 2) != 0 ? size_t{16} << 10 : options.memory;
  rules::Settings settings;
  settings.profile = (choice & 4) != 0 ? rules::Profile::rfc5666 : rules::Profile::deployed;
  const std::vector<Frame> frames = frames_of(bytes);
  Witness one_by_one(options, settings), in_groups(options, settings);
  for (const Frame& frame : frames) {
    one_by_one.feed(frame);
  }
  for (std::span<const Frame> left = frames; !left.empty();) {
    const size_t count = std::min(kTogether, left.size());
    in_groups.feed(left.first(count));
    left = left.subspan(count);
  }
  one_by_one.finish();
  in_groups.finish();
  require(one_by_one.records() == in_groups.records(), "it does not matter how many are fed together");
  require_printed(static_cast<uint32_t>(Input(slice(bytes, kPrintedAt)).number(2)), frames, kTogether,
                  options);
  if ((choice & 8) != 0 && (choice & 2) == 0) {
    require(in_shares(frames, options, 1) == in_shares(frames, options, 3), "shares make up the whole");
  }
  if ((choice & 16) != 0) {
    require_sanitized(frames, options);
  }
}

}  // namespace steertag::fuzz
