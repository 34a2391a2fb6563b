// Stretch: a run of bytes as it was on the wire, of which the capture holds a prefix.
// Progress: how far the decoder of a layer got with it.
//
// Every decoder of a layer takes a Stretch and fills in what is inside it. None reads
// past the captured bytes, and none takes a length from the capture.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/bytes.h"
#include "wire/fixed.h"

namespace steertag::link {

enum class Progress : uint8_t {
  ok,
  unknown_link,  // a link type that is not read
  other,         // well formed, but nothing that concerns us
  cut,           // the capture ends inside a header
  malformed,     // lengths or headers contradict each other
  fragment,      // taken into reassembly; nothing to hand on yet
};

struct Stretch {
  Bytes captured;
  uint64_t length = 0;  // bytes on the wire; captured.size() at least

  Stretch() = default;
  Stretch(Bytes bytes, uint64_t wire_length)
      : captured(bytes), length(std::max<uint64_t>(bytes.size(), wire_length)) {}

  bool holds(size_t bytes) const { return captured.size() >= bytes; }

  // What follows the first `bytes` bytes; empty where it is not longer than that.
  Stretch after(uint64_t bytes) const {
    return bytes < length ? Stretch(slice(captured, static_cast<size_t>(bytes)), length - bytes) : Stretch();
  }

  // The first `bytes` bytes. The result is `bytes` long whatever `length` is: where the
  // wire's length was understated, a length field inside knows better.
  Stretch first(uint64_t bytes) const {
    return Stretch(slice(captured, 0, static_cast<size_t>(std::min<uint64_t>(bytes, captured.size()))),
                   bytes);
  }
};

// Why a header of `needed` bytes is not there: cut by the capture, or too short.
inline Progress missing(const Stretch& stretch, uint64_t needed) {
  return stretch.length >= needed ? Progress::cut : Progress::malformed;
}

// Reads the header (a struct with a layout and a size) at the front.
template <typename Header>
Progress read_header(const Stretch& stretch, Header& header) {
  if (!stretch.holds(Header::size)) {
    return missing(stretch, Header::size);
  }
  wire::read_fixed(stretch.captured.data(), header);
  return Progress::ok;
}

}  // namespace steertag::link
