// How a capture file ends: where it should, cut, damaged, or of a link type that is not read.
#include "host/capture.h"

#include "host/failure.h"
#include "host/made.h"

using namespace steertag;
using namespace steertag::host;

namespace {

// Reads all of it; returns how many frames there were.
uint64_t read_all(Capture& capture) {
  capture.begin();
  uint64_t frames = 0;
  for (Frame frame; capture.next(frame);) {
    CHECK(frame.at.number == ++frames);
    CHECK(frame.bytes.size() == 60);
  }
  return frames;
}

}  // namespace

TEST_CASE("a capture is read to its end, and there is no trouble") {
  const Folder folder;
  Capture capture(folder.file("a.pcap", pcap(3)), 0);
  CHECK(read_all(capture) == 3);
  CHECK(capture.end() == Capture::End::none);
  CHECK(capture.trouble().empty());
}

TEST_CASE("a capture that is cut in a record says which") {
  const Folder folder;
  std::vector<uint8_t> bytes = pcap(3);
  bytes.resize(bytes.size() - 1);
  Capture capture(folder.file("a.pcap", bytes), 0);
  CHECK(read_all(capture) == 2);
  CHECK(capture.end() == Capture::End::cut);
  CHECK(capture.trouble() == "the capture ends in the middle of frame 3's record; read up to there");
}

TEST_CASE("a capture with a record that makes no sense is damaged from there on") {
  const Folder folder;
  std::vector<uint8_t> bytes = pcap(3);
  bytes[24 + 76 + 11] = 0xFF;  // the captured length of the second record
  Capture capture(folder.file("a.pcap", bytes), 0);
  CHECK(read_all(capture) == 1);
  CHECK(capture.end() == Capture::End::damaged);
  CHECK(capture.trouble().starts_with("frame 2's record is damaged"));
}

TEST_CASE("what is no capture, is not there, or is of a foreign link type is refused") {
  const Folder folder;
  Capture text(folder.file("a.txt", {'h', 'e', 'l', 'l', 'o', ' ', 'w', 'o', 'r', 'l', 'd', '\n'}), 0);
  CHECK_THROWS_AS(text.begin(), Failure);
  CHECK_THROWS_AS(Capture((folder.path() / "none").string(), 0), Failure);
  Capture foreign(folder.file("b.pcap", pcap(1, 147)), 0);
  CHECK_THROWS_AS(foreign.begin(), Failure);
}

TEST_CASE("the memory of a frame is good for as long as somebody has its block") {
  const Folder folder;
  Capture capture(folder.file("a.pcap", pcap(20'000)), 0);
  capture.begin();
  Frame first, frame;
  REQUIRE(capture.next(first));
  const std::shared_ptr<const uint8_t[]> block = capture.block();
  uint64_t frames = 1;
  for (; capture.next(frame); ++frames) {
  }
  CHECK(frames == 20'000);
  CHECK(capture.block() != block);
  CHECK(first.bytes.data() >= block.get());
  CHECK(std::vector<uint8_t>(first.bytes.begin(), first.bytes.end()) == std::vector<uint8_t>(60, 0));
}
