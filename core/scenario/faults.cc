#include "scenario/faults.h"

#include <algorithm>

namespace steertag::scenario {
namespace {

// One round of loss and repair: what the sender had under way from the first
// lost packet on, the error report, what is retransmitted, and then the rest.
std::vector<Datagram> lose(const std::vector<Datagram>& line, const Handling& handling,
                           Transport& transport) {
  std::vector<bool> gone(line.size());
  for (size_t i = 0; i < line.size(); ++i) {
    gone[i] = contains(handling.lost, line[i].number) || contains(handling.resent, line[i].number);
  }
  const auto first = static_cast<size_t>(std::find(gone.begin(), gone.end(), true) - gone.begin());
  if (first == line.size()) {
    return line;
  }
  // Setup goes back and forth, one packet at a time: nothing else is under way.
  const bool alone = line[first].kind == Datagram::Kind::setup;
  const auto under_way = [&](size_t i) {
    return alone ? i == first : line[i].from == line[first].from && line[i].kind == line[first].kind;
  };
  std::vector<Datagram> result(line.begin(), line.begin() + static_cast<ptrdiff_t>(first));
  for (size_t i = first; i < line.size(); ++i) {
    if (under_way(i)) {
      result.push_back(line[i]);
      result.back().recorded = !contains(handling.lost, line[i].number);
    }
  }
  std::vector<Datagram> again =
      alone ? std::vector<Datagram>{line[first]} : transport.repair(line, first, gone);
  for (Datagram& repaired : again) {
    repaired.number = 0;
    result.push_back(std::move(repaired));
  }
  for (size_t i = first; i < line.size(); ++i) {
    if (!under_way(i)) {
      result.push_back(line[i]);
    }
  }
  return result;
}

void delay(const Handling& handling, std::vector<Datagram>& line) {
  for (const Delay& delay : handling.delays) {
    const auto which = std::find_if(line.begin(), line.end(), [&](const Datagram& datagram) {
      const bool complaint = datagram.number == 0 && datagram.kind == Datagram::Kind::acknowledgment;
      return datagram.number == delay.packet && !complaint;
    });
    if (which != line.end()) {
      which->delay_ns = delay.ns;
    }
  }
}

void record(const Handling& handling, std::vector<Datagram>& line) {
  for (Datagram& datagram : line) {
    datagram.recorded = datagram.recorded && !contains(handling.missing, datagram.number);
    datagram.truncate = handling.truncate;
    datagram.marked = datagram.number != 0 && contains(handling.marked, datagram.number);
  }
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    if (line[i].number != 0 && contains(handling.swap, line[i].number)) {
      std::swap(line[i], line[i + 1]);
      ++i;
    }
  }
}

std::vector<Datagram> duplicate(const Handling& handling, std::vector<Datagram> line) {
  if (handling.dup.empty()) {
    return line;
  }
  std::vector<Datagram> result;
  for (Datagram& datagram : line) {
    result.push_back(std::move(datagram));
    if (result.back().number != 0 && contains(handling.dup, result.back().number)) {
      result.push_back(result.back());
      result.back().twice = true;
      result.back().delay_ns = 0;
    }
  }
  return result;
}

}  // namespace

std::vector<Datagram> apply_faults(std::vector<Datagram> line, const Handling& handling,
                                   Transport& transport) {
  line = lose(line, handling, transport);
  delay(handling, line);
  record(handling, line);
  return duplicate(handling, std::move(line));
}

void apply_taps(Taps taps, int64_t skew_ns, const std::vector<Side>& from, std::vector<SynthFrame>& frames) {
  if (taps == Taps::one) {
    return;
  }
  const size_t seen = frames.size();
  for (size_t i = 0; i < seen; ++i) {
    if (taps == Taps::both) {
      frames.push_back(frames[i]);
      frames.back().time_ns += skew_ns;
    } else if (from[i] == kServer) {
      frames[i].time_ns += skew_ns;
    }
  }
  std::stable_sort(frames.begin(), frames.end(),
                   [](const SynthFrame& a, const SynthFrame& b) { return a.time_ns < b.time_ns; });
}

}  // namespace steertag::scenario
