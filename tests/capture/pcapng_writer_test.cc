#include "capture/pcapng_writer.h"

#include <catch2/catch.hpp>

namespace steertag::capture {
namespace {

using Octets = std::vector<uint8_t>;

// A packet block of the bytes 1 2 3 4 5, in the byte order of a network, which is easier to read.
Octets packet(PcapngOptions options, uint64_t dropped) {
  Octets out;
  PcapngWriter writer(out, ByteOrder{true});
  const Octets bytes = {1, 2, 3, 4, 5};
  writer.put_packet(
      {.interface = 7, .ticks = 0x1'0000'0002, .bytes = bytes, .original_length = 9, .dropped = dropped},
      options);
  return out;
}

Octets block(uint8_t length, const Octets& options) {
  Octets out = {0, 0, 0, 6, 0, 0, 0, length, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0,
                0, 2, 0, 0, 0, 5, 0, 0,      0, 9, 1, 2, 3, 4, 5, 0, 0, 0};
  out.insert(out.end(), options.begin(), options.end());
  out.insert(out.end(), {0, 0, 0, length});
  return out;
}

TEST_CASE("pcapng: options of a packet have an end where there are any, and there alone") {
  const PcapngOption comment{PcapngOption::kComment, "loss"};
  const Octets comments = {0, 1, 0, 4, 'l', 'o', 's', 's'};
  const Octets drops = {0, 4, 0, 8, 0, 0, 0, 0, 0, 0, 0, 3};
  const Octets end = {0, 0, 0, 0};
  const auto joined = [](Octets one, const Octets& two, const Octets& three) {
    one.insert(one.end(), two.begin(), two.end());
    one.insert(one.end(), three.begin(), three.end());
    return one;
  };
  CHECK(packet({}, 0) == block(40, {}));
  CHECK(packet({&comment, 1}, 0) == block(52, joined(comments, {}, end)));
  CHECK(packet({}, 3) == block(56, joined({}, drops, end)));
  CHECK(packet({&comment, 1}, 3) == block(64, joined(comments, drops, end)));
}

}  // namespace
}  // namespace steertag::capture
