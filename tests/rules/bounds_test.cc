// The bounds of what rules keep: what is said one below, at and above, and that nothing is lost without
// a word.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rules/audit.h"
#include "rules/docket.h"
#include "rules/ending.h"
#include "rules/made.h"
#include "rules/report.h"
#include "rules/shortlists.h"
#include "support/compiled.h"

using namespace steertag;
using namespace steertag::rules;

namespace {

Outcome never_asked(const flow::Message&, Report&) {
  return Outcome::not_applicable;
}

// What is found in a Call with so many Read segments at a wrong Position.
Heard misaligned(size_t segments) {
  std::string reads;
  for (size_t i = 0; i < segments; ++i) {
    reads += " read(pos=" + std::to_string(90 + 4 * i) + " 4)";
  }
  Heard heard;
  Settings settings;
  settings.wants = [](const Rule& one) { return one.id == "CHK-02"; };
  Audit audit(heard, {}, settings);
  support::feed_to_end(audit, support::compiled("client> connect\nclient> call nfs3 WRITE" + reads + "\n",
                                                scenario::Fabric::roce2));
  return heard;
}

}  // namespace

TEST_CASE("bounds: findings by one rule about one fact") {
  for (const size_t count : {Report::kMostAlike - 1, Report::kMostAlike, Report::kMostAlike + 1}) {
    const std::vector<std::string> texts = misaligned(count).texts;
    REQUIRE(texts.size() == std::min(count, Report::kMostAlike));
    for (size_t i = 0; i + 1 < texts.size(); ++i) {
      CHECK(texts[i].find("more like it") == std::string::npos);
    }
    CHECK(texts.back().ends_with("; and 1 more like it") == (count > Report::kMostAlike));
  }
}

TEST_CASE("bounds: sorts of facts that the rules to be asked are listed for") {
  for (const size_t sorts : {Shortlists<CheckMessage>::kMostLists - 1, Shortlists<CheckMessage>::kMostLists,
                             Shortlists<CheckMessage>::kMostLists + 1}) {
    std::vector<Tally> tallies(1);
    Shortlists<CheckMessage> lists(tallies);
    Rule silent;
    lists.enter(never_asked, silent, 0, ~Kinds{0}, plain::kept);
    for (int round = 0; round < 2; ++round) {
      for (size_t sort = 0; sort < sorts; ++sort) {
        const auto kind = static_cast<uint8_t>(sort / 256);
        lists.next({.kind = kind, .traits = plain::plain, .unmet = static_cast<uint8_t>(sort)});
      }
    }
    lists.count();
    CHECK(tallies[0].checked() == 2 * sorts);
  }
}

TEST_CASE("bounds: findings held back that others may refer to") {
  for (const size_t count : {Docket::kMaxRecalled - 1, Docket::kMaxRecalled, Docket::kMaxRecalled + 1}) {
    Heard heard;
    Docket docket{heard, {}};
    track::Connection connection;
    for (uint64_t frame = 1; frame <= count; ++frame) {
      docket.add(made(connection, rule("CHK-02"), frame), true);
      docket.settle();
    }
    const auto recalls = [&](uint64_t frame) {
      return docket.newest(connection, [=](const Finding& one) { return one.at.number == frame; }) != nullptr;
    };
    CHECK(recalls(1) == (count <= Docket::kMaxRecalled));
    CHECK(recalls(2));
    CHECK(recalls(count));
    // They are reported all the same.
    docket.on_heard(connection, rdma::Side::a);
    docket.on_heard(connection, rdma::Side::b);
    CHECK(heard.findings.size() == count);
    docket.finish();
  }
}

TEST_CASE("bounds: Calls without a Reply, and results left to be read, that are listed") {
  for (const size_t count : {Ending::kMaxListed - 1, Ending::kMaxListed, Ending::kMaxListed + 1}) {
    Ending ending;
    for (uint32_t xid = 1; xid <= count; ++xid) {
      flow::Exchange unanswered;
      unanswered.xid = xid;
      unanswered.call = Stamp{.number = xid};
      unanswered.complete = true;
      ending.add(unanswered);
    }
    CHECK(ending.unanswered.size() == std::min(count, Ending::kMaxListed));
    CHECK(ending.unanswered.front().xid == 1);
    CHECK(ending.unanswered_count == count);

    base::Budget budget;
    flow::TrafficPool pool(budget);
    flow::Traffic read;
    read.frames.push_back({.number = 9});
    flow::Exchange left;
    left.call = left.reply = Stamp{.number = 1};
    left.reply_message.kept = true;
    left.reply_message.header.chunks.reads.push_back({});
    for (uint32_t handle = 1; handle <= count; ++handle) {
      flow::SegmentFlow& segment = left.segments.add();
      segment.kind = flow::ChunkKind::result;
      segment.target.handle = handle;
      segment.traffic = pool.make(flow::Traffic(read));
    }
    ending.add(left);
    CHECK(ending.results_read.size() == std::min(count, Ending::kMaxListed));
    CHECK(ending.results_read.front().handle == 1);
  }
}
