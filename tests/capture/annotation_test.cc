#include "capture/annotation.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "capture/reader.h"

namespace steertag::capture {
namespace {

using Octets = std::vector<uint8_t>;

// A section with an interface and a packet, in either byte order.
Octets small(bool big) {
  Octets out;
  PcapngWriter writer(out, ByteOrder{big});
  const PcapngOption name{PcapngOption::kName, "eth0"};
  writer.put_section({});
  writer.put_interface(1, 96, {&name, 1});
  const Octets frame = {1, 2, 3, 4, 5};
  writer.put_packet({.interface = 0, .ticks = 1'500'000'000, .bytes = frame, .original_length = 60}, {});
  return out;
}

TEST_CASE("what the writer spells, the reader reads") {
  for (const bool big : {false, true}) {
    const Octets file = small(big);
    const auto reader = recognise(file);
    REQUIRE(reader);
    Frame frame;
    size_t used = 0;
    Step step;
    while ((step = reader->next(Bytes(file).subspan(used), frame)).kind == Step::Kind::nothing) {
      used += step.used;
    }
    REQUIRE(step.kind == Step::Kind::frame);
    CHECK(used + step.used == file.size());
    CHECK(frame.at.time_ns == 1'500'000'000);
    CHECK(Octets(frame.bytes.begin(), frame.bytes.end()) == Octets{1, 2, 3, 4, 5});
    CHECK(frame.original_length == 60);
    CHECK(reader->interface_of(frame.at.tap).link_type == 1);
    CHECK(reader->interface_of(frame.at.tap).snaplen == 96);
  }
}

TEST_CASE("a comment that is too long for an option is cut") {
  Octets out;
  PcapngWriter writer(out);
  const std::string text(PcapngOption::kLongest + 10, 'x');
  const PcapngOption comment{PcapngOption::kComment, text};
  writer.put_options({&comment, 1});
  CHECK(out.size() == 4 + PcapngOption::kLongest + 1);
}

TEST_CASE("ticks of any unit are those of the time that they stand for") {
  for (const uint64_t rate : {uint64_t{1}, uint64_t{1000}, uint64_t{1'000'000'000}, uint64_t{1} << 20}) {
    for (const int64_t offset : {0, 100}) {
      const TickRate unit{.per_second = rate, .offset_s = offset};
      for (const uint64_t ticks :
           {uint64_t{0}, uint64_t{7}, 1'700'000'000 * rate, 1'700'000'000 * rate + 1}) {
        const uint64_t again = unit.from_ns(unit.to_ns(ticks));
        CHECK((again == ticks || again + 1 == ticks));  // 2^20 a second: not a whole number of nanoseconds
        CHECK((rate == uint64_t{1} << 20 || again == ticks));
      }
    }
  }
}

TEST_CASE("a block that is too long is left out, and what follows is not") {
  Octets out;
  Annotation annotation(out, "");
  Octets head;
  PcapngWriter writer(head);
  writer.put_section({});
  annotation.pass(head);
  const size_t before = out.size();
  Octets lengths;
  PcapngWriter block(lengths);
  block.put_u32(77);
  block.put_u32(kMaxBlock + 16);
  block.put_u32(0);
  annotation.pass(lengths);
  const Octets piece(1 << 20);
  size_t left = kMaxBlock + 16 - lengths.size();
  for (; left > piece.size(); left -= piece.size()) {
    annotation.pass(piece);
  }
  annotation.pass(Bytes(piece).first(left));
  CHECK(out.size() == before);
  CHECK(annotation.blocks_left_out() == 1);
  Octets more;
  PcapngWriter(more).put_interface(1, 0, {});
  annotation.pass(more);
  CHECK(out.size() == before + more.size());
}

TEST_CASE("the comments that a frame has already are found, of a pcapng") {
  for (const bool big : {false, true}) {
    Octets file;
    PcapngWriter writer(file, ByteOrder{big});
    const Octets frame = {1, 2, 3, 4, 5};
    const std::string both[] = {"one", "two"};
    writer.put_section({});
    writer.put_interface(1, 96, {});
    const size_t at = file.size();
    writer.put_packet({.interface = 0, .ticks = 1, .bytes = frame, .original_length = 60},
                      comment_options(both));
    Octets out;
    Annotation annotation(out, "");
    annotation.pass(Bytes(file).first(at));
    CHECK(annotation.comments_of(Bytes(file).subspan(at)) == std::vector<std::string>{"one", "two"});
  }
}

}  // namespace
}  // namespace steertag::capture
