// A capture file, its bytes as they are, in pieces: the first byte of the input
// says how many come at a time. Whatever they are, the reader stays inside of
// them, comes to an end, and says the same in pieces as in one. Written again with comments, it holds the
// same frames.
#include <algorithm>
#include <string>
#include <vector>

#include "capture/annotation.h"
#include "capture/reader.h"
#include "input.h"
#include "targets.h"

namespace steertag::fuzz {
namespace {

using Kind = capture::Step::Kind;

struct Seen {
  uint64_t frames = 0, bytes = 0;
  int64_t times = 0;
  bool damaged = false;
  friend bool operator==(const Seen&, const Seen&) = default;
};

// `into`: what is read is written there, too, with comments.
Seen read(Bytes file, size_t piece, std::vector<uint8_t>* into = nullptr) {
  Seen seen;
  const auto reader = capture::recognise(file);
  Frame frame;
  std::vector<uint8_t> nowhere;
  capture::Annotation annotation(into != nullptr ? *into : nowhere, "all of it");
  const std::vector<std::string> comments = {"one", "another, longer one"};
  for (size_t used = 0, given = 0; reader;) {
    const Bytes unread = file.subspan(used, given - used);
    const capture::Step step = reader->next(unread, frame);
    require(step.used <= unread.size(), "no more is used than is there");
    used += step.used;
    if (into != nullptr && step.kind == Kind::frame) {
      const size_t some = frame.at.number % (comments.size() + 1);
      annotation.frame(frame, unread.first(step.used), std::span(comments).first(some), {});
    } else if (into != nullptr && step.used != 0) {
      annotation.pass(unread.first(step.used));
    }
    if (step.kind == Kind::frame) {
      require(step.used != 0, "a frame has a record");
      require(frame.bytes.data() >= unread.data() && frame.bytes.size() <= step.used, "a frame is a view");
      seen.frames = frame.at.number;
      seen.bytes += frame.bytes.size();
      seen.times ^= frame.at.time_ns;
    } else if (step.kind == Kind::more) {
      require(step.needed > unread.size(), "what is there is not waited for");
      if (given == file.size()) {
        break;
      }
      given = std::min(file.size(), given + piece);
    } else if (step.kind == Kind::damaged) {
      seen.damaged = true;
      break;
    }
  }
  annotation.finish();
  return seen;
}

}  // namespace

void run_capture(Bytes bytes) {
  Input input(bytes);
  const size_t piece = 1 + input.number(1);
  const Bytes file = input.rest();
  const Seen seen = read(file, piece);
  require(seen == read(file, file.size() + 1), "pieces do not matter");
  std::vector<uint8_t> annotated;
  read(file, piece, &annotated);
  if (!annotated.empty()) {
    const Seen again = read(annotated, annotated.size() + 1);
    require(again.frames == seen.frames && again.bytes == seen.bytes && !again.damaged,
            "comments change no frame");
  }
}

}  // namespace steertag::fuzz
