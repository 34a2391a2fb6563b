// What may be told of a capture does not depend on what must not be told (non-interference). A capture is
// sanitized with two keys whose images are any bytes: two captures that differ in their secrets alone, and
// have right checksums. Both are damaged alike, and sanitized with images that are all the same: what is left
// has to be the same, byte for byte. Where it is not, some byte of the result was made of a secret.
//
//   interference [--seed N] --pairs N                of random sessions, and scenarios of the rules' pages
//   interference [--seed N] --mutants N CAPTURE...   so many of each capture, of up to 400 frames of it
//   interference ... --show NUMBER   that pair as the files one.pcap, two.pcap, and their results
//   interference --accusations ...   instead: an audit of what is written of the first of each pair says no
//                                    more than one of the first itself, once what it would is withheld
//
// Exits with 1 where more than one pair in 50,000 was told apart, or anything more was said of any.

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interference/damage.h"
#include "legal/session.h"
#include "link/decoder.h"
#include "link/ip.h"
#include "rules/accusations.h"
#include "rules/catalog.h"
#include "sanitize/rewriter.h"
#include "sanitize/survey.h"
#include "support/mended.h"
#include "support/page.h"
#include "support/scenario_trace.h"
#include "support/trace.h"

namespace {

using namespace steertag;
using interference::Damage;
using legal::Dice;
using sanitize::Key;
using support::Trace;

constexpr size_t kMostShown = 20;
constexpr size_t kMostFrames = 400;
constexpr Key kOne{1, 2, Key::Images::bytes}, kTwo{3, 4, Key::Images::bytes};
constexpr Key kLetters{7, 8};
constexpr Key kAlike{5, 6, Key::Images::constant};

// `earlier`: where there may be cuts next time, too.
Trace sanitized(const Trace& trace, const Key& key, const std::set<uint64_t>& cuts = {},
                std::set<uint64_t>* earlier = nullptr) {
  sanitize::Plan plan(key, 256 << 20);
  sanitize::Survey survey(key, {}, plan);
  support::feed_to_end(survey, trace);
  sanitize::Rewriter rewriter(key, {}, plan, cuts);
  Trace out = trace;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    const support::TraceFrame& frame = trace.frames[i];
    rewriter.rewrite({frame.at, trace.link_type, frame.bytes, frame.original_length}, out.frames[i].bytes);
  }
  if (earlier != nullptr) {
    earlier->insert(rewriter.earlier_cuts().begin(), rewriter.earlier_cuts().end());
  }
  return out;
}

// The bytes of a frame behind these, which are some of it.
Bytes after(Bytes frame, Bytes part) {
  return frame.subspan(static_cast<size_t>(part.data() + part.size() - frame.data()));
}

// What fills up the shortest frames, behind a segment of TCP, becomes zeros, in a tunnel too: with a wrong
// length of IP in front it would be content, and any content may look like something.
void clear_padding(const Trace& original, Trace& trace) {
  link::Decoder decoder;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    const link::Packet packet = decoder.decode(support::frame_of(original, i));
    link::IpHeader ip;
    if (packet.carrier == link::Carrier::tcp && !decoder.assembled() &&
        read_ip({packet.network, packet.network.size()}, ip) == link::Progress::ok) {
      const Bytes behind = after(original.frames[i].bytes, ip.payload.captured);
      std::fill_n(trace.frames[i].bytes.rbegin(), behind.size(), uint8_t{0});
    }
  }
}

struct Asked {
  uint64_t seed = 1;
  bool accusations = false;
  uint64_t pairs = 0, mutants = 0;
  std::optional<uint64_t> show;
  std::vector<std::string> captures;
};

void save(const std::string& path, const Trace& trace) {
  std::ofstream out(path, std::ios::binary);
  const auto word = [&](uint32_t value) {
    out.write(reinterpret_cast<const char*>(&value), sizeof value);  // of this machine
  };
  for (const uint32_t value : {0xA1B23C4Du, 0x00040002u, 0u, 0u, 262144u, trace.link_type}) {
    word(value);
  }
  for (const support::TraceFrame& frame : trace.frames) {
    word(static_cast<uint32_t>(frame.at.time_ns / 1'000'000'000));
    word(static_cast<uint32_t>(frame.at.time_ns % 1'000'000'000));
    word(static_cast<uint32_t>(frame.bytes.size()));
    word(frame.original_length);
    out.write(reinterpret_cast<const char*>(frame.bytes.data()),
              static_cast<std::streamsize>(frame.bytes.size()));
  }
}

class Trial {
 public:
  explicit Trial(const Asked& options) : options_(options) {}

  // Of one capture, damaged in so many ways; `name` says which it is.
  void judge(const std::string& name, const Trace& trace, uint64_t damages, Dice& dice) {
    Trace one = sanitized(trace, kOne), two = sanitized(trace, kTwo);
    clear_padding(trace, one);
    clear_padding(trace, two);
    for (uint64_t i = 0; i < damages; ++i, ++pairs_) {
      Damage damage = i == 0 ? Damage{} : interference::draw(dice, trace);
      if (interference::meets_secret(damage, one, two)) {
        damage = {};  // of two secrets one may become what stays, and the other not
      }
      if (!options_.show || pairs_ == *options_.show) {
        compare(name, damage, one, two);
      }
    }
  }
  int result() const {
    if (options_.accusations) {
      fmt::print(
          "{} captures: an audit would say more of {}, before something is withheld, and of {} after\n",
          pairs_, withheld_ + wrong_, wrong_);
      return wrong_ == 0 ? 0 : 1;
    }
    fmt::print("{} pairs of captures that differ in their secrets alone; {} told apart\n", pairs_, wrong_);
    constexpr uint64_t kByChance = 50000;
    return wrong_ <= pairs_ / kByChance ? 0 : 1;
  }
  uint64_t pairs() const { return pairs_; }

 private:
  // As the command does it: what an audit says more about is withheld from there on.
  void accuse(const std::string& name, const Damage& damage, Trace one) {
    interference::inflict(damage, one);
    rules::Accusations before{Options()};
    support::feed_to_end(before, one);
    Trace result;
    const auto cuts =
        rules::find_cuts(before, {}, [&](std::set<uint64_t>& withheld, rules::Accusations& after) {
          result = sanitized(one, kLetters, std::set(withheld), &withheld);
          for (const support::TraceFrame& frame : result.frames) {
            support::feed(after, result, frame);
          }
          return true;
        });
    if (options_.show) {
      save("one.pcap", one);
      save("one.result.pcap", result);
    }
    if (!cuts) {
      note(name, damage, "an audit says more");
    } else if (!cuts->empty()) {
      ++withheld_;
    }
  }
  void compare(const std::string& name, const Damage& damage, Trace one, Trace two) {
    if (options_.accusations) {
      return accuse(name, damage, std::move(one));
    }
    interference::inflict(damage, one);
    interference::inflict(damage, two);
    const Trace first = sanitized(one, kAlike), second = sanitized(two, kAlike);
    if (options_.show) {
      save("one.pcap", one);
      save("two.pcap", two);
      save("one.result.pcap", first);
      save("two.result.pcap", second);
    }
    for (size_t i = 0; i < first.frames.size(); ++i) {
      const std::vector<uint8_t>&a = first.frames[i].bytes, &b = second.frames[i].bytes;
      if (a == b) {
        continue;
      }
      const auto at = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
      return note(name, damage, fmt::format("frame {} at {}", first.frames[i].at.number, at));
    }
  }

  void note(const std::string& name, const Damage& damage, const std::string& what) {
    if (++wrong_ <= kMostShown) {
      fmt::print("{}: {}, {}: {}\n", pairs_, name, text(damage), what);
    }
  }

  const Asked& options_;
  uint64_t pairs_ = 0, wrong_ = 0, withheld_ = 0;
};

// Sessions and scenarios by turns, over one fabric after the other, each with as many kinds of damage.
void judge_made(const Asked& options, Trial& trial) {
  constexpr uint64_t kDamages = 20;
  std::vector<std::pair<std::string, std::string>> pages;
  for (const rules::Rule* rule : rules::catalog()) {
    for (const support::Block& block : support::blocks_of(rules::page(*rule).rest)) {
      pages.emplace_back(std::string(rule->id), block.text);
    }
  }
  static constexpr const char* settings[] = {
      "",         "version 2\n",          "ipv6\n",       "tunnel vxlan\n", "tunnel gre erspan2\n",
      "vlan 7\n", "tunnel geneve mpls\n", "snaplen 128\n"};
  for (uint64_t number = 0; trial.pairs() < options.pairs; ++number) {
    Dice dice(options.seed * 0x9E3779B97F4A7C15 + number);
    const scenario::Fabric fabric = number % 3 == 0   ? scenario::Fabric::iwarp
                                    : number % 3 == 1 ? scenario::Fabric::roce2
                                                      : scenario::Fabric::roce1;
    std::string name, text;
    if (number % 2 == 0) {
      name = fmt::format("session {}", number);
      text = legal::tell(options.seed, number).text();
      text = text.substr(text.find('\n') + 1);  // its own fabric
    } else {
      const auto& [rule, block] = pages[dice.below(pages.size())];
      name = "page of " + rule;
      text = settings[dice.below(std::size(settings))] + block;
    }
    if (const std::optional<Trace> trace = support::scenario_trace(text, fabric)) {
      trial.judge(name, *trace, kDamages, dice);
    }
  }
}

void judge_captures(const Asked& options, Trial& trial) {
  for (const std::string& path : options.captures) {
    const Trace whole = support::load(path);
    Dice dice(options.seed);
    constexpr uint64_t kDamages = 10;
    for (uint64_t done = 0; done < options.mutants; done += kDamages) {
      Trace part = whole;
      if (whole.frames.size() > kMostFrames) {
        const auto begin =
            done == 0 ? 0 : static_cast<ptrdiff_t>(dice.below(whole.frames.size() - kMostFrames));
        part.frames.assign(whole.frames.begin() + begin,
                           whole.frames.begin() + begin + static_cast<ptrdiff_t>(kMostFrames));
      }
      trial.judge(path, part, std::min(kDamages, options.mutants - done), dice);
    }
  }
}

std::optional<Asked> read(int argc, char** argv) {
  Asked options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--accusations") {
      options.accusations = true;
      continue;
    }
    if (!word.starts_with("--")) {
      options.captures.push_back(word);
      continue;
    }
    if (i + 1 == argc) {
      return std::nullopt;
    }
    const uint64_t value = std::strtoull(argv[++i], nullptr, 10);
    if (word == "--seed") {
      options.seed = value;
    } else if (word == "--pairs") {
      options.pairs = value;
    } else if (word == "--mutants") {
      options.mutants = value;
    } else if (word == "--show") {
      options.show = value;
    } else {
      return std::nullopt;
    }
  }
  const bool captures = !options.captures.empty() && options.mutants != 0;
  return captures != (options.pairs != 0) ? std::optional(options) : std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Asked> options = read(argc, argv);
  if (!options) {
    fmt::print(
        stderr,
        "usage: interference [--seed N] [--show N] [--accusations] --pairs N | --mutants N CAPTURE...\n");
    return 2;
  }
  Trial trial(*options);
  options->captures.empty() ? judge_made(*options, trial) : judge_captures(*options, trial);
  return trial.result();
}
