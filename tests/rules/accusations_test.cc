// Accusations: of frames written anew, what an audit says beyond what it said before.
#include "rules/accusations.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/compiled.h"

using namespace steertag;
using namespace steertag::rules;

namespace {

support::Trace trace_of(const std::string& rpcs) {
  return support::compiled("client> connect\nclient> call nfs3 GETATTR\nserver> reply\n" + rpcs,
                           scenario::Fabric::roce2);
}

// The frames from which on an audit says more of the second than of the first.
std::set<uint64_t> beyond(const support::Trace& first, const support::Trace& second) {
  Accusations before{Options()};
  support::feed_to_end(before, first);
  Accusations after(Options(), &before);
  support::feed_to_end(after, second);
  return after.beyond(Accusations::Which::found);
}

// An audit says more of the second than of the first, and not the other way round.
void check_less(const std::string& less, const std::string& more) {
  const support::Trace first = trace_of(less), second = trace_of(more);
  CHECK(beyond(first, first).empty());
  CHECK(beyond(second, second).empty());
  CHECK(beyond(second, first).empty());
  CHECK_FALSE(beyond(first, second).empty());
}

}  // namespace

TEST_CASE("accusations: a finding where there was none") {
  check_less("", "client> send 05\n");
}

TEST_CASE("accusations: a second violation of the same rule in the same frame") {
  check_less("client> call nfs3 WRITE read(pos=90 4096) read(pos=96 4096)\n",
             "client> call nfs3 WRITE read(pos=90 4096) read(pos=98 4096)\n");
}

TEST_CASE("accusations: a Call that waits for longer, so that more of those who audit find that it hangs") {
  const auto waits = [](const std::string& time) {
    return "client> call xid=7 nfs3 GETATTR\nwait " + time +
           "\nclient> call xid=8 nfs3 GETATTR\nserver> reply xid=8\n";
  };
  check_less(waits("12s"), waits("20s"));
  check_less(waits("1ms"), waits("2ms"));
}

// Of XID-05: the longest patience with which it finds its Call, and with which that likely hangs, in seconds.
std::vector<int64_t> patience(const std::string& rpcs) {
  struct Finds final : Listener {
    void on_finding(const Finding& finding) override {
      constexpr int64_t kSecond = 1'000'000'000;
      if (finding.rule->id == "XID-05") {
        seconds = {finding.patience.found_ns / kSecond, finding.patience.likely_ns / kSecond};
      }
    }
    std::vector<int64_t> seconds;
  } finds;
  Audit audit(finds);
  support::feed_to_end(audit, trace_of(rpcs));
  return finds.seconds;
}

TEST_CASE(
    "accusations: a Call hangs for those who wait for less than it has waited, or its connection was up") {
  using Seconds = std::vector<int64_t>;
  const std::string call = "client> call nfs4 GETATTR";
  const std::string heard = "\nwait 12s\nserver> call cb CB_NULL\n",
                    then = "wait 5s\nserver> call cb CB_NULL noack\n";
  CHECK(patience(call + heard + then) == Seconds{12, 12});
  CHECK(patience(call + " noack" + heard) == Seconds{12, 12});
  CHECK(patience(call + " noack\nwait 12s\nserver> call cb CB_NULL noack\n") == Seconds{12, 0});
}

TEST_CASE("accusations: the same of the other end") {
  const support::Trace first = trace_of("client> send 05\n"), second = trace_of("server> send 05\n");
  CHECK_FALSE(beyond(first, second).empty());
  CHECK_FALSE(beyond(second, first).empty());
}

// Notes are told at any frame of a connection: each is held against those of the same connection.
TEST_CASE("accusations: a note more of one connection is not one of another") {
  const auto both = [](const std::string& version) {
    return support::compiled("connection a qpn=0x21/0x22\na.client> connect pd_version=" + version +
                                 "\na.client> call nfs3 NULL\na.server> reply\n"
                                 "connection b qpn=0x31/0x32\nb.client> connect pd_version=2\n"
                                 "b.client> call nfs3 NULL\nb.server> reply\n",
                             scenario::Fabric::roce2);
  };
  const support::Trace known = both("1"), unknown = both("2");
  CHECK(beyond(unknown, known).empty());
  const std::set<uint64_t> frames = beyond(known, unknown);
  REQUIRE(frames.size() == 1);
  CHECK(*frames.begin() < known.frames.size() / 2);
}

TEST_CASE("accusations: there is room for so many findings as the budget says") {
  const support::Trace trace =
      trace_of("repeat 1500\nclient> call nfs3 WRITE read(pos=90 4096)\nserver> reply\nend\n");
  for (const bool little : {false, true}) {
    Options options;
    options.memory = little ? 256 << 10 : options.memory;
    Accusations accusations(options);
    support::feed_to_end(accusations, trace);
    CHECK(accusations.full() == little);
  }
}
