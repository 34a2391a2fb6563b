// Frames that whoever captured says were lost: nobody is accused for what was in them.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rules/audit.h"
#include "rules/catalog.h"
#include "support/compiled.h"
#include "support/trace.h"

using namespace steertag;
using namespace steertag::rules;
using scenario::Fabric;

namespace {

struct Sure final : Listener {
  void on_finding(const Finding& finding) override {
    const bool of_loss = finding.rule->id == "NET-01";  // which says no more than that something is missing
    if (finding.severity != Severity::note && finding.certainty != Certainty::possible && !of_loss) {
      rules.emplace_back(finding.rule->id);
    }
  }
  std::vector<std::string> rules;
};

const std::string kClean =
    "client> connect\n"
    "client> call nfs3 READ write(@d 4096 4096)\nserver> write @d.1\nserver> write @d.2\nserver> reply\n"
    "client> call nfs3 WRITE read(@w 4096)\nserver> read @w\nserver> reply\n"
    "client> call nfs3 GETATTR\nserver> reply\nclient> disconnect\n";

// Without the frames in [from, to), whose number whatever comes next says.
Counters feed_without(Audit& audit, const support::Trace& trace, size_t from, size_t to) {
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    const support::TraceFrame& frame = trace.frames[i];
    if (i < from || i >= to) {
      const bool next = i == to && from != to;
      audit.feed(Frame{.at = frame.at,
                       .link_type = trace.link_type,
                       .bytes = frame.bytes,
                       .original_length = frame.original_length,
                       .dropped = next ? static_cast<uint32_t>(to - from) : 0});
    }
  }
  if (to == trace.frames.size()) {
    audit.note_dropped(to - from);
  }
  audit.finish();
  return audit.counters();
}

const Tally& tally_of(const Audit& audit, std::string_view id) {
  size_t i = 0;
  while (catalog()[i]->id != id) {
    ++i;
  }
  return audit.tallies()[i];
}

}  // namespace

TEST_CASE("drops: of correct traffic nothing is found for sure, whatever was lost") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const support::Trace trace = support::compiled(kClean, fabric);
    for (const size_t lost : {1, 2, 5}) {
      for (size_t from = 0; from + lost <= trace.frames.size(); ++from) {
        Sure sure;
        Options options;
        options.settle_ns = 0;
        Audit audit(sure, options);
        CHECK(feed_without(audit, trace, from, from + lost).dropped == lost);
        INFO("frames " << from + 1 << " to " << from + lost);
        CHECK(sure.rules == std::vector<std::string>());
      }
    }
  }
}

TEST_CASE("drops: a Reply that may have been lost is not missed") {
  const std::string text =
      "client> connect\nclient> call nfs3 GETATTR\nserver> reply\n"
      "client> call rpc(100012 1 1) read(@data pos=40 4096)\nserver> read @data\n"
      "wait 40s\nclient> call xid=0x60 nfs3 GETATTR\nserver> reply xid=0x60\n";
  const support::Trace trace = support::compiled(text, Fabric::roce2);
  const auto judged = [&](uint32_t lost_before_last) {
    Sure sure;
    Audit audit(sure, {});
    for (const support::TraceFrame& frame : trace.frames) {
      audit.feed(Frame{.at = frame.at,
                       .link_type = trace.link_type,
                       .bytes = frame.bytes,
                       .original_length = frame.original_length,
                       .dropped = &frame == &trace.frames.back() ? lost_before_last : 0});
    }
    audit.finish();
    return tally_of(audit, "INV-12");
  };
  CHECK(judged(0).broken == 1);
  CHECK(judged(1).broken == 0);
  CHECK(judged(1).undecided == 1);
}

TEST_CASE("drops: a connection that begins behind them is judged as ever") {
  const std::string text =
      "client> connect\nclient> call nfs3 READ write(@d 4096)\nserver> reply write(4096)\n"
      "client> call nfs3 GETATTR\nserver> reply\n";
  const support::Trace trace = support::compiled(text, Fabric::roce2);
  const auto found = [&](bool at_first) {
    Sure sure;
    Audit audit(sure, {});
    for (const support::TraceFrame& frame : trace.frames) {
      const bool here = &frame == (at_first ? &trace.frames.front() : &trace.frames.back());
      audit.feed(Frame{.at = frame.at,
                       .link_type = trace.link_type,
                       .bytes = frame.bytes,
                       .original_length = frame.original_length,
                       .dropped = here ? 7U : 0U});
    }
    audit.finish();
    return sure.rules;
  };
  CHECK(found(true) == std::vector<std::string>{"MEM-09"});
}
