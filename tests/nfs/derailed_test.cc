#include "nfs/derailed.h"

#include <catch2/catch.hpp>

#include "made.h"

using namespace made;

namespace {

constexpr uint64_t kDataAt = 104;  // where the data of the WRITE begin, in compound_write()

Message front(uint32_t count) {
  return compound_of(1, 4).words(kPutFh).opaque(8).words(kWrite).zeros(7).words(count);
}
Message behind() {
  return Message().words(kGetAttr, 0, kPutFh, 0);
}

// What is inline, with a Read chunk of `length` bytes of file data, all ones, at `position`.
struct Reduced {
  Reduced(const Message& inlined, std::vector<nfs::PlacedChunk> placed) : chunks(std::move(placed)) {
    size_t taken = 0;
    for (const nfs::PlacedChunk& chunk : chunks) {
      const size_t until = taken + (chunk.at - message.bytes.size());
      message.bytes.insert(message.bytes.end(), inlined.bytes.begin() + static_cast<ptrdiff_t>(taken),
                           inlined.bytes.begin() + static_cast<ptrdiff_t>(until));
      taken = until;
      message.fill(chunk.length, 0xff);
    }
    message.bytes.insert(message.bytes.end(), inlined.bytes.begin() + static_cast<ptrdiff_t>(taken),
                         inlined.bytes.end());
  }
  nfs::CallWalk walk() const {
    nfs::Stream laid_out = stream(message);
    laid_out.chunks = chunks;
    nfs::CallWalk into;
    nfs::walk_call(laid_out, into);
    return into;
  }
  Message message;
  std::vector<nfs::PlacedChunk> chunks;
};

std::vector<uint32_t> operations(const nfs::CallWalk& walk) {
  return {walk.compound.operations.begin(), walk.compound.operations.end()};
}

const std::vector<uint32_t> kAll = {kPutFh, kWrite, kGetAttr, kPutFh};
const std::vector<uint32_t> kCertain = {kPutFh, kWrite};

}  // namespace

TEST_CASE("a Read chunk that is the data of a WRITE derails nothing") {
  for (const uint32_t count : {2000u, 1997u}) {
    for (const uint32_t chunk : {count, 2000u}) {
      const nfs::CallWalk found = Reduced(front(count).add(behind()), {{kDataAt, chunk}}).walk();
      CHECK(found.complete());
      CHECK_FALSE(found.derailment);
      CHECK(operations(found) == kAll);
      CHECK(found.compound.certain == UINT32_MAX);
    }
  }
}

TEST_CASE("behind a Read chunk of a wrong length, what is inline goes on behind the byte count") {
  for (const uint32_t chunk : {4u, 1992u, 1996u, 2004u, 2400u}) {
    const nfs::CallWalk found = Reduced(front(2000).add(behind()), {{kDataAt, chunk}}).walk();
    CHECK(found.reason == Reason::derailed);
    REQUIRE(found.derailment);
    CHECK(found.derailment->at == kDataAt);
    CHECK(operations(found) == kAll);
    CHECK(found.compound.certain == 2);
    CHECK_FALSE(found.operations_walked());
    REQUIRE_FALSE(found.items.empty());
    CHECK(found.items[0].position == kDataAt);
  }
}

TEST_CASE("a Read chunk at a wrong Position is missing where it belongs") {
  for (const uint64_t position : {uint64_t{72}, kDataAt - 8, kDataAt - 4, kDataAt + 4, kDataAt + 12}) {
    const nfs::CallWalk found = Reduced(front(2000).add(behind()), {{position, 2000}}).walk();
    CHECK(found.reason == Reason::derailed);
    CHECK(operations(found) == kAll);
    CHECK(found.compound.certain <= 2);
  }
}

TEST_CASE("where nothing proves how a derailed Call goes on, its operations end with the chunk") {
  SECTION("something else is left inline") {
    const Message odd = front(2000).add(behind()).zeros(1);
    CHECK(operations(Reduced(odd, {{kDataAt, 1992}}).walk()) == kCertain);
  }
  SECTION("neither Position nor length is that of an item") {
    CHECK(operations(Reduced(front(2000).add(behind()), {{kDataAt + 4, 1992}}).walk()) == kCertain);
  }
  SECTION("a second chunk belongs to nothing") {
    const Reduced two(front(2000).add(behind()), {{kDataAt, 1992}, {kDataAt + 1992 + 4, 16}});
    CHECK(operations(two.walk()) == kCertain);
  }
}

TEST_CASE("what a derailed Call asks for behind its Read chunk is not taken for known") {
  const Message reads = compound_of(1, 4)
                            .words(kPutFh)
                            .opaque(8)
                            .words(kWrite)
                            .zeros(7)
                            .words(2000)
                            .words(kRead)
                            .zeros(6)
                            .words(512)
                            .words(kGetAttr, 0);
  const nfs::CallWalk found = Reduced(reads, {{kDataAt, 1000}}).walk();
  CHECK(operations(found) == std::vector<uint32_t>{kPutFh, kWrite, kRead, kGetAttr});
  CHECK(found.compound.reads == 0);
  CHECK(found.wanted.empty());
}

TEST_CASE("no result is judged by what follows a derailed Read chunk") {
  const nfs::CallWalk asked = Reduced(front(2000).add(behind()), {{kDataAt, 1992}}).walk();
  const Message written = compound_reply(4).words(kPutFh, 0, kWrite, 0).zeros(4);
  SECTION("whatever operation it is of") {
    const nfs::ReplyWalk found = walk(Message(written).words(kRead, 0), asked);
    CHECK(found.reason == Reason::call_unknown);
    CHECK_FALSE(found.contradicted);
  }
  SECTION("but those in front of it are") {
    CHECK(walk(compound_reply(2).words(kPutFh, 0, kRead, 0), asked).reason == Reason::other_operation);
  }
}
