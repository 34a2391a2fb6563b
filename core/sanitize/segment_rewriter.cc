#include "sanitize/segment_rewriter.h"

#include <algorithm>

#include "link/others.h"

namespace steertag::sanitize {
namespace {

// Options of TCP whose content tells nothing of anybody: how large segments and windows are, what was
// received, and time stamps. Of others only the length stays.
bool plain_option(uint8_t kind) {
  return kind == 2 || kind == 3 || kind == 4 || kind == 5 || kind == 8;
}

// Bytes of the option at the front; 0: it has a length that it cannot have.
size_t option_length(Bytes options) {
  const uint8_t kind = options[0];
  if (kind < 2) {
    return 1;
  }
  const size_t length = options.size() > 1 ? options[1] : 0;
  const bool right = kind == 2   ? length == 4
                     : kind == 3 ? length == 3
                     : kind == 4 ? length == 2
                     : kind == 5 ? length >= 10 && length % 8 == 2
                     : kind == 8 ? length == 10
                                 : length >= 2;
  return right && length <= options.size() ? length : 0;
}

bool whole_options(Bytes options) {
  while (!options.empty()) {
    const size_t length = option_length(options);
    if (length == 0) {
      return false;
    }
    options = options.subspan(length);
  }
  return true;
}

}  // namespace

void SegmentRewriter::take(const link::Packet& segment, uint64_t order, bool changed) {
  take_options(segment.tcp.options);
  take_stream(segment, order, changed);
}

void SegmentRewriter::take_options(Bytes options) const {
  if (!whole_options(options)) {
    constexpr uint8_t kNoOperation = 1;
    return canvas_.fill(options, kNoOperation);
  }
  for (size_t at = 0; at < options.size();) {
    const size_t length = option_length(options.subspan(at));
    canvas_.keep(slice(options, at, length == 1 || plain_option(options[at]) ? length : 2));
    at += length;
  }
}

// What a segment carries: of iWARP by the parts of its stream, of anything else nothing.
void SegmentRewriter::take_stream(const link::Packet& segment, uint64_t order, bool changed) {
  const Bytes data = segment.payload;
  const Stream* const stream = plan_.find(
      {segment.source, segment.destination, segment.tcp.source_port, segment.tcp.destination_port}, order);
  if (data.empty() || stream == nullptr || stream->parts.empty()) {
    return canvas_.keep(slice(data, 0, link::Others::words_of_segment(data)));
  }
  uint64_t& reached = reached_.try_emplace(stream, stream->parts[0].begin).first->second;
  const auto ahead =
      static_cast<int32_t>(segment.tcp.sequence - (stream->base + static_cast<uint32_t>(reached)));
  const int64_t begin = static_cast<int64_t>(reached) + ahead;
  const int64_t end = begin + static_cast<int64_t>(data.size());
  if (end <= 0) {
    return;
  }
  reached = static_cast<uint64_t>(end);
  auto part = std::partition_point(stream->parts.begin(), stream->parts.end(), [&](const Part& p) {
    return static_cast<int64_t>(p.begin + p.size) <= begin;
  });
  uint8_t* const out = canvas_.after(data).data();
  size_t made = data.size() - 1;  // a byte that is no header's, if there is one
  for (; part != stream->parts.end() && static_cast<int64_t>(part->begin) < end; ++part) {
    const Bytes headers = plan_.headers(*part), image = plan_.image(*part);
    const int64_t first = std::max<int64_t>(begin, static_cast<int64_t>(part->begin));
    const int64_t last = std::min<int64_t>(end, static_cast<int64_t>(part->begin + part->size));
    for (int64_t place = first; place < last; ++place) {
      const auto i = static_cast<uint32_t>(place - static_cast<int64_t>(part->begin));
      const auto in = static_cast<size_t>(place - begin);
      const bool crc = part->has_crc && i + 4 >= part->size;
      const auto plain = crc ? std::nullopt : without_markers(stream->markers, *part, i);
      if (!crc && !plain) {
        out[in] = part->kept != 0 ? shown_marker_byte(stream->markers, *part, i, data, in)
                                  : plan_.blank(part->begin + i);  // it may be no FPDU, and this no marker
      } else if (!crc && *plain < headers.size()) {
        out[in] = headers[*plain];
      } else {
        made = std::min(made, in);
        if (crc) {
          out[in] = static_cast<uint8_t>(part->crc >> (8 * (i + 4 - part->size)));
        } else {
          const uint32_t behind = *plain - part->kept;
          out[in] = behind < image.size() ? image[behind] : plan_.blank(part->begin + i);
        }
      }
    }
  }
  if (changed) {
    out[made] = static_cast<uint8_t>(~out[made]);
  }
}

}  // namespace steertag::sanitize
