// Plants one fault at a time into real captures: a word of a transport header or
// of a segment, the handle of a Send With Invalidate, the key, address or length
// of an RDMA operation. The audit must then report a rule that is about that word.
//
//   planted MESSAGES CAPTURE...    messages and operations that are tried of each capture
//   planted MESSAGES SCENARIO...   the same of scenarios (.txt), over both fabrics; by RFC 5666 in a folder
//                                  of that name
//   planted MESSAGES vxlan CAPTURE...   of captures in a tunnel, everything in them twice
//
// Prints, for each kind of fault, how often it was planted and found, and which
// rules found it; exits with 1 where less than 95 of 100 were found.

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer.h"
#include "rules/audit.h"
#include "rules/catalog.h"
#include "rules/mutation.h"
#include "support/scenario_trace.h"
#include "support/trace.h"

namespace {

using namespace steertag;
using support::Trace;

struct Plant {
  std::string name;
  size_t frame = 0;   // index into the trace
  size_t offset = 0;  // of a 32-bit word, in the frame
  uint32_t value = 0;
  std::vector<std::string_view> expected;  // rules or families, any of which finds it
};

// Rule and XID of what was found, errors and warnings that are at least likely.
using Found = std::map<std::pair<std::string_view, uint32_t>, uint32_t>;

class Findings final : public rules::Listener {
 public:
  void on_finding(const rules::Finding& f) override {
    if (f.severity != rules::Severity::note) {
      ++found[{f.rule->id, f.xid.value_or(0)}];
    }
  }
  Found found;
};

Options options() {
  Options options;
  options.for_rules = true;
  options.payload_limit = 64 << 10;
  return options;
}

struct Subject {
  std::string name;
  Trace trace;
  rules::Profile profile = rules::Profile::deployed;
};

Found audit(const Subject& subject) {
  Findings findings;
  rules::Settings settings;
  settings.profile = subject.profile;
  rules::Audit audit(findings, {}, std::move(settings));
  support::feed_to_end(audit, subject.trace);
  return findings.found;
}

// Walks a capture and makes the plants.
class Planter final : public Observer {
 public:
  Planter(const Trace& trace, size_t most) : trace_(trace), most_(most) {}

  void on(const Event& event) override {
    if (const auto* seen = std::get_if<MessageSeen>(&event)) {
      message(seen->message);
    } else if (const auto* access = std::get_if<AccessSeen>(&event)) {
      operation(access->access);
    }
  }

  std::vector<Plant> plants;
  size_t current = 0;  // frame that is fed

 private:
  std::optional<size_t> place(Bytes bytes) const {
    const std::vector<uint8_t>& frame = trace_.frames[current].bytes;
    if (bytes.data() < frame.data() || bytes.data() >= frame.data() + frame.size()) {
      return std::nullopt;  // reassembled from several frames
    }
    return static_cast<size_t>(bytes.data() - frame.data());
  }

  uint32_t word(size_t offset) const {
    const std::vector<uint8_t>& f = trace_.frames[current].bytes;
    return uint32_t{f[offset]} << 24 | uint32_t{f[offset + 1]} << 16 | uint32_t{f[offset + 2]} << 8 |
           f[offset + 3];
  }

  void plant(std::string name, size_t offset, uint32_t value, std::vector<std::string_view> expected) {
    if (offset + 4 <= trace_.frames[current].bytes.size() && word(offset) != value) {
      plants.push_back({std::move(name), current, offset, value, std::move(expected)});
    }
  }

  void message(const flow::Message& m) {
    const std::optional<size_t> at = place(m.bytes);
    const bool call = m.direction == flow::Direction::call;
    const bool reply = m.direction == flow::Direction::reply && !m.header->is_error();
    if (at && m.header->is(rpcrdma::v2::Proc::optional) && conveys_rpc(m) && tried_[4]++ < most_) {
      conveyed(*at, call);
      return;
    }
    if (at && m.header->is(rpcrdma::v1::Proc::done)) {
      plant("RDMA_DONE rdma_xid", *at, m.header->xid ^ 0x100, {"PRC-03"});
      return;
    }
    if (!at || m.decoded.stop || m.header->version != 1 || (!call && !reply) || !m.standing->known ||
        (reply && m.standing->open == nullptr) || tried_[call ? 0 : 1]++ >= most_) {
      return;
    }
    const std::string who = call ? "Call " : "Reply ";
    in_fixed_words(m, *at, who);
    in_read_list(m, *at, who);
    in_write_list(m, *at, call);
    in_reply_chunk(m, *at, call);
    if (m.send_invalidate) {
      const bool iwarp = m.connection->transport == rdma::Transport::iwarp;
      const size_t handle = *at - (iwarp ? 16 : 4);
      if (word(handle) == m.invalidated) {
        plant("invalidated handle", handle, m.invalidated ^ 0x5a00, {"INV-08"});
      }
    }
  }

  // `h`: where the header begins in the frame.
  void in_fixed_words(const flow::Message& m, size_t h, const std::string& who) {
    if (m.header->is_msg()) {
      plant(who + "rdma_xid", h, m.header->xid ^ 0x100, {"XID-01"});
      plant(who + "xid of the RPC", h + m.decoded.header_length, m.header->xid ^ 0x100, {"XID-01"});
      plant(who + "mtype = 9", h + m.decoded.header_length + 4, 9, {"PAY-02"});
      plant(who + "rdma_proc = NOMSG", h + 12, 1, {"PAY-03", "PAY-04", "PAY-05"});
    }
    plant(who + "rdma_vers = 3", h + 4, 3, {"VER-01"});
    plant(who + "rdma_vers = 2", h + 4, 2, {"HDR", "VER", "PAY", "XID", "DIR", "INV"});
    plant(who + "rdma_credit = 0", h + 8, 0, {"CRD"});
    plant(who + "rdma_proc = MSGP", h + 12, 2, {"PRC-02", "HDR", "PAY"});
    plant(who + "rdma_proc = DONE", h + 12, 3, {"PRC-03"});
    plant(who + "rdma_proc = 9", h + 12, 9, {"PRC-01"});
    plant(who + "first discriminator = 2", h + 16, 2, {"HDR-03"});
  }

  void in_read_list(const flow::Message& m, size_t h, const std::string& who) {
    for (const rpcrdma::ReadSegment& s : m.header->chunks.reads) {
      plant(who + "Position off by 2", h + s.at.offset, s.position + 2, {"CHK-02"});
      if (s.position != 0) {
        plant(who + "Position off by 4", h + s.at.offset, s.position + 4, {"CHK-03", "DDP-02", "CHK-13"});
      }
      plant(who + "Read segment handle", h + s.target.at.offset, s.target.handle ^ 0x5a00, {"MEM-02"});
      plant(who + "Read segment length", h + s.target.at.offset + 4, s.target.length / 2,
            {"MEM-05", "CHK-13", "PAY-07"});
      plant(who + "Read segment offset", h + s.target.at.offset + 8, 0x7fff0000, {"MEM-05"});
    }
  }

  void in_write_list(const flow::Message& m, size_t h, bool call) {
    const std::string who = call ? "Call " : "Reply ";
    for (const rpcrdma::WriteChunk& c : m.header->chunks.writes) {
      plant(who + "segment count = 4096", h + c.at.offset, 4096, {"HDR-05"});
      for (const rpcrdma::Segment& s : c.target) {
        plant(who + "Write segment handle", h + s.at.offset, s.handle ^ 0x5a00, {"MEM-01", "CHK-07"});
        plant(who + "Write segment offset", h + s.at.offset + 8, 0x7fff0000, {"MEM-05", "CHK-07"});
        if (!call && s.length != 0) {
          plant("Reply Write segment length + 4", h + s.at.offset + 4, s.length + 4,
                {"CHK-08", "MEM-09", "CHK-12"});
        } else if (call) {
          plant("Call Write segment length = 4", h + s.at.offset + 4, 4, {"MEM-05", "CHK-08"});
        }
      }
    }
  }

  void in_reply_chunk(const flow::Message& m, size_t h, bool call) {
    const std::string who = call ? "Call " : "Reply ";
    for (const rpcrdma::WriteChunk& c : m.header->chunks.reply) {
      for (const rpcrdma::Segment& s : c.target) {
        plant(who + "Reply chunk handle", h + s.at.offset, s.handle ^ 0x5a00, {"MEM-01", "CHK-10"});
        plant(who + "Reply chunk offset", h + s.at.offset + 8, 0x7fff0000, {"MEM-05", "CHK-10"});
        if (!call && s.length != 0) {
          plant("Reply Reply chunk length + 4", h + s.at.offset + 4, s.length + 4,
                {"MEM-09", "PAY-07", "CHK-08"});
        }
      }
    }
  }

  // An RPC message that an RDMA2_OPTIONAL conveys: what follows the fixed words is the extension's own
  // affair.
  void conveyed(size_t h, bool call) {
    const std::string who = call ? "Call by extension " : "Reply by extension ";
    plant(who + "rdma_vers = 3", h + 4, 3, {"VER-01"});
    plant(who + "rdma_vers = 1", h + 4, 1, {"PRC-01", "VER", "HDR"});
    plant(who + "rdma_credit = 0", h + 8, 0, {"CRD"});
    plant(who + "rdma_proc = 9", h + 12, 9, {"PRC-01"});
    plant(who + "rdma_optdir", h + 16, call ? 1 : 0, {"DIR-02"});
  }

  // Where the words are in the frame: RETH, or the tagged header of DDP, or a Read Request's source.
  void operation(const flow::Access& a) {
    if (a.verdict != flow::Verdict::fine || !a.op->first || tried_[a.reading ? 2 : 3]++ >= most_) {
      return;
    }
    const std::vector<uint8_t>& f = trace_.frames[current].bytes;
    const rdma::Memory& m = a.op->memory;
    const bool iwarp = a.connection->transport == rdma::Transport::iwarp;
    const auto high = static_cast<uint32_t>(m.offset >> 32);
    const auto low = static_cast<uint32_t>(m.offset);
    for (size_t i = 14; i + 16 <= f.size(); ++i) {
      const std::string what = a.reading ? "Read Request " : "RDMA Write ";
      if (!iwarp && word(i) == high && word(i + 4) == low && word(i + 8) == m.handle) {
        plant(what + "key", i + 8, m.handle ^ 0x5a00, {a.reading ? "MEM-02" : "MEM-01"});
        plant(what + "address", i, high ^ 0x40000000, {"MEM-05"});
        plant(what + "length", i + 12, word(i + 12) + 0x100000, {"MEM-05", "NET-09", "NET-10"});
        return;
      }
      if (iwarp && word(i) == m.handle && word(i + 4) == high && word(i + 8) == low) {
        plant(what + "key", i, m.handle ^ 0x5a00, {a.reading ? "MEM-02" : "MEM-01"});
        plant(what + "address", i + 4, high ^ 0x40000000, {"MEM-05", "NET-09"});
        if (a.reading) {
          plant(what + "length", i - 4, m.length + 0x100000, {"MEM-05", "NET-10"});
        }
        return;
      }
    }
  }

  const Trace& trace_;
  size_t most_;
  size_t tried_[5] = {};
};

// As two ports of a mirror show it, in a tunnel; each copy follows at once.
Trace mirrored(const Trace& bare) {
  Trace trace;
  trace.link_type = bare.link_type;
  for (const support::TraceFrame& frame : bare.frames) {
    for (const uint8_t network : {1, 2}) {
      trace.frames.push_back(test::in_vxlan(frame, bare.link_type, network));
      trace.frames.back().at.number = trace.frames.size();
    }
  }
  return trace;
}

std::vector<Subject> subjects_of(const std::vector<std::string>& words) {
  std::vector<Subject> subjects;
  bool tunnel = false;
  for (const std::string& word : words) {
    if (word == "vxlan") {
      tunnel = true;
    } else if (!word.ends_with(".txt")) {
      const Trace bare = support::load(word);
      subjects.push_back({word, tunnel ? mirrored(bare) : bare});
    } else {
      std::ifstream in(word);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      const auto profile =
          word.find("/rfc5666/") != std::string::npos ? rules::Profile::rfc5666 : rules::Profile::deployed;
      for (const auto fabric : support::kFabrics) {
        if (auto trace = support::scenario_trace(text, fabric)) {
          subjects.push_back({word, std::move(*trace), profile});
        }
      }
    }
  }
  return subjects;
}

struct Score {
  uint64_t planted = 0, found = 0;
  std::map<std::string_view, uint64_t> by;
  std::vector<std::string> missed;
};

std::vector<Plant> plants_of(const Trace& trace, int most) {
  Planter planter(trace, static_cast<size_t>(most));
  Analyzer analyzer(planter, options());
  for (planter.current = 0; planter.current < trace.frames.size(); ++planter.current) {
    support::feed(analyzer, trace, trace.frames[planter.current]);
  }
  return std::move(planter.plants);
}

// What is found in the subject with the fault in it.
Found audit_with(const Plant& plant, Subject& subject) {
  uint8_t* word = subject.trace.frames[plant.frame].bytes.data() + plant.offset;
  const uint8_t saved[4] = {word[0], word[1], word[2], word[3]};
  for (size_t byte = 0; byte < 4; ++byte) {
    word[byte] = static_cast<uint8_t>(plant.value >> (24 - 8 * byte));
  }
  Found found = audit(subject);
  std::copy_n(saved, 4, word);
  return found;
}

void count(const Plant& plant, const Subject& subject, const Found& before, const Found& after,
           Score& score) {
  ++score.planted;
  bool hit = false;
  std::string others;
  for (const auto& [key, times] : after) {
    const auto same = before.find(key);
    if (same == before.end()) {
      others += fmt::format(" {}", key.first);
    } else if (same->second >= times) {
      continue;
    }
    const std::string_view found = key.first;
    if (std::any_of(plant.expected.begin(), plant.expected.end(),
                    [&](std::string_view rule) { return found.starts_with(rule); })) {
      hit = true;
      ++score.by[found];
    }
  }
  score.found += hit ? 1 : 0;
  if (!hit && score.missed.size() < 3) {
    score.missed.push_back(fmt::format("{} frame {} offset {}:{}", subject.name,
                                       subject.trace.frames[plant.frame].at.number, plant.offset,
                                       others.empty() ? " nothing" : others));
  }
}

// The share of the planted faults that were found, per cent.
double print(const std::map<std::string, Score>& scores) {
  uint64_t planted = 0;
  uint64_t found = 0;
  fmt::print("{:<34}{:>8}{:>8}  found by\n", "fault", "planted", "found");
  for (const auto& [name, score] : scores) {
    std::string by;
    for (const auto& [rule, times] : score.by) {
      by += fmt::format("{}{} {}", by.empty() ? "" : ", ", rule, times);
    }
    fmt::print("{:<34}{:>8}{:>8}  {}\n", name, score.planted, score.found, by);
    planted += score.planted;
    found += score.found;
  }
  for (const auto& [name, score] : scores) {
    for (const std::string& missed : score.missed) {
      fmt::print("missed: {}: {}\n", name, missed);
    }
  }
  const double share = planted == 0 ? 0 : 100.0 * static_cast<double>(found) / static_cast<double>(planted);
  fmt::print("{} of {} planted faults found: {:.1f}%\n", found, planted, share);
  return share;
}

}  // namespace

int main(int argc, char** argv) {
  const int most = argc > 2 ? std::atoi(argv[1]) : 0;
  if (most <= 0) {
    fmt::print("usage: planted MESSAGES [vxlan] CAPTURE|SCENARIO.txt...\n");
    return 2;
  }
  std::map<std::string, Score> scores;
  for (Subject& subject : subjects_of({argv + 2, argv + argc})) {
    const std::vector<Plant> plants = plants_of(subject.trace, most);
    const Found before = audit(subject);
    for (const Plant& plant : plants) {
      count(plant, subject, before, audit_with(plant, subject), scores[plant.name]);
    }
  }
  return print(scores) >= 95 ? 0 : 1;
}
