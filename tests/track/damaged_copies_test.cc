// A packet that is sent again because its copies were damaged: where checksums are not verified, the first of
// them may be damaged as well.
#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <string>

#include "support/compiled.h"

namespace steertag::support {
namespace {

class Anomalies final : public Observer {
 public:
  uint64_t changed = 0;

  void on(const Event& event) override {
    if (const auto* seen = std::get_if<IncidentSeen>(&event)) {
      const rdma::Anomaly* const anomaly = seen->incident.anomaly();
      changed += anomaly != nullptr && anomaly->kind == rdma::Anomaly::Kind::changed_retransmission ? 1 : 0;
    }
  }
};

// The client's last Call is sent so many times with a wrong ICRC, then as it should be.
uint64_t changed_after(unsigned damaged) {
  Trace trace =
      compiled("client> connect\nclient> call nfs3 GETATTR\nserver> reply\nclient> call nfs3 GETATTR\n",
               scenario::Fabric::roce2);
  const auto call = std::find_if(trace.frames.rbegin(), trace.frames.rend(),
                                 [](const TraceFrame& frame) { return frame.bytes.size() > 100; });
  REQUIRE(call != trace.frames.rend());
  TraceFrame right = *call;
  trace.frames.erase(std::next(call).base(), trace.frames.end());
  for (unsigned i = 0; i <= damaged; ++i) {
    TraceFrame copy = right;
    copy.at.time_ns += i * 500'000'000;
    copy.at.number += i;
    if (i < damaged) {
      copy.bytes.back() ^= 1;
      copy.bytes[19] = static_cast<uint8_t>(copy.bytes[19] + i + 1);  // another identification
    }
    trace.frames.push_back(copy);
  }
  Anomalies anomalies;
  Options options;
  options.for_rules = true;
  Analyzer analyzer(anomalies, options);
  for (const TraceFrame& frame : trace.frames) {
    feed(analyzer, trace, frame);
  }
  analyzer.finish();
  return anomalies.changed;
}

}  // namespace

TEST_CASE("a packet is not called changed where a copy between the two was damaged") {
  CHECK(changed_after(0) == 0);
  CHECK(changed_after(1) == 1);  // the first may have been right, and this is another
  CHECK(changed_after(3) == 0);
}

}  // namespace steertag::support
