// Real traffic is correct: no anomalies in any of the captures, nor in what is
// left of them when a capture loses, doubles or shuffles frames, or starts late.
// What is missing then, and how many Reads are outstanding, are no mistakes.
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>
#include <string>
#include <utility>

#include "support/anomalies.h"

namespace steertag::support {
namespace {

using Kind = rdma::Anomaly::Kind;

std::string mistakes(const Trace& trace) {
  AnomalyLog log;
  log.feed(trace);
  std::string out;
  for (const rdma::Anomaly& anomaly : log.anomalies) {
    if (anomaly.kind != Kind::missing && AnomalyLog::is_mistake(anomaly)) {
      out += text(anomaly) + " in frame " + std::to_string(anomaly.at.number) + "\n";
    }
  }
  return out;
}

enum class Harm { losses, heavy_losses, bursts, doubles, swaps, late_start };

Trace harmed(const Trace& whole, Harm harm, uint32_t seed) {
  std::mt19937 random(seed);
  const auto chance = [&](uint32_t percent) { return random() % 100 < percent; };
  Trace trace;
  trace.link_type = whole.link_type;
  bool gone = false;
  for (size_t i = harm == Harm::late_start ? random() % whole.frames.size() : 0; i < whole.frames.size();
       ++i) {
    gone = harm == Harm::bursts && chance(gone ? 10 : 1) ? !gone : gone;
    if (gone || (harm == Harm::losses && chance(2)) || (harm == Harm::heavy_losses && chance(40))) {
      continue;
    }
    trace.frames.push_back(whole.frames[i]);
    if (harm == Harm::doubles && chance(10)) {
      trace.frames.push_back(whole.frames[i]);
    }
    if (harm == Harm::swaps && trace.frames.size() > 1 && chance(10)) {
      std::swap(trace.frames[trace.frames.size() - 1], trace.frames[trace.frames.size() - 2]);
    }
  }
  return trace;
}

}  // namespace

TEST_CASE("anomalies: none in real traffic, whatever the capture lacks of it") {
  size_t captures = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(STEERTAG_ROOT) + "/captures")) {
    const std::filesystem::path path = entry.path() / "capture.pcap";
    if (!std::filesystem::exists(path)) {
      continue;
    }
    ++captures;
    INFO(path);
    const Trace whole = load(path);
    if (entry.path().filename() == "other-iwarp-ucmatose") {
      // Its server speaks first, which RFC 5044 §7.1.2 leaves to the client; siw lets it.
      CHECK_THAT(mistakes(whole), Catch::StartsWith("mpa_early_fpdu b 0/0 in frame "));
      continue;
    }
    CHECK(mistakes(whole).empty());
    for (const Harm harm :
         {Harm::losses, Harm::heavy_losses, Harm::bursts, Harm::doubles, Harm::swaps, Harm::late_start}) {
      for (uint32_t seed = 1; seed <= 4; ++seed) {
        INFO("harm " << static_cast<int>(harm) << ", seed " << seed);
        CHECK(mistakes(harmed(whole, harm, seed)).empty());
      }
    }
  }
  CHECK(captures >= 15);
}

TEST_CASE("anomalies: losses of the network are retransmissions, and none of the capture") {
  for (const char* name : {"roce-loss", "iwarp-loss"}) {
    INFO(name);
    AnomalyLog log;
    log.feed(load(std::string(STEERTAG_ROOT) + "/captures/" + name + "/capture.pcap"));
    CHECK(log.texts().empty());
    CHECK(log.retransmissions > 0);
  }
}

}  // namespace steertag::support
