// An Analyzer with the rules behind it: who hears what, and what is counted.
#include "rules/audit.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rules/made.h"
#include "support/compiled.h"

using namespace steertag;
using namespace steertag::rules;
using scenario::Fabric;

namespace {

const std::string kMisaligned =
    "client> connect\n"
    "client> call nfs3 GETATTR\nserver> reply\n"
    "client> call nfs3 WRITE read(pos=90 4096)\n"
    "client> call nfs3 GETATTR\nserver> reply\n"
    "client> disconnect\n";

// What is heard of each Call, each finding and each end of a connection, in order.
class Order final : public Observer, public Listener {
 public:
  std::string said;
  void on(const Event& event) override {
    if (const auto* seen = std::get_if<MessageSeen>(&event)) {
      said += seen->message.direction == flow::Direction::call ? "call " : "";
    } else if (std::holds_alternative<ConnectionClosed>(event)) {
      said += "closed ";
    }
  }
  void on_finding(const Finding& finding) override { said += std::string(finding.rule->id) + " "; }
  void on_judged(const track::Connection&) override { said += "judged "; }
};

Tally tally(const Audit& audit, std::string_view id) {
  const auto all = catalog();
  const auto found = std::find(all.begin(), all.end(), &rule(id));
  return audit.tallies()[static_cast<size_t>(found - all.begin())];
}

}  // namespace

TEST_CASE("audit: each event is heard before what the rules find in it") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    Order order;
    Settings settings;
    settings.wants = [](const Rule& one) { return one.id == "CHK-02"; };
    Audit audit(order, order, {}, settings);
    support::feed_to_end(audit, support::compiled(kMisaligned, fabric));
    CHECK(order.said == "call call CHK-02 call closed judged ");
  }
}

TEST_CASE("audit: tallies are those of the rules that are wanted, and can be added") {
  Heard heard;
  Settings settings;
  settings.wants = [](const Rule& one) { return one.id != "HDR-01"; };
  Audit audit(heard, {}, settings);
  support::feed_to_end(audit, support::compiled(kMisaligned, Fabric::roce2));
  CHECK(tally(audit, "CHK-02").broken == 1);
  CHECK(tally(audit, "HDR-01").checked() == 0);
  CHECK(audit.counters().messages == 5);

  Tally sum = tally(audit, "CHK-02");
  sum.lacks[0] = 1;
  Tally more;
  more.kept = 2;
  more.undecided = 1;
  more.lacks[0] = 3;
  sum.add(more);
  CHECK(sum.broken == 1);
  CHECK(sum.kept == tally(audit, "CHK-02").kept + 2);
  CHECK(sum.lacks[0] == 4);
}

TEST_CASE("audit: of many violations of one rule by one message the first are reported, the rest counted") {
  std::string reads;
  for (int i = 0; i < 40; ++i) {
    reads += " read(pos=" + std::to_string(90 + 4 * i) + " 4)";
  }
  Heard heard;
  Settings settings;
  settings.wants = [](const Rule& one) { return one.id == "CHK-02"; };
  Audit audit(heard, {}, settings);
  support::feed_to_end(
      audit, support::compiled("client> connect\nclient> call nfs3 WRITE" + reads + "\n", Fabric::roce2));
  REQUIRE(heard.texts.size() == 16);
  CHECK(heard.texts[14].find("more like it") == std::string::npos);
  CHECK(heard.texts[15].find("; and 24 more like it") != std::string::npos);
  CHECK(tally(audit, "CHK-02").broken == 1);
}

TEST_CASE("audit: one patience, that of the options") {
  // A Call that no Reply is due for, and ten seconds later the end of the capture.
  const std::string text =
      "client> connect\nclient> call nfs3 GETATTR\nserver> reply\n"
      "client> call rpc(100012 1 1) read(@data pos=40 4096)\nserver> read @data\n"
      "wait 10s\nclient> call xid=0x60 nfs3 GETATTR\nserver> reply xid=0x60\n";
  const auto verdicts = [&](int64_t settle_ns) {
    Heard heard;
    Options options;
    options.settle_ns = settle_ns;
    Audit audit(heard, options);
    support::feed_to_end(audit, support::compiled(text, Fabric::roce2));
    return tally(audit, "INV-12");
  };
  const Tally hasty = verdicts(5'000'000'000), patient = verdicts(30'000'000'000);
  CHECK(hasty.broken == 1);
  CHECK(patient.broken == 0);
  CHECK(patient.undecided == 1);
}
