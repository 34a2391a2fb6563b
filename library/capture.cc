#include "steertag/capture.h"

#include <utility>

#include "capture/reader.h"
#include "library/feeding.h"

namespace steertag::v0 {

struct CaptureReader::State {
  Bytes unread;
  std::unique_ptr<capture::Reader> reader;
  std::string error;
  bool over = false, truncated = false;

  explicit State(Bytes file) : unread(file) {}
  void end(std::string why, bool cut) {
    over = true;
    truncated = cut;
    error = std::move(why);
  }
};

CaptureReader::CaptureReader(std::span<const uint8_t> file) : state_(library::made<State>(file)) {
  library::guarded(state_, [](State& state) {
    state.reader = state.unread.size() < capture::kMagicSize ? nullptr : capture::recognise(state.unread);
    state.reader == nullptr ? state.end("neither pcap nor pcapng", false) : void();
  });
}
CaptureReader::~CaptureReader() = default;
CaptureReader::CaptureReader(CaptureReader&& other) noexcept = default;
CaptureReader& CaptureReader::operator=(CaptureReader&& other) noexcept = default;

bool CaptureReader::next(Frame& frame) {
  bool found = false;
  library::guarded(state_, [&](State& state) {
    using Kind = capture::Step::Kind;
    while (!state.over && !found) {
      steertag::Frame read;
      const capture::Step step = state.reader->next(state.unread, read);
      state.unread = slice(state.unread, step.used);
      const std::string after = " after frame " + std::to_string(state.reader->frames());
      if (step.kind == Kind::frame) {
        frame = {.time_ns = read.at.time_ns,
                 .link_type = read.link_type,
                 .bytes = read.bytes,
                 .original_length = read.original_length,
                 .dropped = read.dropped,
                 .interface = read.at.tap};
        found = true;
      } else if (step.kind == Kind::damaged) {
        state.end("damaged" + after + ": " + state.reader->damage(), false);
      } else if (step.kind == Kind::more) {
        const bool whole = state.unread.empty() && state.reader->at_boundary();
        state.end(whole ? std::string() : "cut short" + after, !whole);
      }
    }
  });
  return found;
}

const std::string& CaptureReader::error() const {
  return library::error_of(state_);
}
bool CaptureReader::truncated() const {
  return state_ != nullptr && state_->truncated;
}
uint32_t CaptureReader::dropped_behind() const {
  return state_ != nullptr && state_->reader != nullptr ? state_->reader->dropped_behind() : 0;
}

}  // namespace steertag::v0
