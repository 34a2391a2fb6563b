// The bounds of what a capture file may claim: one below, at and above.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "capture/pcapng.h"
#include "capture_bytes.h"

using namespace steertag;
using namespace capture_bytes;

namespace {

// Bytes of the last frame, and how it ended.
std::string last_word(Bytes file) {
  using Kind = capture::Step::Kind;
  const auto reader = capture::recognise(file);
  std::string frames;
  Frame frame;
  for (size_t used = 0;;) {
    const capture::Step step = reader->next(file.subspan(used), frame);
    used += step.used;
    if (step.kind == Kind::frame) {
      frames = std::to_string(frame.bytes.size()) + " ";
    } else if (step.kind == Kind::damaged) {
      return frames + reader->damage();
    } else if (step.kind == Kind::more) {
      return frames + (used == file.size() ? "end" : "cut");
    }
  }
}

// A section that describes so many interfaces.
std::vector<uint8_t> section_of(size_t interfaces) {
  Text text;
  const std::vector<uint8_t> one = Text{}.interface(1).bytes;
  text.section();
  text.bytes.reserve(text.bytes.size() + interfaces * one.size());
  for (size_t i = 0; i < interfaces; ++i) {
    text.bytes.insert(text.bytes.end(), one.begin(), one.end());
  }
  return text.bytes;
}

}  // namespace

TEST_CASE("bounds: interfaces of a section") {
  for (const uint32_t count : {capture::kMaxInterfaces - 1, capture::kMaxInterfaces}) {
    CHECK(last_word(Text{false, section_of(count)}.packet(count - 1, 1, "a").bytes) == "1 end");
  }
  CHECK(last_word(Text{false, section_of(capture::kMaxInterfaces + 1)}.packet(0, 1, "a").bytes) ==
        "more interfaces than are read");
}

TEST_CASE("bounds: interfaces are counted anew in each section") {
  const std::vector<uint8_t> second = section_of(1);
  Text text{false, section_of(capture::kMaxInterfaces)};
  text.bytes.insert(text.bytes.end(), second.begin(), second.end());
  CHECK(last_word(text.packet(0, 1, "a").bytes) == "1 end");
}

TEST_CASE("bounds: bytes of one frame") {
  const auto of = [](uint32_t captured) {
    Text text;
    text.pcap_header(0xA1B2C3D4, 4, UINT32_MAX).u32(1).u32(0).u32(captured).u32(captured);
    text.bytes.resize(text.bytes.size() + captured);
    return last_word(text.bytes);
  };
  for (const uint32_t fits : {capture::kMaxFrame - 1, capture::kMaxFrame}) {
    CHECK(of(fits) == std::to_string(fits) + " end");
  }
  CHECK(of(capture::kMaxFrame + 1) == "it claims to hold 16777217 bytes");
}
