// Hosts that are withheld from a frame on: it is as if the capture had ended there.
#include <catch2/catch.hpp>
#include <string>

#include "sanitize/made.h"
#include "support/scenario_trace.h"

namespace steertag::sanitize {
namespace {

constexpr const char* kTwoRpcs =
    "client> connect\n"
    "client> call nfs3 READ write(@d 4096 4096)\nserver> write @d 6000\nserver> reply\n"
    "client> call nfs3 WRITE read(@w 5000)\nserver> serve\n"
    "client> disconnect\n";

TEST_CASE("nothing is heard of hosts from the frame on from which they are withheld") {
  constexpr uint64_t kCut = 7;
  for (const scenario::Fabric fabric :
       {scenario::Fabric::roce2, scenario::Fabric::roce1, scenario::Fabric::iwarp}) {
    for (const char* setting : {"", "ipv6\n", "tunnel vxlan\n"}) {
      support::Trace trace = support::compiled(std::string(setting) + kTwoRpcs, fabric);
      const support::Trace out = sanitized(trace, kKey, 64 << 20, {kCut});
      const support::Trace all = sanitized(trace);
      for (size_t i = 0; i < out.frames.size(); ++i) {
        CHECK((out.frames[i].bytes == all.frames[i].bytes) == (i + 1 < kCut));
      }
      CHECK(heard(sanitized(out)) == heard(out));
      trace.frames.resize(kCut - 1);
      CHECK(heard(out) == heard(trace));
    }
  }
}

TEST_CASE("hosts may be withheld from a packet with a damaged header of IP on, which is hidden by itself") {
  constexpr uint64_t kCut = 9;
  constexpr size_t kIp = 14, kProtocol = kIp + 9, kChecksum = kIp + 10;
  support::Trace trace = support::compiled(kTwoRpcs, scenario::Fabric::iwarp);
  trace.frames[kCut - 1].bytes[kChecksum] ^= 1;
  const support::Trace out = sanitized(trace, kKey, 64 << 20, {kCut}), all = sanitized(trace);
  CHECK(all.frames[kCut - 1].bytes[kProtocol] == 253);
  CHECK(all.frames[kCut].bytes[kProtocol] == 6);
  CHECK(out.frames[kCut].bytes[kProtocol] == 253);
  trace.frames.resize(kCut - 1);
  CHECK(heard(out) == heard(trace));
}

TEST_CASE("hosts that are withheld behind a damaged segment may be from there on") {
  constexpr uint64_t kCut = 16;
  support::Trace trace = support::compiled(kTwoRpcs, scenario::Fabric::iwarp);
  REQUIRE(trace.frames.size() > kCut);
  const auto earlier = [&] {
    const Plan plan(kKey, 1 << 20);
    Rewriter rewriter(kKey, {}, plan, {kCut, kCut + 1});
    std::vector<uint8_t> bytes;
    for (const support::TraceFrame& frame : trace.frames) {
      rewriter.rewrite({frame.at, trace.link_type, frame.bytes, frame.original_length}, bytes);
    }
    return rewriter.earlier_cuts();
  };
  CHECK(earlier().empty());
  for (const size_t index : {size_t{9}, size_t{11}, size_t{kCut + 1}}) {
    trace.frames[index].bytes.back() ^= 1;
  }
  CHECK(earlier() == std::set<uint64_t>{12});
}

}  // namespace
}  // namespace steertag::sanitize
