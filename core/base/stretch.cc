#include "base/stretch.h"

namespace steertag::base {

void StretchReader::seek(uint64_t offset) {
  run_ = {};
  run_begin_ = offset;
  while (!ahead_.empty() && offset - begin_ >= ahead_.front().length) {
    const Stretch& passed = ahead_.front();
    begin_ += passed.length;
    const bool ends = behind_ == Behind::unread && passed.data.size() < passed.at + passed.length;
    ahead_ = ends ? std::span<const Stretch>() : ahead_.subspan(1);
  }
  if (ahead_.empty()) {
    return;
  }
  const Stretch& here = ahead_.front();
  const uint64_t from = here.at + (offset - begin_);
  uint64_t end = here.at + here.length;
  if (here.held != nullptr) {
    const auto interval = interval_behind(*here.held, from);
    end = interval != here.held->intervals().end() && interval->begin <= from ? std::min(end, interval->end)
                                                                              : from;
  }
  run_ = slice(here.data, from, end - from);
}

}  // namespace steertag::base
