// What a capture loses must not turn into an accusation. Real captures are cut,
// thinned, doubled, swapped, truncated, split, skewed, merged, mirrored in tunnels
// and left with one direction, thousands of times; each time the findings are compared with those on the
// whole capture: they may vanish or lose certainty, but no error or warning may appear as definite or likely
// that was not there before.
//
//   metamorphic ROUNDS CAPTURE...   mutations a capture, classic pcap; every one is reproducible
//   metamorphic ROUNDS SCENARIO...  the same of scenarios (.txt), over both fabrics; by RFC 5666 in a folder
//   of
//                                   that name
//
// NET-01 tells that frames are missing, and so appears when frames go; it is left out.

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer.h"
#include "link/decoder.h"
#include "link/tunnel_headers.h"
#include "report/names.h"
#include "rules/catalog.h"
#include "rules/engine.h"
#include "scenario/scenario.h"
#include "support/trace.h"
#include "wire/writer.h"

namespace {

using namespace steertag;
using support::Trace;
using support::TraceFrame;

// A finding as it can be found again after the capture was changed.
using Key = std::tuple<std::string_view, uint32_t>;  // rule, XID

class Findings final : public rules::Listener, public Observer {
 public:
  Findings(bool skewed, rules::Profile profile) : engine_(*this, settings(skewed, profile)) {}
  void on(const Event& event) override { engine_.on(event); }
  void on_finding(const rules::Finding& f) override {
    if (f.severity == rules::Severity::note || f.rule->id == "NET-01") {
      return;
    }
    Kept& kept = found[{f.rule->id, f.xid.value_or(0)}];
    if (kept.times++ == 0 || f.certainty > kept.certainty) {
      kept.certainty = f.certainty;
      kept.text = fmt::format("frame {}: {} ({}): {} [{}]", f.at.number, report::name(f.severity),
                              report::name(f.certainty), f.text, f.rule->id);
    }
  }
  void finish() { engine_.finish(); }

  struct Kept {
    rules::Certainty certainty{};
    uint32_t times = 0;
    std::string text;
  };
  std::map<Key, Kept> found;

 private:
  static rules::Settings settings(bool skewed, rules::Profile profile) {
    rules::Settings settings;
    settings.profile = profile;
    settings.skewed = skewed;
    return settings;
  }
  rules::Engine engine_;
};

struct Subject {
  std::string name;
  Trace trace;
  bool iwarp = false;
  rules::Profile profile = rules::Profile::deployed;
};

void add_scenario(const std::string& path, std::vector<Subject>& subjects) {
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  for (const auto fabric : {scenario::Fabric::roce2, scenario::Fabric::iwarp}) {
    const auto made = scenario::compile(text, {fabric, {}});
    const auto* synthetic = std::get_if<scenario::Trace>(&made);
    if (synthetic == nullptr) {
      continue;
    }
    Subject& subject = subjects.emplace_back();
    subject.iwarp = fabric == scenario::Fabric::iwarp;
    subject.name = path + (subject.iwarp ? " over iwarp" : " over roce2");
    subject.profile = path.find("/rfc5666/") != std::string::npos ? rules::Profile::rfc5666 : subject.profile;
    subject.trace.link_type = synthetic->link_type;
    for (const scenario::SynthFrame& frame : synthetic->frames) {
      std::vector<TraceFrame>& frames = subject.trace.frames;
      frames.push_back(
          {{.number = frames.size() + 1, .time_ns = frame.time_ns}, frame.bytes, frame.original_length});
    }
  }
}

std::map<Key, Findings::Kept> audit(const Trace& trace, rules::Profile profile, bool skewed = false) {
  Findings findings(skewed, profile);
  Options options;
  options.for_rules = true;
  options.payload_limit = 64 << 10;
  support::feed_all(findings, trace, options);
  findings.finish();
  return findings.found;
}

struct Mutation {
  std::string name;
  Trace trace;
  bool skewed = false;
};

// The frame with Ethernet, IPv4, UDP and VXLAN around it; as it is where it is no Ethernet frame.
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

constexpr int kKinds = 15;
// The second of two misfortunes at once is none of this kind: of a Call and its ACK that are both missing
// just before the end nothing tells, and a Reply without its Call is then said to be likely a mistake.
constexpr int kEndsEarly = 1;
// Nor is it this after a merge: the end of the shorter of two captures may be in the hole.
constexpr int kOffForAWhile = 9;
constexpr int kMerged = kKinds - 1;

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
    case 7: {  // two files, merged by time; numbers start anew
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
    case 8: {  // the setup and what follows it, full of holes
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
    case kOffForAWhile: {  // the capture was off for a while; at its very end nothing would tell
      const size_t until = pick(n > 16 ? n - 16 : 1) + 1;
      const size_t at = until - std::min(until, 2 + pick(40));
      m.name = fmt::format("without {} to {}", whole.frames[at].at.number, whole.frames[until - 1].at.number);
      frames.assign(whole.frames.begin(), from(at));
      frames.insert(frames.end(), from(until), whole.frames.end());
      break;
    }
    case 10: {  // a tap for each direction, the clock of one ahead
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

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 2 ? std::atoi(argv[1]) : 0;
  if (rounds <= 0) {
    fmt::print("usage: metamorphic ROUNDS CAPTURE...\n");
    return 2;
  }
  std::vector<Subject> subjects;
  for (int i = 2; i < argc; ++i) {
    const std::string path = argv[i];
    if (path.ends_with(".txt")) {
      add_scenario(path, subjects);
    } else {
      subjects.push_back({path, support::load(path), path.find("iwarp") != std::string::npos});
    }
  }
  uint64_t done = 0;
  uint64_t bad = 0;
  std::array<uint64_t, kKinds> by_kind{};
  for (size_t i = 0; i < subjects.size(); ++i) {
    const Subject& subject = subjects[i];
    const Trace& whole = subject.trace;
    if (whole.frames.size() < 2) {
      continue;
    }
    // Merging is a matter of captures whose hosts and QPs differ: RoCE with iWARP.
    const Trace* other = nullptr;
    for (const Subject& one : subjects) {
      other = other == nullptr && one.iwarp != subject.iwarp ? &one.trace : other;
    }
    const auto before = audit(whole, subject.profile);
    const auto of_other = other != nullptr ? audit(*other, subject.profile) : before;
    std::mt19937 random(static_cast<uint32_t>(i) + 1);
    for (int round = 0; round < rounds; ++round) {
      const int kind = round % kKinds;
      Mutation m = mutate(whole, other != nullptr ? *other : Trace{}, kind, random);
      if (round / kKinds % 2 == 1 && kind != kEndsEarly && m.trace.frames.size() > 1) {
        const std::string first = m.name;
        const int second = static_cast<int>(random() % kMerged);
        const bool hidden = second == kEndsEarly || (second == kOffForAWhile && kind == kMerged);
        m = mutate(m.trace, {}, hidden ? second + 1 : second, random);
        m.name = first + ", " + m.name;
      }
      ++done;
      for (const auto& appeared : audit(m.trace, subject.profile, m.skewed)) {
        const Key& key = appeared.first;
        const Findings::Kept& kept = appeared.second;
        const auto known = [&](const auto& findings) {
          const auto same = findings.find(key);
          return same != findings.end() && same->second.certainty >= kept.certainty;
        };
        if (kept.certainty == rules::Certainty::possible || known(before) ||
            (kind == kMerged && known(of_other))) {
          continue;
        }
        ++bad;
        if (++by_kind[static_cast<size_t>(kind)] <= 10) {
          fmt::print("{}, {}: appears: {}\n", subject.name, m.name, kept.text);
        }
      }
    }
  }
  fmt::print("{} mutations of {} captures: {} findings appeared\n", done, subjects.size(), bad);
  return bad == 0 && done != 0 ? 0 : 1;
}
