// Streams of iWARP: markers, segments, FPDUs that are none.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sanitize/fpdu.h"
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

// By chance content may look like the headers of a segment, but for its CRC.
TEST_CASE("of a segment with a wrong CRC no header is shown where its offset is beyond any message") {
  support::Trace trace = support::compiled("client> connect\nclient> call nfs3 GETATTR\nserver> reply\n",
                                           scenario::Fabric::iwarp);
  constexpr size_t kTcp = 54, kHeaders = 2 + 18, kOffset = kTcp + kHeaders - 4,
                   kAcknowledgment = 80;  // bytes
  size_t call = 0;
  while (trace.frames[call].bytes.size() <= kAcknowledgment || trace.frames[call].bytes[kTcp] == 'M') {
    REQUIRE(++call < trace.frames.size());
  }
  const auto shown = [&](const std::vector<uint8_t>& offset) {
    std::copy(offset.begin(), offset.end(), trace.frames[call].bytes.begin() + kOffset);
    support::mend(trace, call);
    const support::Trace out = sanitized(trace);
    const auto headers = [&](const support::Trace& of) {
      return slice(of.frames[call].bytes, kTcp, kHeaders);
    };
    return std::ranges::equal(headers(out), headers(trace));
  };
  CHECK(shown({0x00, 0xFF, 0xFF, 0xFF}));
  CHECK_FALSE(shown({0x01, 0x00, 0x00, 0x00}));
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

TEST_CASE("of a length that no datagram has room for the control word is not shown") {
  support::Trace trace = support::compiled(
      "client> connect\nclient> call nfs3 GETATTR\nserver> reply\n"
      "client> call nfs3 READ write(@d 131072 131072)\nserver> write @d 131072\n",
      scenario::Fabric::iwarp);
  constexpr size_t kTcp = 54, kShown = 4, kSegment = 1000;  // bytes
  const size_t first = static_cast<size_t>(
      std::find_if(trace.frames.begin(), trace.frames.end(),
                   [](const support::TraceFrame& frame) { return frame.bytes.size() > kSegment; }) -
      trace.frames.begin());
  REQUIRE(first < trace.frames.size());
  const auto shown = [&](const std::vector<uint8_t>& front) {
    support::Trace wrong = trace;
    std::copy(front.begin(), front.end(), wrong.frames[first].bytes.begin() + kTcp);
    support::mend(wrong, first);
    const support::Trace out = sanitized(wrong);
    const Bytes bytes = slice(out.frames[first].bytes, kTcp, kShown);
    return std::vector<uint8_t>(bytes.begin(), bytes.end());
  };
  CHECK(shown({0xFF, 0x00, 0x43, 0x43}) == std::vector<uint8_t>{0, 18, 0x43, 0x43});
  CHECK(shown({0xFF, 0xFF, 0x43, 0x43}) == std::vector<uint8_t>{0xFF, 0xFF, 0, 0});
}

// Where bytes are missing in front of it, content stands where the STag and the offset were.
TEST_CASE("of an FPDU with a wrong CRC whose STag nobody advertised no header is shown") {
  const support::Trace trace = support::compiled(
      "client> connect\nclient> call nfs3 GETATTR\nserver> reply\n"
      "client> call nfs3 READ write(@d 4096 4096)\nserver> write @d 600\nserver> reply\n",
      scenario::Fabric::iwarp);
  constexpr size_t kTcp = 54, kStag = kTcp + 4, kTarget = 12, kSegment = 600;  // bytes
  const size_t write = static_cast<size_t>(
      std::find_if(trace.frames.begin(), trace.frames.end(),
                   [](const support::TraceFrame& frame) { return frame.bytes.size() > kSegment; }) -
      trace.frames.begin());
  REQUIRE(write < trace.frames.size());
  constexpr size_t kCrc = 4;  // bytes
  const auto shown = [&](bool moved, bool zeros) {
    support::Trace wrong = trace;
    std::vector<uint8_t>& bytes = wrong.frames[write].bytes;
    bytes.back() ^= 1;
    std::fill(bytes.end() - (zeros ? kCrc : 0), bytes.end(), uint8_t{0});
    if (moved) {
      std::copy_n(bytes.begin() + kStag + kTarget, kTarget, bytes.begin() + kStag);
    }
    support::mend(wrong, write);
    const support::Trace out = sanitized(wrong);
    return std::ranges::equal(slice(out.frames[write].bytes, kStag, kTarget), slice(bytes, kStag, kTarget));
  };
  for (const bool zeros : {false, true}) {  // of a sender that makes CRCs
    CHECK(shown(false, zeros));
    CHECK_FALSE(shown(true, zeros));
  }
}

// A length that is wrong makes content look like FPDUs: of a sender without CRCs zeros behind it are enough.
TEST_CASE("content with zeros where its CRC would be is no FPDU of a sender that makes no CRCs") {
  support::Trace trace = support::compiled(
      "client> connect nocrc\nclient> call nfs3 GETATTR\nserver> reply\n"
      "client> call nfs3 READ write(@d 4096 4096)\nserver> write @d 600\nserver> reply\n",
      scenario::Fabric::iwarp);
  constexpr size_t kTcp = 54, kHeaders = 2 + 14, kFalse = kTcp + kHeaders + 20, kSegment = 600;  // bytes
  const auto write =
      std::find_if(trace.frames.begin(), trace.frames.end(),
                   [&](const support::TraceFrame& frame) { return frame.bytes.size() > kSegment; });
  REQUIRE(write != trace.frames.end());
  std::vector<uint8_t>& bytes = write->bytes;
  const auto index = static_cast<size_t>(write - trace.frames.begin());
  const auto shown = [&](const std::vector<uint8_t>& content) {
    std::fill(bytes.begin() + kTcp + kHeaders, bytes.end(), uint8_t{0});
    std::copy(content.begin(), content.end(), bytes.begin() + kFalse);
    support::mend(trace, index);
    const support::Trace out = sanitized(trace);
    return std::ranges::equal(slice(out.frames[index].bytes, kFalse, content.size()), content);
  };
  bytes[kTcp] = 0;
  bytes[kTcp + 1] = 14 + 16;
  CHECK_FALSE(shown({0, 0x24, 0, 3, 'S', 'E', 'C', 'R', 'E', 'T'}));  // no version of DDP
  CHECK_FALSE(shown({0, 0x24, 0xC1, 0x40, 'S', 'E', 'C', 'R', 'E', 'T'}));
  CHECK_FALSE(shown({0, 0x24, 0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 'S', 'E', 'C', 'R'}));
  CHECK_FALSE(shown({0x7F, 0xF0, 0xC1, 0x40, 'S', 'E', 'C', 'R', 'E', 'T'}));  // its end does not come
}

// The same, where no frame has its end: that it is no FPDU cannot be told by its CRC.
TEST_CASE(
    "content that a hole follows is no FPDU of a sender that makes no CRCs, unless its STag was named") {
  const support::Trace whole = support::compiled(
      "client> connect nocrc\nclient> call nfs3 GETATTR\nserver> reply\n"
      "client> call nfs3 READ write(@d 131072 131072)\nserver> write @d 131072\nserver> reply\n",
      scenario::Fabric::iwarp);
  constexpr size_t kTcp = 54, kTarget = kTcp + 4, kTargetSize = 12, kSegment = 1000;  // bytes
  size_t write = 0;
  while (whole.frames[write].bytes.size() < kSegment) {
    REQUIRE(++write < whole.frames.size());
  }
  // Of the second segment, which begins with an FPDU; the third is missing.
  const auto shown = [&](bool named) {
    support::Trace trace = whole;
    std::vector<uint8_t>& bytes = trace.frames[write + 1].bytes;
    bytes[kTcp] = 0x0B;  // 3000 bytes
    bytes[kTcp + 1] = 0xB8;
    bytes[kTarget] ^= named ? 0 : 0x5A;
    support::mend(trace, write + 1);
    const std::vector<uint8_t> content = bytes;
    trace.frames.erase(trace.frames.begin() + static_cast<ptrdiff_t>(write) + 2);
    const support::Trace out = sanitized(trace);
    return std::ranges::equal(slice(out.frames[write + 1].bytes, kTarget, kTargetSize),
                              slice(content, kTarget, kTargetSize));
  };
  CHECK(shown(true));
  CHECK_FALSE(shown(false));
}

// What follows a word that is missing, or one too many, is not what it looks like: a marker whose sender's
// peer denies all markers does that.
TEST_CASE("of a Call in an FPDU with a wrong CRC the header is shown, and no argument") {
  support::Trace trace = support::compiled(
      "client> connect\nclient> call nfs3 GETATTR\nserver> reply\n"
      "client> call nfs3 READ write(@d 4096 4096)\nserver> write @d 600\nserver> reply\n",
      scenario::Fabric::iwarp);
  constexpr size_t kRpcRdma = 54 + 2 + 18, kMessage = 100, kXid = 4, kCrc = 4;  // bytes
  size_t call = trace.frames.size();
  for (int messages = 3; messages > 0; messages -= trace.frames[call].bytes.size() > kMessage ? 1 : 0) {
    REQUIRE(call-- > 0);  // from the end: Reply, RDMA Write, Call
  }
  std::vector<uint8_t>& bytes = trace.frames[call].bytes;
  const auto same = [&](size_t at) {
    const support::Trace out = sanitized(trace);
    return std::ranges::equal(slice(out.frames[call].bytes, at, kXid), slice(bytes, at, kXid));
  };
  const size_t count = bytes.size() - kCrc - 4;
  CHECK(same(kRpcRdma));
  CHECK(same(count));
  bytes.back() ^= 1;
  support::mend(trace, call);
  CHECK(same(kRpcRdma));
  CHECK_FALSE(same(count));
}

// RFC 5040 §4.8: three bits say which headers follow, and all others of that word are zeros.
TEST_CASE("of a Terminate whose first word is wrong no other word is shown") {
  support::Trace trace = support::compiled(
      "client> connect\nclient> call nfs3 READ write(@d 4096 4096)\nserver> write @d 600\n"
      "client> terminate layer=1 etype=1 code=1\n",
      scenario::Fabric::iwarp);
  constexpr size_t kControl = 54 + 2 + 18, kCrc = 4;  // bytes in front of it, and at the end
  size_t last = trace.frames.size() - 1;
  while (trace.frames[last].bytes.size() <= kControl + 4 + kCrc) {
    REQUIRE(last-- > 0);
  }
  std::vector<uint8_t>& bytes = trace.frames[last].bytes;
  const auto shown = [&] {
    const support::Trace out = sanitized(trace);
    const auto& made = out.frames[last].bytes;
    return std::vector<uint8_t>(made.begin() + kControl, made.end() - kCrc);
  };
  const auto as_it_is = [&] { return std::vector<uint8_t>(bytes.begin() + kControl, bytes.end() - kCrc); };
  CHECK(shown() == as_it_is());
  for (const auto& [at, value] : {std::pair<size_t, uint8_t>{0, 0x31}, {2, 0xD0}, {3, 1}}) {
    INFO(at);
    const uint8_t was =
        std::exchange(bytes[kControl + at], static_cast<uint8_t>(bytes[kControl + at] | value));
    support::mend(trace, last);
    std::vector<uint8_t> first_word = as_it_is();
    std::fill(first_word.begin() + 4, first_word.end(), uint8_t{0});
    CHECK(shown() == first_word);
    bytes[kControl + at] = was;
  }
}

// RFC 5040 §4.8: the R bit says that the header of a Read Request follows what is quoted.
TEST_CASE("of a Terminate that quotes no Read Request nothing is shown behind what it quotes") {
  constexpr uint32_t kFront = 2 + 18 + 6, kTagged = 14, kUntagged = 18, kRequest = 28;  // bytes
  const auto headers = [](uint8_t present, const std::vector<uint8_t>& quote) {
    std::vector<uint8_t> plain = {0, 100, 0x41, 0x47, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0};
    plain.insert(plain.end(), {0x11, 1, present, 0, 0, 60});
    plain.insert(plain.end(), quote.begin(), quote.end());
    plain.resize(2 + 100, 'x');
    return headers_of(plain);
  };
  const auto untagged = [](uint8_t opcode, uint8_t queue) {
    return std::vector<uint8_t>{0x41, opcode, 0, 0, 0, 0, 0, 0, 0, queue, 0, 0, 0, 1, 0, 0, 0, 0};
  };
  constexpr uint8_t kAll = 0xE0, kNoDdp = 0xA0, kNoRdmap = 0xC0, kReadRequest = 0x41, kSend = 0x43;
  CHECK(headers(kAll, untagged(kReadRequest, 1)) == kFront + kUntagged + kRequest);
  CHECK(headers(kNoRdmap, untagged(kReadRequest, 1)) == kFront + kUntagged);
  CHECK(headers(kAll, untagged(kReadRequest, 0)) == kFront + kUntagged);
  CHECK(headers(kAll, untagged(kSend, 1)) == kFront + kUntagged);
  CHECK(headers(kAll, {0xC1, kReadRequest}) == kFront + kTagged);
  CHECK(headers(kNoDdp, untagged(kReadRequest, 1)) == kFront);
}

// What was found behind lost framing may be content: a Call does not show what its Reply has, nor a Read
// Request what its Responses are.
TEST_CASE("nothing follows from what stands behind lost framing") {
  const std::string reply = "client> call nfs3 GETATTR\nserver> reply\n";
  const std::string chunk = "client> call nfs3 LOOKUP read(pos=0)\nserver> read\nserver> reply\n";
  constexpr size_t kTcp = 54, kSegment = 2 + 18, kTagged = 2 + 14, kAcknowledgment = 80;  // bytes
  struct Place {
    std::string rpcs;
    size_t broken, judged;  // messages, from 0
    size_t at;              // bytes in the frame of `judged`: a word that is shown
    uint8_t shown;          // its last byte
    std::string heard;      // with lost framing
  };
  // The status behind an RPC header; the version of RPC in a Position-Zero Read chunk.
  for (const Place& place : {Place{reply + reply + reply, 2, 5, kTcp + kSegment + 28 + 24, 0, "2 RPCs"},
                             Place{reply + reply + chunk, 1, 6, kTcp + kTagged + 8, 2, "3 RPCs"}}) {
    support::Trace trace = support::compiled("client> connect nocrc\n" + place.rpcs, scenario::Fabric::iwarp);
    std::vector<size_t> messages;
    for (size_t i = 0; i < trace.frames.size(); ++i) {
      if (trace.frames[i].bytes.size() > kAcknowledgment && trace.frames[i].bytes[kTcp] != 'M') {
        messages.push_back(i);
      }
    }
    REQUIRE(messages.size() > place.judged);
    const auto word = [&] {
      const support::Trace out = sanitized(trace);
      const Bytes bytes = slice(out.frames[messages[place.judged]].bytes, place.at, 4);
      return std::vector<uint8_t>(bytes.begin(), bytes.end());
    };
    const std::vector<uint8_t> shown = {0, 0, 0, place.shown};
    CHECK(word() == shown);
    trace.frames[messages[place.broken]].bytes[kTcp + 2] = 0x43;  // DDP version 3
    support::mend(trace, messages[place.broken]);
    CHECK(heard(trace).find(place.heard) != std::string::npos);
    CHECK(word() != shown);
  }
}

}  // namespace
}  // namespace steertag::sanitize
