// Streams of iWARP: markers, segments, FPDUs that are none.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sanitize/made.h"
#include "support/compiled.h"
#include "support/mended.h"

namespace steertag::sanitize {
namespace {

TEST_CASE("with markers, and FPDUs across segments, too") {
  for (const char* setup : {"client> connect markers\n", "client> connect segment=700 markers\n",
                            "client> connect segment=100\n", "client> connect nocrc\n"}) {
    INFO(setup);
    const support::Trace trace = support::compiled(setup + std::string(kRpcs), scenario::Fabric::iwarp);
    CHECK(heard(sanitized(trace)) == heard(trace));
  }
}

// RFC 5044 §4.3: zeros, then the distance to the length field, whose last byte is right by chance.
TEST_CASE("of a marker that is wrong no byte is shown") {
  const rdma::iwarp::Markers markers{.in_use = true, .origin = 0};
  const Part part{.begin = 400, .size = 400};
  const std::vector<uint8_t> right = {0, 0, 0, 112}, wrong = {0xF1, 0, 0, 112};
  for (uint32_t i = 0; i < right.size(); ++i) {
    CHECK(shown_marker_byte(markers, part, 112 + i, right, i) == right[i]);
    CHECK(shown_marker_byte(markers, part, 112 + i, wrong, i) == 0xFF);
  }
  CHECK(shown_marker_byte(markers, part, 115, Bytes(wrong).subspan(1), 2) == 112);  // its begin is not there
}

// Where that ends is in the midst of an FPDU.
TEST_CASE("nothing is shown behind a setup frame that claims a part of what follows it") {
  support::Trace trace = support::compiled("client> connect\nclient> call nfs3 GETATTR\nserver> reply\n",
                                           scenario::Fabric::iwarp);
  constexpr size_t kTcp = 54, kLength = kTcp + 19, kClaimed = 24;  // bytes
  const auto first = [](auto begin, auto end, bool setup) {
    const auto found = std::find_if(begin, end, [&](const support::TraceFrame& frame) {
      return frame.bytes.size() > kTcp + kClaimed && (frame.bytes[kTcp] == 'M') == setup;
    });
    REQUIRE(found != end);
    return found;
  };
  const auto setup = first(trace.frames.begin(), trace.frames.end(), true);
  const auto call = first(setup, trace.frames.end(), false) - trace.frames.begin();
  setup->bytes[kLength] = static_cast<uint8_t>(setup->bytes[kLength] + kClaimed);
  support::mend(trace, static_cast<size_t>(setup - trace.frames.begin()));
  const support::Trace out = sanitized(trace);
  const Bytes shown = Bytes(out.frames[static_cast<size_t>(call)].bytes).subspan(kTcp + kClaimed);
  CHECK(std::all_of(shown.begin(), shown.end(), [](uint8_t byte) { return byte == 0 || byte == 0xFF; }));
}

// What follows the length field may be content.
TEST_CASE("of an FPDU that is too short for any segment its control word is not shown") {
  const support::Trace trace = support::compiled(
      "client> connect\nclient> call nfs3 GETATTR\nserver> reply\nclient> call nfs3 GETATTR\n",
      scenario::Fabric::iwarp);
  constexpr size_t kTcp = 54, kShown = 4, kAcknowledgment = 80;  // bytes
  size_t call = trace.frames.size() - 1;
  while (trace.frames[call].bytes.size() <= kAcknowledgment) {
    --call;
  }
  const auto shown = [&](uint8_t length, uint8_t control) {
    support::Trace wrong = trace;
    const std::vector<uint8_t> front = {0, length, control, 0x43};
    std::copy(front.begin(), front.end(), wrong.frames[call].bytes.begin() + kTcp);
    support::mend(wrong, call);
    const support::Trace out = sanitized(wrong);
    CHECK(found(out) == found(wrong));
    const Bytes bytes = slice(out.frames[call].bytes, kTcp, kShown);
    return std::vector<uint8_t>(bytes.begin(), bytes.end());
  };
  constexpr uint8_t kTagged = 0xC1, kUntagged = 0x41, kShort = 8, kOfTagged = 16;
  CHECK(shown(kShort, kTagged) == shown(kShort, kUntagged));
  CHECK(shown(kShort, kUntagged)[1] == kShort);
  CHECK(shown(kOfTagged, kTagged) != shown(kOfTagged, kUntagged));
}

TEST_CASE("what TCP sent again with other content still is other content") {
  const support::Trace trace = support::compiled(
      "client> connect\nclient> call nfs3 GETATTR xid=5\nserver> reply\n"
      "client> call nfs3 GETATTR xid=6\nclient> call nfs3 GETATTR xid=7 again\n",
      scenario::Fabric::iwarp);
  const auto payload = [](const support::TraceFrame& frame) {
    return std::vector<uint8_t>(frame.bytes.begin() + 54, frame.bytes.end());
  };
  const size_t again = 13, first = 11;  // from 0
  REQUIRE(trace.frames.size() > again);
  CHECK(payload(trace.frames[first]).size() == payload(trace.frames[again]).size());
  CHECK(payload(trace.frames[first]) != payload(trace.frames[again]));
  const support::Trace out = sanitized(trace);
  CHECK(payload(out.frames[first]) != payload(out.frames[again]));
}

}  // namespace
}  // namespace steertag::sanitize
