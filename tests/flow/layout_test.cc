// Messages put together from what was sent inline and what travelled in chunks.
#include "flow/layout.h"

#include <catch2/catch.hpp>
#include <string>

#include "flow/payload.h"

using namespace steertag;
using namespace steertag::flow;

namespace {

Bytes bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// The captured bytes, "?" for each that was not, "0" for a pad.
std::string read(const Layout& layout) {
  std::string text;
  for (const Stretch& stretch : layout.stretches()) {
    const size_t at = text.size();
    text.append(stretch.length, '?');
    each_captured(stretch, [&](uint64_t offset, Bytes run) {
      for (size_t i = 0; i < run.size(); ++i) {
        text[at + offset + i] = run[i] == 0 ? '0' : static_cast<char>(run[i]);
      }
    });
  }
  CHECK(text.size() == layout.length());
  return text;
}

struct Laid {
  Layout layout;
  void append(std::string_view text, uint64_t length = 0) {
    layout.append({bytes(text), nullptr, length == 0 ? text.size() : length, 0});
  }
  void insert(uint32_t position, std::string_view text, uint64_t length = 0) {
    layout.insert(position, {bytes(text), nullptr, length == 0 ? text.size() : length, 0});
  }
};

}  // namespace

TEST_CASE_METHOD(Laid, "layout: a message without Read chunks is what was appended") {
  append("abcd");
  append("efgh");
  REQUIRE(layout.put_in_place());
  CHECK(read(layout) == "abcdefgh");
}

TEST_CASE_METHOD(Laid, "layout: Read chunks go in at their Positions, padded, in whatever order they come") {
  append("aaaabbbbcccc");
  insert(12, "222222");
  insert(4, "1111");
  REQUIRE(layout.put_in_place());
  CHECK(read(layout) == "aaaa1111bbbb22222200cccc");
}

TEST_CASE_METHOD(Laid, "layout: segments of one Position are one chunk, with one pad") {
  append("aaaabbbb");
  insert(4, "111");
  insert(4, "22");
  REQUIRE(layout.put_in_place());
  CHECK(read(layout) == "aaaa11122000bbbb");
  REQUIRE(layout.chunks().size() == 1);
  CHECK(layout.chunks()[0] == nfs::PlacedChunk{4, 5});
}

TEST_CASE_METHOD(Laid, "layout: a chunk of Position zero is the message, and others go into it") {
  append("not this");
  insert(0, "aaaab");
  insert(8, "1111");
  insert(0, "bbbcc");
  REQUIRE(layout.put_in_place());
  CHECK(read(layout) == "aaaabbbb1111cc");
  REQUIRE(layout.chunks().size() == 1);
  CHECK(layout.chunks()[0] == nfs::PlacedChunk{8, 4});
  layout.clear();
  CHECK(layout.chunks().empty());
}

TEST_CASE_METHOD(Laid, "layout: empty segments of Position zero are no message") {
  append("aaaa");
  layout.insert(0, {});
  REQUIRE(layout.put_in_place());
  CHECK(read(layout) == "aaaa");
}

TEST_CASE_METHOD(Laid, "layout: a Position behind the end, or inside of the chunk before it, cannot be") {
  append("aaaa");
  insert(8, "1111");
  CHECK_FALSE(layout.put_in_place());
  layout.clear();
  append("aaaabbbb");
  insert(4, "11111111");
  insert(8, "2222");
  CHECK_FALSE(layout.put_in_place());
  layout.clear();
  append("aaaabbbb");
  insert(4, "1111");
  insert(8, "2222");
  REQUIRE(layout.put_in_place());
  CHECK(read(layout) == "aaaa11112222bbbb");
}

TEST_CASE_METHOD(Laid, "layout: what was not captured has its room") {
  append("aa", 8);
  base::RangeSet held;
  held.add(0, 1);
  held.add(3, 2);
  layout.insert(4, {bytes("1xx22"), &held, 8, 0});
  REQUIRE(layout.put_in_place());
  CHECK(read(layout) == "aa??1??22???????");
}

TEST_CASE_METHOD(Laid, "layout: a chunk that others are put into keeps its holes") {
  base::RangeSet held;
  held.add(2, 4);
  held.add(8, 4);
  layout.insert(0, {bytes("..bbcc..dddd"), &held, 12, 0});
  insert(4, "1111");
  REQUIRE(layout.put_in_place());
  CHECK(read(layout) == "??bb1111cc??dddd");
}

TEST_CASE("layout: a Reply is inline, or what its Reply chunk returned") {
  Exchange exchange;
  exchange.reply = Stamp{};
  SegmentFlow& segment = exchange.segments.add();
  segment.kind = ChunkKind::reply;
  segment.target.length = 100;
  segment.returned = 3;
  Layout layout;
  REQUIRE(lay_out_reply(exchange, false, {bytes("inline"), nullptr, 6, 0}, nullptr, layout));
  CHECK(read(layout) == "inline");
  REQUIRE(lay_out_reply(exchange, true, {bytes("inline"), nullptr, 6, 0}, nullptr, layout));
  CHECK(read(layout) == "???");
  rpcrdma::ChunkLists returned;
  returned.reply.add().target.add().length = 5;
  REQUIRE(lay_out_reply(exchange, false, {}, &returned, layout));
  CHECK(read(layout) == "?????");
}

TEST_CASE("layout: a Reply chunk that is not the Call's holds no message") {
  Exchange exchange;
  exchange.reply = Stamp{};
  for (const uint32_t handle : {7u, 8u}) {
    SegmentFlow& segment = exchange.segments.add();
    segment.kind = ChunkKind::reply;
    segment.target = {handle, 100, 0x1000, {}};
  }
  Layout layout;
  rpcrdma::ChunkLists returned;
  rpcrdma::WriteChunk& chunk = returned.reply.add();
  chunk.target.add() = {7, 100, 0x1000, {}};
  CHECK(lay_out_reply(exchange, true, {}, &returned, layout));  // the first is enough
  chunk.target.add() = {8, 20, 0x1000, {}};
  REQUIRE(lay_out_reply(exchange, true, {}, &returned, layout));
  CHECK(layout.length() == 120);

  chunk.target[1].offset = 0x1004;
  CHECK_FALSE(lay_out_reply(exchange, true, {}, &returned, layout));
  CHECK(layout.length() == 0);
  chunk.target[1] = {9, 20, 0x1000, {}};
  CHECK_FALSE(lay_out_reply(exchange, true, {}, &returned, layout));
  chunk.target[1] = {8, 20, 0x1000, {}};
  chunk.target.add() = {8, 20, 0x2000, {}};
  CHECK_FALSE(lay_out_reply(exchange, true, {}, &returned, layout));
  CHECK(lay_out_reply(exchange, false, {bytes("inline"), nullptr, 6, 0}, &returned, layout));
}

TEST_CASE("payload: bytes are kept as far as they are without a break") {
  Exchange exchange;
  exchange.call = Stamp{};
  exchange.call_inline = {'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b'};
  exchange.call_inline_length = 8;
  SegmentFlow& segment = exchange.segments.add();
  segment.kind = ChunkKind::read;
  segment.position = 4;
  segment.target.length = 4;
  PayloadStream stream;
  REQUIRE(call_payload(exchange, stream));
  CHECK(stream.length == 12);
  CHECK(stream.bytes.size() == 4);
  CHECK(stream.captured.total() == 4);
  CHECK_FALSE(stream.whole());
  exchange.call.reset();
  CHECK_FALSE(call_payload(exchange, stream));
  CHECK(stream.length == 0);
  CHECK(stream.bytes.empty());
}
