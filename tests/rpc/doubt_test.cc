// Why an RPC is incomplete: what is missing, and whether that was captured at all.
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "support/compiled.h"

namespace steertag::support {
namespace {

class DoubtEar final : public Observer {
 public:
  std::map<uint32_t, flow::Doubt> doubts;  // by XID
  uint64_t second_call = 0;                // frame

  void on(const Event& event) override {
    if (const auto* done = std::get_if<ExchangeDone>(&event)) {
      doubts[done->exchange.xid] = done->exchange.doubt;
      if (done->exchange.xid == 2 && done->exchange.call) {
        second_call = done->exchange.call->number;
      }
    }
  }
};

}  // namespace

TEST_CASE("a Call that the tap lost was not begun before the capture") {
  const std::string rpcs =
      "client> call xid=1 nfs3 GETATTR\nserver> reply\n"
      "client> call xid=2 nfs3 GETATTR\nserver> reply\n"
      "client> call xid=3 nfs3 GETATTR\nserver> reply\n";
  for (const scenario::Fabric fabric : {scenario::Fabric::roce2, scenario::Fabric::iwarp}) {
    for (const bool setup : {true, false}) {
      INFO(setup);
      Trace trace = compiled((setup ? "client> connect\n" : "") + rpcs, fabric);
      DoubtEar whole, ear;
      feed_all(whole, trace);
      REQUIRE(whole.doubts[2] == flow::Doubt::none);
      std::erase_if(trace.frames,
                    [&](const TraceFrame& frame) { return frame.at.number == whole.second_call; });
      feed_all(ear, trace);
      REQUIRE(ear.doubts.contains(2));
      CHECK(ear.doubts.at(2) == (setup ? flow::Doubt::frames_missing : flow::Doubt::call_missing));
    }
  }
}

}  // namespace steertag::support
