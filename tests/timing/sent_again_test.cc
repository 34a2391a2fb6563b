// What was sent again is reported with the frame of its first copy.
#include "support/timed.h"

using namespace steertag;
using scenario::Fabric;

namespace {

struct HearsAgain final : Observer {
  std::vector<flow::Disturbance> again;

  void on(const Event& event) override {
    const auto* seen = std::get_if<DisturbanceSeen>(&event);
    if (seen != nullptr && seen->disturbance.kind == flow::Disturbance::Kind::sent_again) {
      again.push_back(seen->disturbance);
    }
  }
};

}  // namespace

TEST_CASE("what is sent again names its first copy") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const support::LinedTrace lined(
        "client> connect\nclient> call nfs3 NULL\nserver> reply\n"
        "client> call nfs3 GETATTR resent(1) delay(again 50ms)\nserver> reply\n",
        fabric);
    HearsAgain hears;
    Options options;
    options.for_reports = true;
    feed_all(hears, lined.trace, options);
    REQUIRE(hears.again.size() == 1);
    REQUIRE(hears.again[0].original);
    // Of line 4 the first frame is the first copy.
    CHECK(hears.again[0].original->time_ns == lined.at(4, 1));
    CHECK(hears.again[0].at.time_ns >= lined.at(4, 1) + 50'000'000);
  }
}
