// Extension headers behind a BTH: what of them is somebody's, and what is none.
#include <algorithm>
#include <catch2/catch.hpp>

#include "link/frames.h"
#include "sanitize/made.h"

namespace steertag::sanitize {
namespace {

using namespace link::test;

constexpr size_t kBegin = 42, kBth = 12, kReth = 16, kIcrc = 4;  // bytes; the first of Ethernet, IPv4 and UDP

Octets packet(uint8_t opcode, const Octets& behind) {
  Octets bth(kBth, 0);
  bth[0] = opcode;
  bth[2] = bth[3] = 0xFF;  // P_Key
  return ethernet(ipv4(17, udp(bth + behind + Octets(kIcrc, 9), 4791)));
}

Octets sanitized_head(const Octets& frame, size_t captured) {
  support::Trace trace;
  trace.frames.push_back({{.number = 1},
                          Octets(frame.begin(), frame.begin() + static_cast<ptrdiff_t>(captured)),
                          static_cast<uint32_t>(frame.size())});
  return sanitized(trace).frames[0].bytes;
}

bool zeros_behind(const Octets& bytes, size_t from) {
  return std::all_of(bytes.begin() + static_cast<ptrdiff_t>(from), bytes.end(),
                     [](uint8_t byte) { return byte == 0; });
}

// A length of so much in a RETH whose other bytes are text.
Octets reth(uint32_t length) {
  return counting(kReth - 4, 0x41) +
         Octets{0, 0, static_cast<uint8_t>(length >> 8), static_cast<uint8_t>(length)};
}

// IBTA vol. 1 §9.3: which bytes of the extension headers are somebody's, by opcode.
TEST_CASE("atomic operands and immediate data are gone, also where the capture ends in the midst of them") {
  struct Extension {
    uint8_t opcode;
    size_t kept, hidden;  // bytes behind the BTH, and behind these
  };
  for (const Extension& of : {Extension{0x13, 12, 16}, Extension{0x14, 12, 16}, Extension{0x12, 4, 8},
                              Extension{0x03, 0, 4}, Extension{0x05, 0, 4}, Extension{0x0B, 16, 4}}) {
    const size_t behind = kBegin + kBth + of.kept;
    const Octets kept = of.kept == kReth ? reth(0) : counting(of.kept, 0x41);
    const Octets whole = packet(of.opcode, kept + counting(of.hidden, 0x61));
    for (size_t captured = behind + 1; captured <= behind + of.hidden; ++captured) {
      INFO(int{of.opcode} << " " << captured);
      const Octets after = sanitized_head(whole, captured);
      CHECK(std::equal(after.begin() + kBegin, after.begin() + static_cast<ptrdiff_t>(behind),
                       whole.begin() + kBegin));
      CHECK(zeros_behind(after, behind));
    }
  }
}

TEST_CASE("the key that admits to a queue pair is gone, unless it is the one that everybody has") {
  constexpr size_t kDeth = kBegin + kBth, kKey = 4;
  const Octets common = {0x80, 1, 0, 0}, own = {0x5E, 0xC7, 0xE7, 0xA1};
  for (const Octets& key : {common, own}) {
    Octets frame = packet(0x64, key + Octets{0, 0, 0, 1} + counting(20, 1));
    frame[kBegin + 7] = 1;  // to the queue pair of general services
    const Octets after = sanitized_head(frame, frame.size());
    CHECK(zeros_behind(Octets(after.begin(), after.begin() + kDeth + kKey), kDeth) == (key == own));
  }
}

// One wrong bit makes a Middle a First or a Last, and its first data an AETH.
TEST_CASE("the AETH of an RDMA Read Response is gone, whether it acknowledges or refuses") {
  for (const uint8_t syndrome : {0x1F, 0x61}) {
    const Octets frame = packet(0x0F, Octets{syndrome, 1, 2, 3} + counting(20, 1));
    CHECK(zeros_behind(sanitized_head(frame, frame.size() - kIcrc), kBegin + kBth));
  }
}

TEST_CASE("nothing stays behind a BTH whose opcode does not fit what is there") {
  struct Sent {
    uint8_t opcode;
    Octets behind;
    bool fits;
  };
  for (const Sent& sent :
       {Sent{0x0A, reth(20) + counting(20, 1), true}, Sent{0x0A, reth(24) + counting(20, 1), false},
        Sent{0x06, reth(260) + counting(256, 1), true}, Sent{0x06, reth(256) + counting(256, 1), false},
        Sent{0x06, reth(260) + counting(252, 1), false},  // no path MTU
        Sent{0x0C, reth(24), true}, Sent{0x0C, reth(24) + counting(20, 1), false},
        Sent{0x0C, Octets(kReth, 0xE0), false}, Sent{0x11, counting(4, 1), true},
        Sent{0x11, counting(24, 1), false}, Sent{0x12, counting(12, 1), true},
        Sent{0x12, counting(32, 1), false}, Sent{0x1D, reth(8) + counting(8, 1), true},
        Sent{0x1D, reth(20) + counting(20, 1), false}, Sent{0x1D, reth(20) + counting(8, 1), false}}) {
    INFO(int{sent.opcode} << " " << sent.behind.size() << " " << sent.fits);
    const Octets frame = packet(sent.opcode, sent.behind);
    CHECK(zeros_behind(sanitized_head(frame, frame.size() - kIcrc), kBegin + kBth) == !sent.fits);
  }
}

}  // namespace
}  // namespace steertag::sanitize
