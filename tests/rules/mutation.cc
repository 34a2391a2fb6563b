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

Mutation mutate(const Trace& whole, const Trace& other, int kind, std::mt19937& random) {
  const auto pick = [&](size_t below) { return static_cast<size_t>(random() % std::max<size_t>(1, below)); };
  const size_t n = whole.frames.size();
  Mutation m{"", {whole.link_type, {}}, false};
  std::vector<TraceFrame>& frames = m.trace.frames;
  const auto from = [&](size_t at) { return whole.frames.begin() + static_cast<ptrdiff_t>(at); };
  switch (kind) {
    case 0: {
      const size_t at = pick(n);
      m.name = fmt::format("starts at {}", at);
      frames.assign(from(at), whole.frames.end());
      break;
    }
    case kEndsEarly: {
      const size_t at = pick(n);
      m.name = fmt::format("ends at {}", at);
      frames.assign(whole.frames.begin(), from(at));
      break;
    }
    case 2: {
      const size_t at = pick(n);
      m.name = fmt::format("without {}", whole.frames[at].at.number);
      frames = whole.frames;
      frames.erase(frames.begin() + static_cast<ptrdiff_t>(at));
      break;
    }
    case 3: {
      m.name = "without 1%:";
      for (const TraceFrame& frame : whole.frames) {
        if (random() % 100 != 0) {
          frames.push_back(frame);
        } else {
          m.name += fmt::format(" {}", frame.at.number);
        }
      }
      break;
    }
    case 4: {
      const size_t at = pick(n);
      m.name = fmt::format("{} twice", whole.frames[at].at.number);
      frames = whole.frames;
      frames.insert(frames.begin() + static_cast<ptrdiff_t>(at), whole.frames[at]);
      break;
    }
    case 5: {  // neighbours of one direction: reordered on their way
      const size_t at = pick(n - 1);
      m.name = fmt::format("{} and the next swapped", whole.frames[at].at.number);
      frames = whole.frames;
      const bool same = frames[at].bytes.size() > 34 && frames[at + 1].bytes.size() > 34 &&
                        std::equal(frames[at].bytes.begin() + 6, frames[at].bytes.begin() + 12,
                                   frames[at + 1].bytes.begin() + 6);
      if (same) {
        std::swap(frames[at], frames[at + 1]);
      }
      break;
    }
    case 6: {
      constexpr uint32_t lengths[] = {96, 128, 256};
      const uint32_t length = pick(2) == 0 ? lengths[pick(3)] : 40 + static_cast<uint32_t>(pick(300));
      m.name = fmt::format("snaplen {}", length);
      frames = whole.frames;
      for (TraceFrame& frame : frames) {
        frame.bytes.resize(std::min<size_t>(frame.bytes.size(), length));
      }
      break;
    }
    case 7: {  // two files, merged by time; numbers start again
      const size_t at = pick(n);
      m.name = fmt::format("split at {}", at);
      frames = whole.frames;
      for (size_t i = at; i < n; ++i) {
        frames[i].at.file = 1;
        frames[i].at.number = i - at + 1;
      }
      m.skewed = true;
      break;
    }
    case kFullOfHoles: {  // the setup and what follows it, full of holes
      constexpr size_t kBeginning = 24;
      m.name = "without, of its beginning,";
      for (size_t i = 0; i < n; ++i) {
        if (i >= kBeginning || random() % 2 == 0) {
          frames.push_back(whole.frames[i]);
        } else {
          m.name += fmt::format(" {}", whole.frames[i].at.number);
        }
      }
      break;
    }
    case kOffForAWhile: {  // the capture was off for a while; at its very end nothing would reveal that
      const size_t until = pick(n > 16 ? n - 16 : 1) + 1;
      const size_t at = until - std::min(until, 2 + pick(40));
      m.name = fmt::format("without {} to {}", whole.frames[at].at.number, whole.frames[until - 1].at.number);
      frames.assign(whole.frames.begin(), from(at));
      frames.insert(frames.end(), from(until), whole.frames.end());
      break;
    }
    case kTapAhead: {  // a tap for each direction, the clock of one ahead
      const int64_t ahead_ns = (static_cast<int64_t>(pick(3000)) - 1500) * 1000;
      m.name = fmt::format("one tap ahead by {} us", ahead_ns / 1000);
      frames = whole.frames;
      const auto source = [](const TraceFrame& frame) { return slice(Bytes(frame.bytes), 6, 6); };
      for (TraceFrame& frame : frames) {
        if (!std::ranges::equal(source(frame), source(whole.frames[0]))) {
          frame.at.time_ns += ahead_ns;
        }
      }
      std::stable_sort(frames.begin(), frames.end(),
                       [](const TraceFrame& x, const TraceFrame& y) { return x.at.time_ns < y.at.time_ns; });
      break;
    }
    case 11: {  // two taps on the way: everything is seen twice
      const int64_t later_ns = static_cast<int64_t>(pick(500)) * 1000;
      m.name = fmt::format("all of it again {} us later", later_ns / 1000);
      frames = whole.frames;
      for (TraceFrame frame : whole.frames) {
        frame.at.time_ns += later_ns;
        frames.push_back(std::move(frame));
      }
      std::stable_sort(frames.begin(), frames.end(),
                       [](const TraceFrame& x, const TraceFrame& y) { return x.at.time_ns < y.at.time_ns; });
      break;
    }
    case 12: {  // a mirror port for one direction
      const auto source = [](const TraceFrame& frame) { return slice(Bytes(frame.bytes), 6, 6); };
      const TraceFrame& heard = whole.frames[pick(n)];
      m.name = fmt::format("only what the sender of {} sends", heard.at.number);
      std::copy_if(whole.frames.begin(), whole.frames.end(), std::back_inserter(frames),
                   [&](const TraceFrame& frame) { return std::ranges::equal(source(frame), source(heard)); });
      break;
    }
    case 13: {  // a switch mirrors two of its ports, one behind a router, in a tunnel
      m.name = "mirrored in VXLAN";
      std::vector<TraceFrame> mirror;
      for (const TraceFrame& frame : whole.frames) {
        mirror.push_back(in_vxlan(frame, whole.link_type, 1));
        for (size_t copies = pick(3); copies != 0; --copies) {
          mirror.push_back(in_vxlan(frame, whole.link_type, static_cast<uint8_t>(pick(2))));
          mirror.back().at.time_ns += static_cast<int64_t>(pick(20)) * 1000;
        }
      }
      std::stable_sort(mirror.begin(), mirror.end(),
                       [](const TraceFrame& x, const TraceFrame& y) { return x.at.time_ns < y.at.time_ns; });
      frames = std::move(mirror);
      break;
    }
    default: {  // another capture at the same time
      m.name = "merged with another";
      if (other.frames.empty() || other.link_type != whole.link_type) {
        frames = whole.frames;
        break;
      }
      const int64_t shift =
          whole.frames[0].at.time_ns - other.frames[0].at.time_ns + static_cast<int64_t>(pick(1000)) * 1000;
      frames = whole.frames;
      for (TraceFrame frame : other.frames) {
        frame.at.time_ns += shift;
        frame.at.file = 1;
        frames.push_back(std::move(frame));
      }
      std::stable_sort(frames.begin(), frames.end(),
                       [](const TraceFrame& x, const TraceFrame& y) { return x.at.time_ns < y.at.time_ns; });
      break;
    }
  }
  return m;
}

}  // namespace steertag::test
