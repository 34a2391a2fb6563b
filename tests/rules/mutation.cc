#include "rules/mutation.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "link/decoder.h"
#include "link/tunnel_headers.h"
#include "wire/writer.h"

namespace steertag::test {

TraceFrame in_vxlan(TraceFrame frame, uint32_t link_type, uint8_t network) {
  if (link_type != 1) {
    return frame;
  }
  const auto length = frame.original_length;
  std::vector<uint8_t> bytes;
  wire::write(bytes, link::EthernetHeader{});
  wire::write(bytes, link::Ipv4Header{.total_length = static_cast<uint16_t>(length + 36),
                                      .source = {172, 16, 0, 1},
                                      .destination = {172, 16, 0, 2}});
  wire::write(bytes, link::UdpHeader{.destination_port = link::kVxlanPort,
                                     .length = static_cast<uint16_t>(length + 16)});
  wire::write(bytes, link::VxlanHeader{.network = network});
  frame.original_length += static_cast<uint32_t>(bytes.size());
  frame.bytes.insert(frame.bytes.begin(), bytes.begin(), bytes.end());
  return frame;
}

namespace {

// What one misfortune has to do with: two captures, the dice, and the capture that it makes.
struct Scene {
  const Trace& whole;
  const Trace& other;
  std::mt19937& random;
  Mutation made{"", {whole.link_type, {}}, false};
  std::vector<TraceFrame>& frames = made.trace.frames;

  size_t count() const { return whole.frames.size(); }
  size_t pick(size_t below) { return static_cast<size_t>(random() % std::max<size_t>(1, below)); }
  std::vector<TraceFrame>::const_iterator from(size_t at) const {
    return whole.frames.begin() + static_cast<ptrdiff_t>(at);
  }
  // The frame's, to be named.
  uint64_t number(size_t at) const { return whole.frames[at].at.number; }
  void in_order_of_time() {
    std::stable_sort(frames.begin(), frames.end(),
                     [](const TraceFrame& x, const TraceFrame& y) { return x.at.time_ns < y.at.time_ns; });
  }
};

bool same_sender(const TraceFrame& x, const TraceFrame& y) {
  return std::ranges::equal(slice(Bytes(x.bytes), 6, 6), slice(Bytes(y.bytes), 6, 6));
}

void starts_late(Scene& s) {
  const size_t at = s.pick(s.count());
  s.made.name = fmt::format("starts at {}", at);
  s.frames.assign(s.from(at), s.whole.frames.end());
}

void ends_early(Scene& s) {
  const size_t at = s.pick(s.count());
  s.made.name = fmt::format("ends at {}", at);
  s.frames.assign(s.whole.frames.begin(), s.from(at));
}

void without_one(Scene& s) {
  const size_t at = s.pick(s.count());
  s.made.name = fmt::format("without {}", s.number(at));
  s.frames = s.whole.frames;
  s.frames.erase(s.frames.begin() + static_cast<ptrdiff_t>(at));
}

void without_some(Scene& s) {
  s.made.name = "without 1%:";
  for (const TraceFrame& frame : s.whole.frames) {
    if (s.random() % 100 != 0) {
      s.frames.push_back(frame);
    } else {
      s.made.name += fmt::format(" {}", frame.at.number);
    }
  }
}

void one_twice(Scene& s) {
  const size_t at = s.pick(s.count());
  s.made.name = fmt::format("{} twice", s.number(at));
  s.frames = s.whole.frames;
  s.frames.insert(s.frames.begin() + static_cast<ptrdiff_t>(at), s.whole.frames[at]);
}

// Neighbours of one direction: reordered on their way.
void two_swapped(Scene& s) {
  const size_t at = s.pick(s.count() - 1);
  s.made.name = fmt::format("{} and the next swapped", s.number(at));
  s.frames = s.whole.frames;
  TraceFrame& one = s.frames[at];
  TraceFrame& next = s.frames[at + 1];
  if (one.bytes.size() > 34 && next.bytes.size() > 34 && same_sender(one, next)) {
    std::swap(one, next);
  }
}

void cut_by_snaplen(Scene& s) {
  constexpr uint32_t lengths[] = {96, 128, 256};
  const uint32_t length = s.pick(2) == 0 ? lengths[s.pick(3)] : 40 + static_cast<uint32_t>(s.pick(300));
  s.made.name = fmt::format("snaplen {}", length);
  s.frames = s.whole.frames;
  for (TraceFrame& frame : s.frames) {
    frame.bytes.resize(std::min<size_t>(frame.bytes.size(), length));
  }
}

// Two files, merged by time; numbers start again.
void split_over_files(Scene& s) {
  const size_t at = s.pick(s.count());
  s.made.name = fmt::format("split at {}", at);
  s.frames = s.whole.frames;
  for (size_t i = at; i < s.count(); ++i) {
    s.frames[i].at.file = 1;
    s.frames[i].at.tap = Stamp::tap_of(1, 0);
    s.frames[i].at.number = i - at + 1;
  }
  s.made.skewed = true;
}

// The setup and what follows it, full of holes.
void full_of_holes(Scene& s) {
  constexpr size_t kBeginning = 24;
  s.made.name = "without, of its beginning,";
  for (size_t i = 0; i < s.count(); ++i) {
    if (i >= kBeginning || s.random() % 2 == 0) {
      s.frames.push_back(s.whole.frames[i]);
    } else {
      s.made.name += fmt::format(" {}", s.number(i));
    }
  }
}

// The capture was off for a while; at its very end nothing would reveal that.
void off_for_a_while(Scene& s) {
  const size_t until = s.pick(s.count() > 16 ? s.count() - 16 : 1) + 1;
  const size_t at = until - std::min(until, 2 + s.pick(40));
  s.made.name = fmt::format("without {} to {}", s.number(at), s.number(until - 1));
  s.frames.assign(s.whole.frames.begin(), s.from(at));
  s.frames.insert(s.frames.end(), s.from(until), s.whole.frames.end());
}

// A tap for each direction, the clock of one ahead.
void tap_ahead(Scene& s) {
  const int64_t ahead_ns = (static_cast<int64_t>(s.pick(3000)) - 1500) * 1000;
  s.made.name = fmt::format("one tap ahead by {} us", ahead_ns / 1000);
  s.frames = s.whole.frames;
  for (TraceFrame& frame : s.frames) {
    if (!same_sender(frame, s.whole.frames[0])) {
      frame.at.time_ns += ahead_ns;
    }
  }
  s.in_order_of_time();
}

// Two taps on the way: everything is seen twice.
void all_twice(Scene& s) {
  const int64_t later_ns = static_cast<int64_t>(s.pick(500)) * 1000;
  s.made.name = fmt::format("all of it again {} us later", later_ns / 1000);
  s.frames = s.whole.frames;
  for (TraceFrame frame : s.whole.frames) {
    frame.at.time_ns += later_ns;
    s.frames.push_back(std::move(frame));
  }
  s.in_order_of_time();
}

// A mirror port for one direction.
void one_direction(Scene& s) {
  const TraceFrame& heard = s.whole.frames[s.pick(s.count())];
  s.made.name = fmt::format("only what the sender of {} sends", heard.at.number);
  std::copy_if(s.whole.frames.begin(), s.whole.frames.end(), std::back_inserter(s.frames),
               [&](const TraceFrame& frame) { return same_sender(frame, heard); });
}

// A switch mirrors two of its ports, one behind a router, in a tunnel.
void mirrored_in_tunnel(Scene& s) {
  s.made.name = "mirrored in VXLAN";
  for (const TraceFrame& frame : s.whole.frames) {
    s.frames.push_back(in_vxlan(frame, s.whole.link_type, 1));
    for (size_t copies = s.pick(3); copies != 0; --copies) {
      s.frames.push_back(in_vxlan(frame, s.whole.link_type, static_cast<uint8_t>(s.pick(2))));
      s.frames.back().at.time_ns += static_cast<int64_t>(s.pick(20)) * 1000;
    }
  }
  s.in_order_of_time();
}

// Another capture at the same time.
void merged_with_another(Scene& s) {
  s.made.name = "merged with another";
  s.frames = s.whole.frames;
  if (s.other.frames.empty() || s.other.link_type != s.whole.link_type) {
    return;
  }
  const int64_t shift =
      s.whole.frames[0].at.time_ns - s.other.frames[0].at.time_ns + static_cast<int64_t>(s.pick(1000)) * 1000;
  for (TraceFrame frame : s.other.frames) {
    frame.at.time_ns += shift;
    frame.at.file = 1;
    frame.at.tap = Stamp::tap_of(1, 0);
    s.frames.push_back(std::move(frame));
  }
  s.in_order_of_time();
}

using Misfortune = void (*)(Scene&);
constexpr Misfortune kMisfortunes[] = {
    starts_late, ends_early,     without_one,      without_some,       one_twice,
    two_swapped, cut_by_snaplen, split_over_files, full_of_holes,      off_for_a_while,
    tap_ahead,   all_twice,      one_direction,    mirrored_in_tunnel, merged_with_another,
};
static_assert(std::size(kMisfortunes) == kKinds);
static_assert(kMisfortunes[kEndsEarly] == ends_early && kMisfortunes[kFullOfHoles] == full_of_holes);
static_assert(kMisfortunes[kOffForAWhile] == off_for_a_while && kMisfortunes[kTapAhead] == tap_ahead);
static_assert(kMisfortunes[kMerged] == merged_with_another);

}  // namespace

Mutation mutate(const Trace& whole, const Trace& other, int kind, std::mt19937& random) {
  Scene scene{whole, other, random};
  kMisfortunes[kind](scene);
  return std::move(scene.made);
}

}  // namespace steertag::test
