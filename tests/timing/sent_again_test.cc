// What was sent again is reported with the frame of its first copy.
#include <algorithm>

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

struct HearsLosses final : Observer {
  std::vector<flow::Loss> all;

  void on(const Event& event) override {
    if (const auto* seen = std::get_if<LossSeen>(&event)) {
      all.push_back(seen->loss);
    }
  }
};

constexpr int64_t kMillisecond = 1'000'000;

// Of a plain mount, whose first frame, a REQ or a SYN, comes once more where its time is changed by so much.
std::vector<flow::Loss> losses_of_setup(Fabric fabric, std::vector<int64_t> again_ns) {
  support::LinedTrace lined("client> connect\nclient> call nfs3 NULL\nserver> reply\n", fabric);
  auto& frames = lined.trace.frames;
  for (size_t i = 2; i < frames.size(); ++i) {  // behind the answer
    frames[i].at.time_ns += 500 * kMillisecond;
  }
  for (const int64_t change_ns : again_ns) {
    auto again = frames.front();
    again.at.time_ns += change_ns;
    frames.push_back(again);
  }
  std::stable_sort(frames.begin(), frames.end(),
                   [](const auto& x, const auto& y) { return x.at.time_ns < y.at.time_ns; });
  uint64_t number = 0;
  for (auto& frame : frames) {
    frame.at.number = ++number;
  }
  HearsLosses hears;
  Options options;
  options.for_reports = true;
  feed_all(hears, lined.trace, options);
  return hears.all;
}

}  // namespace

TEST_CASE("a REQ or SYN that was sent again before its connection came up is a loss") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    INFO("fabric " << static_cast<int>(fabric));
    CHECK(losses_of_setup(fabric, {}).empty());
    const std::vector<flow::Loss> losses =
        losses_of_setup(fabric, {-3000 * kMillisecond, -2000 * kMillisecond});
    REQUIRE(losses.size() == 2);
    for (const flow::Loss& loss : losses) {
      CHECK(loss.what == flow::Loss::What::setup);
      CHECK(loss.where == flow::Loss::Where::unknown);
      CHECK(loss.noticed_by == flow::Loss::NoticedBy::timeout);
      CHECK(loss.packets == 1);
      CHECK(loss.resent_packets == 1);
      REQUIRE(loss.sent);
      CHECK(loss.delay_ns() == 3000 * kMillisecond);
    }
    CHECK(losses[0].timer_ns == 1000 * kMillisecond);
    CHECK(losses[1].timer_ns == 2000 * kMillisecond);
    CHECK(losses[0].sent == losses[1].sent);
    CHECK(losses[0].resent->time_ns == losses[0].sent->time_ns + 1000 * kMillisecond);
  }
}

TEST_CASE("a REQ or SYN that was sent again behind its answer may not have been lost") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    INFO("fabric " << static_cast<int>(fabric));
    const std::vector<flow::Loss> losses = losses_of_setup(fabric, {200 * kMillisecond});
    REQUIRE(losses.size() == 1);
    CHECK(losses[0].what == flow::Loss::What::setup);
    CHECK(losses[0].packets == 0);
    CHECK(losses[0].resent->time_ns == losses[0].sent->time_ns + 200 * kMillisecond);
    CHECK_FALSE(losses[0].delay_ns());
  }
}

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
