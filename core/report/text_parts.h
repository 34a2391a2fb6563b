// What the text reports have in common: frames, and segments as Linux prints
// them. For the text_*.cc of this folder alone.
// Most return a few words, without a newline.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "report/fold.h"
#include "report/text.h"
#include "rpcrdma/v1.h"
#include "rules/rule.h"
#include "track/connection.h"

namespace steertag::report {

// Where a line that does not fit goes on: for fold(), if that follows.
inline void hang(Buffer& out, const TextStyle& style, size_t column) {
  if (style.folds) {
    put_hang(out, column);
  }
}

inline std::string_view severity_colour(rules::Severity severity, const Palette& palette) {
  return severity == rules::Severity::error     ? palette.bad
         : severity == rules::Severity::warning ? palette.warn
                                                : palette.dim;
}

// "255"; "2:255" where several files were read.
inline std::string frame_text(const Stamp& at, const TextStyle& style) {
  return style.files.several() ? fmt::format("{}:{}", at.file + 1, at.number) : fmt::format("{}", at.number);
}

// "26", "26-89": the first and the last of several frames.
inline std::string frames_text(std::span<const Stamp> frames, const TextStyle& style) {
  if (frames.empty()) {
    return {};
  }
  const auto [first, last] = std::minmax_element(frames.begin(), frames.end(), captured_before);
  return frames.size() == 1 ? frame_text(*first, style)
                            : frame_text(*first, style) + "-" + frame_text(*last, style);
}

// "4096@0x00007f0012345000:0x00012345", as the kernel's trace points have it.
inline std::string segment_text(const rpcrdma::Segment& segment) {
  return fmt::format("{}@{:#018x}:{:#010x}", segment.length, segment.offset, segment.handle);
}

// "2, the last: ICMP 3/1, host unreachable, by 10.0.9.9, in frame 12"
std::string icmp_text(const track::IcmpErrors& errors, const TextStyle& style);

// "up to 7 times, each after 67.1 ms; after RNR NAKs for ever": what an end asks of its peer.
std::string retries_text(const track::Retries& retries);

// The ends of a connection, the client first; without roles, the side that was seen first.
std::array<rdma::Side, 2> in_order(const track::Connection& connection);
// "client", "server"; without roles "a", "b".
std::string_view end_name(const track::Connection& connection, rdma::Side side);
// "   credits                "; what does not fit stands below its text.
void connection_label(Buffer& out, std::string_view what, const TextStyle& style);
// What the setup of a connection agreed on, and what its packets show of the network: lines of
// `connections -v`.
void text_agreed(Buffer& out, const track::Connection& connection, const TextStyle& style);

// A cell of a column, and the blanks behind it. Not by a format, which would be most of what a line costs.
inline void blanks(Buffer& out, size_t count) {
  for (; count != 0; --count) {
    put(out, ' ');
  }
}
inline void right_cell(Buffer& out, std::string_view text, size_t width) {
  blanks(out, width - std::min(width, text.size()));
  put(out, text);
  put(out, "  ");
}
inline void left_cell(Buffer& out, std::string_view text, size_t width) {
  put(out, text);
  blanks(out, width - std::min(width, text.size()) + 2);
}

}  // namespace steertag::report
