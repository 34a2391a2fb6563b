// A capture file, its bytes as they are, in pieces: the first byte of the input
// says how many come at a time. Whatever they are, the reader stays inside of
// them, comes to an end, and says the same in pieces as in one.
#include <algorithm>
#include <vector>

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

Seen read(Bytes file, size_t piece) {
  Seen seen;
  const auto reader = capture::recognise(file);
  Frame frame;
  for (size_t used = 0, given = 0; reader;) {
    const Bytes unread = file.subspan(used, given - used);
    const capture::Step step = reader->next(unread, frame);
    require(step.used <= unread.size(), "no more is used than is there");
    used += step.used;
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
  return seen;
}

}  // namespace

void run_capture(Bytes bytes) {
  Input input(bytes);
  const size_t piece = 1 + input.number(1);
  const Bytes file = input.rest();
  require(read(file, piece) == read(file, file.size() + 1), "pieces do not matter");
}

}  // namespace steertag::fuzz
