#include "capture/annotation.h"

#include <algorithm>

namespace steertag::capture {
namespace {

constexpr size_t kHead = 8;  // bytes of a block before its body: kind and length
constexpr size_t kTail = 4;  // and behind it

void append(std::vector<uint8_t>& out, Bytes bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

void Annotation::pass(Bytes piece) {
  if (!begun_) {
    begun_ = true;
    pcapng_ = piece.size() >= kHead && order_.u32(piece.data()) == kSectionHeader;
  }
  if (!pcapng_) {
    return;  // the header of a pcap
  }
  if (to_come_ == 0) {  // a block begins, and at least its two lengths are there
    if (order_.u32(piece.data()) == kSectionHeader) {
      order_.big = ByteOrder{.big = true}.u32(piece.data() + kHead) == kByteOrderMagic;
    }
    to_come_ = order_.u32(piece.data() + 4);
    too_long_ = to_come_ > kMaxBlock;
    left_out_ += too_long_ ? 1 : 0;
  }
  to_come_ -= std::min<uint64_t>(to_come_, piece.size());
  if (too_long_) {  // nobody is asked for so much memory
    return;
  }
  append(waiting_, piece);
  if (to_come_ == 0) {
    block(waiting_);
    waiting_.clear();
  }
}

void Annotation::block(Bytes whole) {
  const uint32_t kind = order_.u32(whole.data());
  if (kind == kSectionHeader) {
    return section(whole);
  }
  if (kind == kInterfaceBlock) {
    constexpr size_t kOptions = kHead + 8;
    const Bytes options = slice(whole, kOptions, whole.size() - kOptions - kTail);
    rates_.push_back(tick_rate(order_, options).value_or(TickRate{}));
  }
  append(out_, whole);
}

// Its length, in bytes, is not what it was.
void Annotation::section(Bytes whole) {
  constexpr size_t kLength = kHead + 8, kOptions = kHead + 16;
  rates_.clear();
  const size_t began = out_.size();
  PcapngWriter writer(out_, order_);
  append(out_, whole.first(kLength));
  writer.put_u64(UINT64_MAX);
  append(out_, options_of(whole, kOptions));
  if (!section_comment_.empty()) {
    const PcapngOption comment{PcapngOption::kComment, section_comment_};
    writer.put_options({&comment, 1});
    section_comment_.clear();
  }
  writer.put_u32(PcapngOption::kEnd);
  writer.end_block(began);
}

// Of both kinds of packet blocks that have any.
size_t Annotation::options_at(Bytes record) const {
  constexpr size_t kCaptured = kHead + 12, kFrame = kHead + 20;
  return kFrame + (size_t{order_.u32(record.data() + kCaptured)} + 3) / 4 * 4;
}

// The options of a block that begin there, without their end.
Bytes Annotation::options_of(Bytes block, size_t at) const {
  const Bytes options = at + kTail > block.size() ? Bytes() : slice(block, at, block.size() - at - kTail);
  size_t end = 0;
  while (end + 4 <= options.size() && order_.u16(options.data() + end) != PcapngOption::kEnd) {
    const size_t next = end + 4 + (size_t{order_.u16(options.data() + end + 2)} + 3) / 4 * 4;
    if (next > options.size()) {
      break;
    }
    end = next;
  }
  return options.first(end);
}

void Annotation::frame(const Frame& frame, Bytes record, std::span<const std::string> comments,
                       uint32_t snaplen) {
  if (!pcapng_) {
    return pcap_frame(frame, comments, snaplen);
  }
  size_t more = 0;
  for (const std::string& comment : comments) {
    more += comment.size() + 8;
  }
  if (comments.empty() || record.size() + more + 32 > kMaxBlock) {
    without_ += comments.empty() ? 0 : 1;
    return append(out_, record);
  }
  if (order_.u32(record.data()) == kSimplePacketBlock) {
    return put_simple_packet(frame, record, comments);
  }
  put_with_comments(record, options_at(record), comments);
}

std::vector<std::string> Annotation::comments_of(Bytes record) const {
  std::vector<std::string> comments;
  if (!pcapng_ || order_.u32(record.data()) == kSimplePacketBlock) {
    return comments;
  }
  const Bytes options = options_of(record, options_at(record));
  for (size_t at = 0; at < options.size();) {
    const size_t length = order_.u16(options.data() + at + 2);
    if (order_.u16(options.data() + at) == PcapngOption::kComment) {
      const Bytes value = slice(options, at + 4, length);
      comments.emplace_back(value.begin(), value.end());
    }
    at += 4 + (length + 3) / 4 * 4;
  }
  return comments;
}

void Annotation::put_with_comments(Bytes block, size_t options_at, std::span<const std::string> comments) {
  const size_t began = out_.size();
  PcapngWriter writer(out_, order_);
  append(out_, block.first(std::min(options_at, block.size() - kTail)));
  append(out_, options_of(block, options_at));
  writer.put_options(comment_options(comments));
  writer.put_u32(PcapngOption::kEnd);
  writer.end_block(began);
}

// It has no options, and so becomes a packet of the other kind; its time is what the Reader took it for.
void Annotation::put_simple_packet(const Frame& frame, Bytes record, std::span<const std::string> comments) {
  const uint32_t length = order_.u32(record.data() + kHead);
  const TickRate rate = rates_.empty() ? TickRate{} : rates_.front();
  PcapngWriter(out_, order_)
      .put_packet({.interface = 0,
                   .ticks = rate.from_ns(frame.at.time_ns),
                   .bytes = frame.bytes,
                   .original_length = length},
                  comment_options(comments));
}

void Annotation::begin_section() {
  rates_.emplace_back();
  const PcapngOption comment{PcapngOption::kComment, section_comment_};
  PcapngWriter(out_, order_).put_section({&comment, section_comment_.empty() ? size_t{0} : size_t{1}});
}

void Annotation::finish() {
  if (!pcapng_ && rates_.empty()) {
    begin_section();
  }
}

void Annotation::pcap_frame(const Frame& frame, std::span<const std::string> comments, uint32_t snaplen) {
  PcapngWriter writer(out_, order_);
  if (rates_.empty()) {
    begin_section();
    writer.put_interface(frame.link_type, snaplen, {});
  }
  writer.put_packet({.interface = 0,
                     .ticks = static_cast<uint64_t>(frame.at.time_ns),
                     .bytes = frame.bytes,
                     .original_length = frame.original_length},
                    comment_options(comments));
}

}  // namespace steertag::capture
