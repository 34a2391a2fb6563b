// Read chunks in places where no argument or result can be: data of a file is read as what stands there.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "nfs/made.h"
#include "sanitize/made.h"
#include "support/compiled.h"
#include "support/mended.h"

namespace steertag::sanitize {
namespace {

constexpr const char* kConnect = "client> connect R=1 send=4096 receive=4096\n";

// Without the chunk, which is at a Position where no argument begins, 36 bytes behind the count of a WRITE
// are passed over. Then an owner in the attributes of a SETATTR is read as a CREATE of some type.
TEST_CASE("no text stays that is read as structure where a Read chunk is in the wrong place") {
  made::Message call;
  call.words(5, 1, 32, 0, 1, 60, 0x77, 500, 0, 0x1000, 0, 0, 0);
  call.words(5, 0, 2, 100003, 4, 1, 0, 0, 0, 0).words(0, 1, 3, made::kPutFh).opaque(32);
  call.words(made::kWrite).fill(16).words(0, 0, 2, 36);
  call.words(34).fill(16).words(2, 0x10, 0x2, 20).words(6, 0x73656372, 0x65740000).opaque(4);
  const support::Trace trace = support::compiled(
      std::string(kConnect) + "client> call nfs3 NULL\nserver> reply\nclient> send " + hex(call) + "\n",
      scenario::Fabric::roce2);
  CHECK(found(trace).find("DDP-02") != std::string::npos);
  CHECK(found(sanitized(trace)) == found(trace));
  CHECK(holds(trace, "secr"));
  CHECK_FALSE(holds(sanitized(trace), "secr"));
}

// RFC 8166 §3.4.5: data of a file would complete a word of the Call, or be a part of its RPC header.
TEST_CASE("nothing is shown of a Read chunk whose Position no argument can have") {
  for (const std::string position : {"41", "42", "43", "4", "8", "12", "16"}) {
    const support::Trace trace = support::compiled(
        kConnect + ("client> call nfs3 WRITE read(pos=" + position + " 4096)\n") + "server> serve\n",
        scenario::Fabric::roce2);
    constexpr size_t kBehind = 14 + 20 + 8 + 12 + 4, kLeast = 1000;  // bytes in front of what it carries
    const auto read =
        std::find_if(trace.frames.begin(), trace.frames.end(),
                     [&](const support::TraceFrame& frame) { return frame.bytes.size() > kLeast; });
    REQUIRE(read != trace.frames.end());
    const support::Trace out = sanitized(trace);
    const Bytes shown = Bytes(out.frames[read - trace.frames.begin()].bytes).subspan(kBehind, 64);
    CHECK(std::all_of(shown.begin(), shown.end(), [](uint8_t byte) { return byte == 0; }));
  }
}

// RFC 5666 lets a Reply have Read chunks: what they hold is data of a file, wherever it is put.
TEST_CASE("nothing is shown of a Read chunk of a Reply that stands where no result is") {
  for (const std::string position : {"24", "28", "124"}) {
    support::Trace trace =
        support::compiled(std::string(kConnect) +
                              "client> call nfs3 NULL\nserver> reply\nclient> call nfs3 READ write(none)\n" +
                              "server> reply read(@late pos=" + position + " 4096)\nclient> read @late\n",
                          scenario::Fabric::roce2);
    constexpr size_t kBth = 14 + 20 + 8, kBehind = kBth + 12 + 4, kLeast = 1000;  // bytes
    const auto read =
        std::find_if(trace.frames.begin(), trace.frames.end(),
                     [&](const support::TraceFrame& frame) { return frame.bytes.size() > kLeast; });
    REQUIRE(read != trace.frames.end());
    const std::vector<uint8_t> small = {0, 0, 0x7E, 0x57};
    std::copy(small.begin(), small.end(), read->bytes.begin() + kBehind);
    const auto index = static_cast<size_t>(read - trace.frames.begin());
    support::mend(trace, index);
    const support::Trace out = sanitized(trace);
    CHECK_FALSE(std::ranges::equal(slice(out.frames[index].bytes, kBehind, small.size()), small));
  }
}

}  // namespace
}  // namespace steertag::sanitize
