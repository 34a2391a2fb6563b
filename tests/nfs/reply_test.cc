#include "nfs/reply.h"

#include <catch2/catch.hpp>

#include "made.h"

using namespace made;

namespace {

const nfs::CallWalk read3 = walk(call(3, 6).opaque(32).zeros(3));

// NFSv3 READ: status, no attributes, count, eof, the count word of the data.
Message read3_reply(uint32_t count) {
  return reply().words(0, 0, count, 0, count);
}

// PUTFH, READ, READ, GETATTR
const nfs::CallWalk reads = walk(
    compound_of(1, 4).words(kPutFh).opaque(8).words(kRead).zeros(7).words(kRead).zeros(7).words(kGetAttr, 0));

Message read_result(uint32_t count) {
  return Message().words(kRead, 0, 0, count);
}
Message reads_reply(const Message& first, const Message& second) {
  return compound_reply(4).words(kPutFh, 0).add(first).add(second).words(kGetAttr, 0, 1, 3).opaque(16);
}

}  // namespace

TEST_CASE("a READ with its data inline or in a Write chunk") {
  SECTION("inline, no chunks") {
    const nfs::ReplyWalk found = walk(read3_reply(100).fill(100), read3);
    REQUIRE(found.complete());
    REQUIRE(found.items.size() == 1);
    CHECK(found.items[0].kind == ItemKind::read_data);
    CHECK(found.items[0].placed == Placed::in_stream);
    CHECK(found.items[0].count == 100);
  }
  SECTION("inline, although a chunk was advertised") {
    const nfs::ReplyWalk found = walk(read3_reply(100).fill(100), read3, {0});
    REQUIRE(found.complete());
    CHECK(found.items[0].placed == Placed::in_stream);
    CHECK(found.unclaimed == 0);
  }
  SECTION("in the chunk, without and with its padding") {
    for (const uint64_t returned : {4093, 4096}) {
      const nfs::ReplyWalk found = walk(read3_reply(4093), read3, {returned});
      REQUIRE(found.complete());
      CHECK(found.fit == Fit::exact);
      CHECK(found.items[0].placed == Placed::in_chunk);
      CHECK(found.items[0].chunk == 0);
    }
  }
  SECTION("in the chunk, the padding inline") {
    const nfs::ReplyWalk found = walk(read3_reply(4093).fill(3, 0), read3, {4093});
    CHECK(found.reason == Reason::trailing);  // a whole word is not padding
    Message padded = read3_reply(4093);
    padded.bytes.resize(padded.bytes.size() + 3);
    const nfs::ReplyWalk right = walk(padded, read3, {4093});
    REQUIRE(right.complete());
    CHECK(right.fit == Fit::padded);
    CHECK(right.items[0].pad_inline);
  }
  SECTION("in the second chunk, the first is empty") {
    const nfs::ReplyWalk found = walk(read3_reply(8), read3, {0, 8});
    REQUIRE(found.complete());
    CHECK(found.items[0].chunk == 1);
  }
  SECTION("the chunk holds another number of bytes") {
    const nfs::ReplyWalk found = walk(read3_reply(4000), read3, {3000});
    REQUIRE(found.complete());
    CHECK(found.fit == Fit::loose);
    CHECK(found.items[0].placed == Placed::in_chunk);
    CHECK(found.items[0].count == 4000);
  }
  SECTION("inline and in the chunk") {
    const nfs::ReplyWalk found = walk(read3_reply(4).fill(4), read3, {4});
    REQUIRE(found.complete());
    CHECK(found.fit == Fit::loose);
    CHECK(found.items[0].placed == Placed::in_stream);
    CHECK(found.unclaimed == 1);
  }
}

TEST_CASE("a result that is neither in its chunk nor inline") {
  SECTION("half and half") {
    const nfs::ReplyWalk found = walk(read3_reply(8).fill(4), read3, {4});
    CHECK_FALSE(found.complete());
    CHECK(found.contradicted);
  }
  SECTION("whole in the chunk, and half of it inline") {
    CHECK(walk(read3_reply(8).fill(4), read3, {8}).contradicted);
  }
  SECTION("half inline, the chunk unused") {
    const nfs::ReplyWalk found = walk(read3_reply(8).fill(4), read3, {0});
    CHECK(found.reason == Reason::past_end);
    CHECK(found.contradicted);
  }
  SECTION("in front of other results") {
    const Message half = read_result(512).fill(256);
    CHECK(walk(reads_reply(half, read_result(30)), reads, {256, 30}).contradicted);
    CHECK_FALSE(walk(reads_reply(read_result(512), read_result(30)), reads, {512, 30}).contradicted);
  }
  SECTION("in both, and what follows is not captured") {
    const Message both = reads_reply(read_result(512).fill(512), read_result(30).fill(30));
    const Bytes front = slice(both.bytes, 0, 48);
    nfs::ReplyWalk found;
    nfs::walk_reply({front, nullptr, both.bytes.size()}, reads, std::vector<uint64_t>{512, 30}, found);
    CHECK_FALSE(found.contradicted);  // the second result is not known
    const nfs::CallWalk one =
        walk(compound_of(1, 3).words(kPutFh).opaque(8).words(kRead).zeros(7).words(kGetAttr, 0));
    const Message twice =
        compound_reply(3).words(kPutFh, 0).add(read_result(512).fill(512)).words(kGetAttr, 0);
    nfs::walk_reply({slice(twice.bytes, 0, 64), nullptr, twice.bytes.size() + 24}, one,
                    std::vector<uint64_t>{512}, found);
    CHECK_FALSE(found.complete());
    CHECK(found.contradicted);  // taken out, garbage follows; left inline, nothing is in the chunk
  }
  SECTION("not where a Reply may go on unseen, or goes wrong before any result") {
    const nfs::CallWalk unknown = walk(compound_of(1, 2).words(kRead).zeros(7).words(9999));
    CHECK_FALSE(walk(compound_reply(2).add(read_result(8)).words(9999, 0), unknown, {8}).contradicted);
    CHECK_FALSE(walk(compound_reply(1).words(kGetAttr, 0), reads, {8}).contradicted);
  }
}

TEST_CASE("of two readings that fit, the one that ends well wins over the one that was cut") {
  // In the chunk, the second READ begins where nothing was captured; inline, all is there.
  const nfs::CallWalk asked = walk(compound_of(1, 2).words(kRead).zeros(7).words(kRead).zeros(7));
  const Message answer = compound_reply(2).add(read_result(16).fill(16)).add(read_result(16));
  base::RangeSet captured;
  captured.add(0, 52);  // up to the count word of the first READ
  captured.add(68, answer.bytes.size() - 68);
  nfs::ReplyWalk found;
  nfs::walk_reply({answer.bytes, &captured, answer.bytes.size()}, asked, std::vector<uint64_t>{16}, found);
  REQUIRE(found.complete());
  CHECK(found.items[0].placed == Placed::in_stream);
  CHECK(found.items[1].placed == Placed::in_chunk);
}

TEST_CASE("a reading that agrees with the chunks wins over one that was tried before it and does not") {
  // The first reading has the first READ in the chunk, of another length, and goes on where nothing was
  // captured.
  const nfs::CallWalk asked = walk(compound_of(1, 2).words(kRead).zeros(7).words(kRead).zeros(7));
  const Message answer = compound_reply(2).add(read_result(512).fill(512)).add(read_result(30));
  base::RangeSet captured;
  captured.add(0, 52);  // up to the count word of the first READ
  captured.add(564, answer.bytes.size() - 564);
  nfs::ReplyWalk found;
  nfs::walk_reply({answer.bytes, &captured, answer.bytes.size()}, asked, std::vector<uint64_t>{30}, found);
  REQUIRE(found.complete());
  CHECK(found.fit == Fit::exact);
  CHECK(found.items[0].placed == Placed::in_stream);
  CHECK(found.items[1].placed == Placed::in_chunk);
}

TEST_CASE("nothing eligible, but a chunk was used") {
  const nfs::CallWalk getattr = walk(call(3, 1).opaque(32));
  const nfs::ReplyWalk found = walk(reply().words(0).zeros(21), getattr, {512});
  REQUIRE(found.complete());
  CHECK(found.fit == Fit::loose);
  CHECK(found.unclaimed == 1);
  CHECK(found.items.empty());
}

TEST_CASE("two READs of a COMPOUND and their chunks") {
  SECTION("each in its own") {
    const nfs::ReplyWalk found = walk(reads_reply(read_result(512), read_result(30)), reads, {512, 30});
    REQUIRE(found.complete());
    CHECK(found.fit == Fit::exact);
    CHECK(found.items[0].chunk == 0);
    CHECK(found.items[1].chunk == 1);
    CHECK(found.items[1].operation == 2);
  }
  SECTION("the second alone, its neighbour's chunk empty") {
    const nfs::ReplyWalk found =
        walk(reads_reply(read_result(512).fill(512), read_result(30)), reads, {0, 30});
    REQUIRE(found.complete());
    CHECK(found.items[0].placed == Placed::in_stream);
    CHECK(found.items[1].placed == Placed::in_chunk);
    CHECK(found.items[1].chunk == 1);
  }
  SECTION("the first alone, of the same length") {
    const nfs::ReplyWalk found =
        walk(reads_reply(read_result(512), read_result(512).fill(512)), reads, {512});
    REQUIRE(found.complete());
    CHECK(found.items[0].placed == Placed::in_chunk);
    CHECK(found.items[1].placed == Placed::in_stream);
  }
  SECTION("the second alone, of the same length") {
    const nfs::ReplyWalk found =
        walk(reads_reply(read_result(512).fill(512), read_result(512)), reads, {512});
    REQUIRE(found.complete());
    CHECK(found.items[0].placed == Placed::in_stream);
    CHECK(found.items[1].placed == Placed::in_chunk);
  }
  SECTION("the first is empty and needs none") {
    const nfs::ReplyWalk found = walk(reads_reply(read_result(0), read_result(30)), reads, {30, 0});
    REQUIRE(found.complete());
    CHECK(found.items[0].placed == Placed::in_stream);
    CHECK(found.items[1].chunk == 0);
  }
  SECTION("the first fails, and with it the COMPOUND") {
    const nfs::ReplyWalk found = walk(compound_reply(2).words(kPutFh, 0, kRead, 5), reads, {0, 0});
    REQUIRE(found.complete());
    CHECK(found.items.empty());
  }
  SECTION("in each other's") {
    const nfs::ReplyWalk found = walk(reads_reply(read_result(512), read_result(30)), reads, {30, 512});
    REQUIRE(found.complete());
    CHECK(found.fit == Fit::loose);
  }
}

TEST_CASE("several ways to read a Reply are none") {
  // The data of the first READ look like a READ result, and so does what they hide.
  const Message both = read_result(16).add(read_result(16));
  const nfs::ReplyWalk found = walk(compound_reply(3).words(kPutFh, 0).add(both), reads, {16});
  CHECK(found.reason == Reason::past_end);  // a third result is missing either way

  const nfs::CallWalk two = walk(compound_of(1, 2).words(kRead).zeros(7).words(kRead).zeros(7));
  const Message twice = compound_reply(2).add(read_result(16)).add(both);
  // Chunk first: 16 bytes stand for the second READ's data. Stream first: they are the first one's.
  const nfs::ReplyWalk unclear = walk(twice, two, {16});
  CHECK(unclear.reason == Reason::ambiguous);
  REQUIRE(unclear.items.size() == 1);
  CHECK(unclear.items[0].placed == Placed::undecided);
  CHECK(unclear.items[0].count == 16);
}

TEST_CASE("many READs and chunks are paired without trying everything") {
  constexpr uint32_t kReads = 30;
  Message asked = compound_of(1, kReads);
  Message answered = compound_reply(kReads);
  std::vector<uint64_t> returned;
  for (uint32_t i = 0; i < kReads; ++i) {
    asked.words(kRead).zeros(7);
    answered.add(read_result(1024 + 4 * i));
    returned.push_back(1024 + 4 * i);
  }
  const nfs::ReplyWalk found = walk(answered, walk(asked), returned);
  REQUIRE(found.complete());
  CHECK(found.items[29].chunk == 29);
}

TEST_CASE("a Reply is read by its Call") {
  const nfs::CallWalk readlink = walk(compound_of(1, 1).words(kReadLink));
  CHECK(walk(compound_reply(1).words(kReadLink, 0).opaque(20), readlink).complete());
  CHECK(walk(compound_reply(1).words(kGetAttr, 0, 0, 0), readlink).reason == Reason::other_operation);
  CHECK(walk(compound_reply(2).words(kReadLink, 0).opaque(20).words(kGetAttr, 0, 0, 0), readlink).reason ==
        Reason::other_operation);
  CHECK(walk(compound_reply(1).words(10044, 10044), readlink).complete());
  CHECK(walk(compound_reply(1), nfs::CallWalk{}).reason == Reason::call_unknown);
  CHECK(walk(call(3, 6), read3).reason == Reason::not_rpc);
}

TEST_CASE("a Reply without results ends with its header") {
  CHECK(walk(reply(5), read3).complete());
  CHECK(walk(reply(2).words(2, 4), read3).complete());
  CHECK(walk(Message().words(0x1234, 1, 1, 1, 2), read3).complete());  // MSG_DENIED, AUTH_ERROR
  CHECK(walk(reply(4).words(0), read3).reason == Reason::trailing);
}

TEST_CASE("a cut Reply proves nothing, but what cannot be is left out") {
  const Message message = read3_reply(4093);
  nfs::ReplyWalk found;
  const std::vector<uint64_t> returned = {4093};
  for (size_t kept = 0; kept < message.bytes.size(); ++kept) {
    nfs::walk_reply({slice(message.bytes, 0, kept), nullptr, message.bytes.size()}, read3, returned, found);
    CHECK(found.reason == Reason::not_captured);
  }
  // The data in front of a cut may be inline or not, as far as anyone can tell.
  const Message long_one = reads_reply(read_result(64).fill(64), read_result(64));
  nfs::walk_reply({slice(long_one.bytes, 0, 60), nullptr, long_one.bytes.size()}, reads, {{64}}, found);
  CHECK_FALSE(found.complete());
}
