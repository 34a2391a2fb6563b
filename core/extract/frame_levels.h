// FrameLevels: for each frame of a trace a small number, kNone where nothing was said of it. What an extract
// is made of is known only after the frames have passed, so frames are remembered by file and number. It
// takes a byte a frame where something was said, in pages, and is bounded by kMostPages.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "frame.h"

namespace steertag::extract {

class FrameLevels {
 public:
  static constexpr uint8_t kNone = 0xFF;
  static constexpr size_t kPage = 4096;  // frames
  static constexpr size_t kMostPages = size_t{1} << 18;

  explicit FrameLevels(size_t most_pages = kMostPages) : most_pages_(most_pages) {}

  uint8_t at(const Stamp& frame) const {
    const auto found = pages_.find(page_of(frame));
    return found == pages_.end() ? kNone : (*found->second)[frame.number % kPage];
  }
  bool has(const Stamp& frame) const { return at(frame) != kNone; }
  // Its number is at most `level` from now on. Returns whether it had none before.
  bool lower(const Stamp& frame, uint8_t level) {
    Page* page = page_for(frame);
    if (page == nullptr) {
      return false;
    }
    uint8_t& own = (*page)[frame.number % kPage];
    const bool fresh = own == kNone;
    size_ += fresh ? 1 : 0;
    own = std::min(own, level);
    return fresh;
  }
  uint64_t size() const { return size_; }  // frames of which something was said
  bool full() const { return full_; }      // there were more

 private:
  using Page = std::array<uint8_t, kPage>;

  static uint64_t page_of(const Stamp& frame) { return uint64_t{frame.file} << 40 | frame.number / kPage; }
  Page* page_for(const Stamp& frame) {
    if (pages_.size() == most_pages_ && !pages_.contains(page_of(frame))) {
      full_ = true;
      return nullptr;
    }
    std::unique_ptr<Page>& page = pages_[page_of(frame)];
    if (!page) {
      page = std::make_unique<Page>();
      page->fill(kNone);
    }
    return page.get();
  }

  size_t most_pages_;
  absl::flat_hash_map<uint64_t, std::unique_ptr<Page>> pages_;
  uint64_t size_ = 0;
  bool full_ = false;
};

}  // namespace steertag::extract
