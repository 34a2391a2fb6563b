#include "host/capture.h"

#include <fmt/core.h>
#include <pcap/pcap.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "analyzer.h"
#include "base/counted.h"
#include "host/failure.h"
#include "host/interrupt.h"

namespace steertag::host {
namespace {

using Kind = capture::Step::Kind;

// Of a block, bytes. It stays in the cache while its frames are followed; any size from 128 KiB to 1 MiB
// does as well. Mapping the file instead takes 1.6 times as long as copying: every page is looked at, and
// faults.
constexpr size_t usual_capacity = 512 * 1024;

std::string no_capture(const Stream& stream, bool nothing, bool recognised) {
  if (stream.read_error() != 0) {
    return reason(stream.read_error());
  }
  if (!stream.trouble().empty()) {
    return stream.trouble();
  }
  if (nothing) {
    return interrupted() ? "interrupted before anything was read" : "is empty";
  }
  if (const std::string_view compression = stream.foreign_compression(); !compression.empty()) {
    return fmt::format("is compressed with {}; decompress it first, for example into standard input (-)",
                       compression);
  }
  return recognised ? "ends inside the header of a capture, or is not one"
                    : "is neither a pcap nor a pcapng capture";
}

// "147 (USER0)".
std::string link_name(uint32_t link_type) {
  if (link_type >= 147 && link_type <= 162) {  // for private use; libpcap has no names for them
    return fmt::format("{} (USER{})", link_type, link_type - 147);
  }
  const char* name = pcap_datalink_val_to_name(static_cast<int>(link_type));
  return name != nullptr ? fmt::format("{} ({})", link_type, name) : fmt::format("{}", link_type);
}

}  // namespace

Capture::Capture(std::string path, uint32_t index, int opened)
    : path_(std::move(path)), index_(index), stream_(std::make_unique<Stream>(path_, opened)) {}

void Capture::begin() {
  take(free_block(usual_capacity));
  read_header();
  for (const capture::Interface& interface : reader_->interfaces()) {
    if (!link(interface.link_type).read && !reader_->more_interfaces()) {
      note_foreign();
      throw Failure(shown(path_) + ": " + trouble_);
    }
  }
}

void Capture::read_header() {
  const auto fail = [&](const std::string& why) { throw Failure(shown(path_) + ": " + why); };
  const bool enough = fill(capture::kMagicSize);
  reader_ = capture::recognise(unread());
  if (!reader_) {
    fail(no_capture(*stream_, unread().empty(), !enough));
  }
  Frame frame;
  while (reader_->interfaces().empty()) {
    const capture::Step step = reader_->next(unread(), frame);
    pass(step);
    if (step.kind == Kind::damaged) {
      fail(reader_->damage());
    }
    if (step.kind == Kind::more && !fill(step.needed)) {
      if (unread().empty() && reader_->at_boundary() && stream_->trouble().empty()) {
        return;  // no interface was described, so nothing was captured
      }
      fail(no_capture(*stream_, false, true));
    }
  }
}

Capture::Block Capture::free_block(size_t needed) {
  const auto free = std::find_if(lent_.begin(), lent_.end(), [&](const Block& block) {
    return block.bytes.use_count() == 1 && block.capacity >= needed;
  });
  if (free == lent_.end()) {
    const size_t capacity = std::max(needed, usual_capacity);
    return {std::shared_ptr<uint8_t[]>(new uint8_t[capacity]), capacity};
  }
  Block found = std::move(*free);
  lent_.erase(free);
  return found;
}

void Capture::take(Block block) {
  block_ = std::move(block);
  shared_ = block_.bytes;
}

// Reads on until that many unused bytes are there; false where there are no more.
bool Capture::fill(size_t needed) {
  const Bytes rest = unread();
  if (needed > block_.capacity || lent()) {
    Block next = free_block(needed);
    std::copy_n(rest.data(), rest.size(), next.bytes.get());
    if (lent()) {
      lent_.push_back(std::move(block_));
    }
    take(std::move(next));
    std::erase_if(lent_, [](const Block& block) {  // a frame of that size is rare
      return block.bytes.use_count() == 1 && block.capacity > usual_capacity;
    });
  } else {
    std::memmove(block_.bytes.get(), rest.data(), rest.size());
  }
  begin_ = 0;
  end_of_data_ = rest.size();
  while (end_of_data_ < needed) {
    const int64_t got = stream_->read(block_.bytes.get() + end_of_data_, block_.capacity - end_of_data_);
    if (got <= 0) {
      return false;
    }
    end_of_data_ += static_cast<size_t>(got);
  }
  return true;
}

bool Capture::next(Frame& frame) {
  while (end_ == End::none) {
    const capture::Step step = reader_->next(unread(), frame);
    pass(step);
    if (step.kind == Kind::frame) [[likely]] {
      frame.at.file = index_;
      tap_ = frame.at.tap;
      count(frame);
      return true;
    }
    if (step.kind == Kind::damaged || (step.kind == Kind::more && !fill(step.needed))) {
      note_end(step.kind);
      note_foreign();
      return false;
    }
  }
  return false;
}

void Capture::pass(const capture::Step& step) {
  const Bytes used = unread().first(step.used);
  if (step.kind == Kind::frame) [[likely]] {
    record_ = used;
  } else if (on_passed && !used.empty()) {
    on_passed(used);
  }
  begin_ += step.used;
}

void Capture::count(const Frame& frame) {
  if (link_ == nullptr || frame.link_type != link_type_) [[unlikely]] {
    link_type_ = frame.link_type;
    link_ = &link(link_type_);
  }
  ++link_->frames;
}

Capture::Link& Capture::link(uint32_t link_type) {
  const auto [found, fresh] = links_.try_emplace(link_type);
  if (fresh) {
    found->second.read = Analyzer::reads(link_type);
  }
  return found->second;
}

void Capture::note_end(Kind last) {
  const uint64_t frame = reader_->frames() + 1;
  const auto set = [&](End end, std::string words) {
    end_ = end;
    trouble_ = std::move(words);
  };
  if (interrupted() || stream_->given_up()) {
    return;  // in the middle of a record, perhaps
  }
  if (last == Kind::damaged) {
    set(End::damaged,
        fmt::format("frame {}'s record is damaged ({}); read up to there", frame, reader_->damage()));
  } else if (!stream_->trouble().empty()) {
    set(stream_->cut() ? End::cut : End::damaged, fmt::format("{}; read up to there, {}", stream_->trouble(),
                                                              base::counted(reader_->frames(), "frame")));
  } else if (stream_->read_error() != 0) {
    set(End::damaged, fmt::format("could not be read after frame {}: {}", reader_->frames(),
                                  reason(stream_->read_error())));
  } else if (!unread().empty() || !reader_->at_boundary()) {
    set(End::cut,
        fmt::format("the capture ends in the middle of frame {}'s record; read up to there", frame));
  }
}

// What a pcapng's interfaces had that is not read. Where that was all, the capture could not be read.
void Capture::note_foreign() {
  bool any_read = false;
  uint64_t left_out = 0;
  std::string names;
  for (const capture::Interface& interface : reader_->interfaces()) {
    link(interface.link_type);
  }
  for (const auto& [link_type, link] : links_) {
    any_read |= link.read && (link.frames != 0 || reader_->frames() == 0);
    if (!link.read) {
      left_out += link.frames;
      names += (names.empty() ? "" : ", ") + link_name(link_type);
    }
  }
  if (!names.empty() && !any_read) {
    end_ = End::foreign;
    trouble_ = fmt::format("link type {} is not one that steertag reads", names);
  } else if (left_out != 0 && trouble_.empty()) {
    trouble_ = fmt::format("{} of link type {}, which steertag does not read, left out",
                           base::counted(left_out, "frame"), names);
  }
}

}  // namespace steertag::host
