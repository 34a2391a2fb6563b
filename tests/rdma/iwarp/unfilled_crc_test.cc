// A Terminate for a CRC error, where the only FPDU so far has 0 in place of a CRC: the setup says that it has
// one, and its sender did not compute it; or an adapter did, behind the tap.
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rdma/iwarp/mpa.h"
#include "support/compiled.h"
#include "support/mended.h"

namespace steertag::support::unfilled_crc {
namespace {

using scenario::Fabric;

constexpr size_t kMpaReply = 5;  // among the frames
const std::string kCall = "client> call nfs3 GETATTR noack\n", kReply = "server> reply noack\n",
                  kRefusal = "server> terminate layer=2 etype=0 code=2\n";

// What the Terminate is about. `agreed`: the C bit of the Reply alone (RFC 5044 §7.1).
std::optional<rdma::Fault> complaint(const std::string& text, bool agreed = true) {
  struct Log final : Observer {
    std::optional<rdma::Fault> fault;
    void on(const Event& event) override {
      const auto* seen = std::get_if<IncidentSeen>(&event);
      if (seen != nullptr && seen->incident.fault() != nullptr) {
        fault = *seen->incident.fault();
      }
    }
  };
  Trace trace = compiled("client> connect nocrc\n" + text, Fabric::iwarp);
  constexpr size_t kFlags = 14 + 20 + 20 + 16;
  constexpr uint8_t kC = 0x40;
  if (agreed) {
    trace.frames.at(kMpaReply).bytes.at(kFlags) |= kC;
    mend(trace, kMpaReply);
  }
  Log log;
  Options options;
  options.for_rules = true;
  feed_all(log, trace, options);
  return log.fault;
}

}  // namespace

TEST_CASE("a Terminate for a CRC error names the only FPDU, which has none") {
  const std::optional<rdma::Fault> fault = complaint(kCall + kRefusal);
  REQUIRE(fault);
  REQUIRE(fault->wrong_crc);
  CHECK(fault->wrong_crc->at.number == 8);
  CHECK(fault->wrong_crc->carried == 0);
  CHECK(fault->wrong_crc->computed != 0);
  CHECK_FALSE(fault->crcs_seen);
}

TEST_CASE("what has 0 in place of a CRC and was accepted is not what a Terminate is about") {
  const std::optional<rdma::Fault> fault = complaint(kCall + kReply + kCall + kRefusal);
  REQUIRE(fault);
  CHECK_FALSE(fault->wrong_crc);
}

TEST_CASE("where no CRCs were agreed on, none is wrong") {
  const std::optional<rdma::Fault> fault = complaint(kCall + kRefusal, false);
  REQUIRE(fault);
  CHECK_FALSE(fault->wrong_crc);
}

}  // namespace steertag::support::unfilled_crc
