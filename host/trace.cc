#include "host/trace.h"

#include <algorithm>
#include <utility>

#include "host/descriptors.h"
#include "host/failure.h"

namespace steertag::host {

Trace::Trace(std::vector<std::string> paths, size_t others, int opened)
    : paths_(std::move(paths)),
      opened_(opened),
      sources_(paths_.size()),
      may_stay_open_(may_open(paths_.size() + others)) {
  if (std::count(paths_.begin(), paths_.end(), "-") > 1) {
    throw Failure("standard input: can be read only once");
  }
  for (size_t i = 0; i < paths_.size(); ++i) {
    Source& source = sources_[i];
    source.index = static_cast<uint32_t>(i);
    open(source);
    const Stream& stream = source.capture->stream();
    source.size = stream.size();
    source.seekable = stream.seekable();
    size_ += source.size;
    park(source);
  }
}

std::vector<std::string> Trace::read_again() const {
  std::vector<std::string> paths;
  for (const Source& source : sources_) {
    if (source.seekable && (many() || !may_stay_open_)) {
      paths.push_back(paths_[source.index]);
    }
  }
  return paths;
}

void Trace::begin() {
  for (Source& source : sources_) {
    begin(source);
    park(source);
  }
}

void Trace::restart() {
  heap_.clear();
  current_ = nullptr;
  started_ = damaged_ = foreign_ = cut_ = mixed_ = false;
  passed_ = dropped_behind_ = 0;
  clocks_ = 0;
  under_way_ = 0;
  for (Source& source : sources_) {
    source.clock.reset();
    open(source);
    begin(source);
    park(source);
  }
}

bool Trace::regular() const {
  return std::all_of(sources_.begin(), sources_.end(), [](const Source& source) { return source.seekable; });
}

uint64_t Trace::position() const {
  uint64_t sum = passed_;
  for (const Source& source : sources_) {
    sum += source.capture ? std::min(source.capture->stream().position(), source.size) : 0;
  }
  return sum;
}

void Trace::open(Source& source) {
  source.capture = std::make_unique<Capture>(paths_[source.index], source.index, opened_);
  source.capture->stream().on_wait([this] { return !on_wait || on_wait(); });
  if (on_passed) {
    source.capture->on_passed = [this, file = source.index](Bytes piece) { on_passed(file, piece); };
  }
  if (!may_stay_open_) {
    source.capture->stream().rest();
  }
}

void Trace::begin(Source& source) {
  if (!source.capture) {
    open(source);
  }
  source.capture->begin();
}

void Trace::park(Source& source) {
  if (many() && source.seekable) {
    source.capture.reset();
  }
}

bool Trace::advance(Source& source, Frame& into) {
  if (source.capture->next(into)) [[likely]] {
    return true;
  }
  close(source);
  return false;
}

void Trace::close(Source& source) {
  const Capture::End end = source.capture->end();
  damaged_ |= end == Capture::End::damaged;
  foreign_ |= end == Capture::End::foreign;
  cut_ |= end == Capture::End::cut;
  if (!source.capture->trouble().empty() && on_trouble) {
    on_trouble(paths_[source.index], source.capture->trouble());
  }
  dropped_behind_ += source.capture->dropped_behind();
  passed_ += source.size;
  under_way_ -= source.clock ? 1 : 0;
  source.capture.reset();
}

void Trace::start() {
  started_ = true;
  for (Source& source : sources_) {
    if (!source.capture) {
      begin(source);
    }
    if (advance(source, source.head)) {
      park(source);
      push(source);
    }
  }
}

namespace {
bool earlier(const Stamp& a, const Stamp& b) {
  return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.file < b.file;
}
}  // namespace

void Trace::push(Source& source) {
  heap_.push_back(&source);
  std::push_heap(heap_.begin(), heap_.end(),
                 [](const Source* a, const Source* b) { return earlier(b->head.at, a->head.at); });
}

Trace::Source* Trace::pop() {
  std::pop_heap(heap_.begin(), heap_.end(),
                [](const Source* a, const Source* b) { return earlier(b->head.at, a->head.at); });
  Source* top = heap_.back();
  heap_.pop_back();
  return top;
}

// A file that begins where the last one has ended, and no other is under way, goes on with the same capture.
void Trace::set_clock(Source& source) {
  const bool soon = source.head.at.time_ns - latest_ns_ <= kPauseNs;
  const bool goes_on =
      clocks_ != 0 && under_way_ == 0 && !mixed_ && soon && source.head.link_type == link_type_;
  mixed_ = under_way_ != 0;
  clocks_ += goes_on ? 0 : 1;
  source.clock = clocks_ - 1;
  ++under_way_;
}

// `frame` is of the current file.
void Trace::hand_out(Frame& frame) {
  frame.at.tap = Stamp::tap_of(*current_->clock, frame.at.tap);
  latest_ns_ = frame.at.time_ns;
  link_type_ = frame.link_type;
}

bool Trace::next(Frame& frame) {
  if (!started_) {
    start();
  } else if (current_ != nullptr && heap_.empty()) {  // one file, or what is left of several
    if (advance(*current_, frame)) [[likely]] {
      hand_out(frame);
      return true;
    }
  } else if (current_ != nullptr && advance(*current_, current_->head)) {
    // Most frames: the same file goes on.
    if (earlier(current_->head.at, heap_.front()->head.at)) {
      frame = current_->head;
      hand_out(frame);
      return true;
    }
    push(*current_);
  }
  current_ = nullptr;
  if (heap_.empty()) {
    return false;
  }
  current_ = pop();
  if (!current_->capture) {
    begin(*current_);
    if (!advance(*current_, current_->head)) {
      throw Failure(paths_[current_->index] + ": changed while it was read");
    }
  }
  if (!current_->clock) {
    set_clock(*current_);
  }
  frame = current_->head;
  hand_out(frame);
  return true;
}

}  // namespace steertag::host
