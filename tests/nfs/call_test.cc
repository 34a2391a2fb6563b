#include "nfs/call.h"

#include <array>
#include <catch2/catch.hpp>

#include "made.h"

using namespace made;

namespace {

// PUTFH with a handle of 8 bytes, WRITE of `count` bytes, GETATTR: the data are at 104.
Message compound_write(uint32_t count) {
  return compound_of(1, 3).words(kPutFh).opaque(8).words(kWrite).zeros(7).opaque(count).words(kGetAttr, 0);
}

}  // namespace

TEST_CASE("where the data of a WRITE begin") {
  SECTION("NFSv3, AUTH_NONE and a handle of 32 bytes") {
    const nfs::CallWalk found = walk(call(3, 7).opaque(32).zeros(4).opaque(4093));
    REQUIRE(found.complete());
    REQUIRE(found.items.size() == 1);
    CHECK(found.items[0].kind == ItemKind::write_data);
    CHECK(found.items[0].position == 96);
    CHECK(found.items[0].count == 4093);
  }
  SECTION("NFSv2") {
    const nfs::CallWalk found = walk(call(2, 8).zeros(11).opaque(100));
    REQUIRE(found.complete());
    CHECK(found.items[0].position == 88);
  }
  SECTION("a COMPOUND with two of them") {
    const Message two =
        compound_of(0, 3).words(kWrite).zeros(7).opaque(5).words(kPutFh, 0, kWrite).zeros(7).opaque(7);
    const nfs::CallWalk found = walk(two);
    REQUIRE(found.complete());
    REQUIRE(found.items.size() == 2);
    CHECK(found.items[0].position == 88);
    CHECK(found.items[0].operation == 0);
    CHECK(found.items[1].position == 140);
    CHECK(found.items[1].operation == 2);
  }
}

TEST_CASE("the path of a symbolic link is eligible, that of nothing else") {
  const nfs::CallWalk v3 = walk(call(3, 10).opaque(16).opaque(3).zeros(6).opaque(20));
  REQUIRE(v3.complete());
  CHECK(v3.items[0].kind == ItemKind::symlink_path);
  CHECK(v3.items[0].position == 40 + 20 + 8 + 24 + 4);

  const nfs::CallWalk link = walk(compound_of(0, 1).words(6, 5).opaque(21).opaque(4).words(0, 0));
  REQUIRE(link.complete());
  REQUIRE(link.items.size() == 1);
  CHECK(link.items[0].position == 64);
  CHECK(link.items[0].count == 21);

  const nfs::CallWalk folder = walk(compound_of(0, 1).words(6, 2).opaque(4).words(0, 0));
  REQUIRE(folder.complete());
  CHECK(folder.items.empty());
}

TEST_CASE("data that was not captured is skipped, a word that was not ends the walk") {
  const Message message = compound_write(4096);
  base::RangeSet captured;
  captured.add(0, 104);
  nfs::Stream holed = {message.bytes, &captured, message.bytes.size()};
  nfs::CallWalk found;

  SECTION("what follows the data is missing too") {
    nfs::walk_call(holed, found);
    CHECK(found.reason == Reason::not_captured);
    CHECK(found.offset == 104 + 4096);
    CHECK(found.operation == 1);
    CHECK(found.opcode == kWrite);
    REQUIRE(found.items.size() == 1);
    CHECK(found.items[0].count == 4096);
  }
  SECTION("what follows the data is there") {
    captured.add(104 + 4096, 8);
    nfs::walk_call(holed, found);
    CHECK(found.complete());
  }
  SECTION("the credential is missing") {
    captured.clear();
    captured.add(0, 30);
    nfs::walk_call(holed, found);
    CHECK(found.reason == Reason::not_captured);
    CHECK_FALSE(found.header_known);
  }
}

TEST_CASE("a Call in two stretches is walked as in one") {
  const Message message = compound_write(12).zeros(1);
  const Bytes bytes = message.bytes;
  const nfs::CallWalk whole = walk(message);
  for (size_t first = 1; first < bytes.size(); ++first) {
    INFO(first << " bytes in front");
    const std::array<base::Stretch, 2> both = {
        {{bytes, nullptr, first, 0}, {bytes, nullptr, bytes.size() - first, first}}};
    nfs::CallWalk found;
    nfs::walk_call({both, bytes.size()}, found);
    REQUIRE(found.items.size() == 1);
    CHECK(found.items[0].position == whole.items[0].position);
    CHECK(found.reason == Reason::trailing);
    CHECK(found.left == 4);
    CHECK(found.left_zero == true);
  }
  SECTION("and what is behind a stretch that was not kept to its end is not read") {
    const std::array<base::Stretch, 2> both = {
        {{slice(bytes, 0, 60), nullptr, 64, 0}, {bytes, nullptr, bytes.size() - 64, 64}}};
    nfs::CallWalk found;
    nfs::walk_call({both, bytes.size()}, found);
    CHECK(found.reason == Reason::not_captured);
    CHECK(found.offset == 68);  // the first word behind it that is asked for
    nfs::Stream stream(both, bytes.size());
    stream.behind = base::Behind::read;  // unless that is wanted
    nfs::walk_call(stream, found);
    CHECK(found.reason == Reason::trailing);
    CHECK(found.compound.whole());
  }
}

TEST_CASE("a snaplen is never blamed on the peer") {
  const Message message = compound_write(64);
  nfs::CallWalk found;
  for (size_t kept = 0; kept < message.bytes.size(); ++kept) {
    INFO(kept << " bytes captured");
    nfs::walk_call({slice(message.bytes, 0, kept), nullptr, message.bytes.size()}, found);
    CHECK(found.reason == Reason::not_captured);
  }
  for (size_t kept = 4; kept < message.bytes.size(); ++kept) {
    INFO(kept << " bytes sent");
    nfs::walk_call({slice(message.bytes, 0, kept), nullptr, kept}, found);
    CHECK(found.reason == Reason::past_end);
  }
}

TEST_CASE("how a walk can end") {
  SECTION("zeros are left") {
    const nfs::CallWalk found = walk(compound_write(8).zeros(2));
    CHECK(found.reason == Reason::trailing);
    CHECK(found.operations_walked());
    CHECK(found.left == 8);
    CHECK(found.left_zero == true);
  }
  SECTION("something else is left") {
    const nfs::CallWalk found = walk(compound_write(8).words(0, 1));
    CHECK(found.left_zero == false);
  }
  SECTION("it was not captured what is left") {
    Message message = compound_write(8);
    nfs::CallWalk found;
    nfs::walk_call({message.bytes, nullptr, message.bytes.size() + 4}, found);
    CHECK(found.reason == Reason::trailing);
    CHECK_FALSE(found.left_zero);
  }
  SECTION("an unknown operation") {
    const nfs::CallWalk found = walk(compound_of(1, 3).words(kPutFh).opaque(8).words(77, 1, 2, 3));
    CHECK(found.reason == Reason::unknown_operation);
    CHECK(found.operation == 1);
    CHECK(found.opcode == 77);
    CHECK(found.offset == 72);
  }
  SECTION("a union arm that nobody defined") {
    CHECK(walk(compound_of(1, 1).words(12).zeros(6).words(2)).reason == Reason::unknown_arm);
  }
  SECTION("a count that is longer than the message") {
    const nfs::CallWalk found = walk(call(3, 7).opaque(32).zeros(4).words(0xffffffff).fill(8));
    CHECK(found.reason == Reason::past_end);
    REQUIRE(found.items.size() == 1);
    CHECK(found.items[0].count == 0xffffffff);
  }
  SECTION("another program") {
    CHECK(walk(call(3, 1, 100005).zeros(3)).reason == Reason::unknown_program);
  }
  SECTION("a Reply") {
    CHECK(walk(reply()).reason == Reason::not_rpc);
  }
}

TEST_CASE("the operations of a COMPOUND are noted as far as they could be read") {
  const nfs::CallWalk found = walk(compound_of(1, 3).words(43).zeros(20).words(25).zeros(7).words(27));
  REQUIRE(found.complete());
  CHECK(found.compound.minor_version == 1);
  CHECK(found.compound.session);
  CHECK(found.compound.reads == 2);
  REQUIRE(found.compound.operations.size() == 3);
  CHECK(found.compound.operations[1] == 25);

  CHECK(walk(compound_of(1, 1).words(41).zeros(6)).compound.session);
  CHECK_FALSE(walk(compound_write(4)).compound.session);
}

TEST_CASE("a COMPOUND walked after another shows nothing of it") {
  const Message first = compound_of(1, 3).words(43).zeros(20).words(25).zeros(7).words(27);
  nfs::CallWalk found = walk(first);
  REQUIRE(found.complete());
  const Message second = compound_write(4);
  nfs::walk_call(stream(second), found);
  const nfs::CallWalk fresh = walk(second);
  CHECK(found.reason == fresh.reason);
  CHECK(found.compound.operations.size() == fresh.compound.operations.size());
  CHECK(found.compound.reads == fresh.compound.reads);
  CHECK(found.compound.session == fresh.compound.session);
  CHECK(found.compound.announced == fresh.compound.announced);
  CHECK(found.compound.counted == fresh.compound.counted);
  CHECK(found.offset == fresh.offset);
  CHECK(found.operation == fresh.operation);
  CHECK(found.opcode == fresh.opcode);
  CHECK(found.left == fresh.left);
  CHECK(found.most_listed == fresh.most_listed);
}

TEST_CASE("a Call walked after a COMPOUND shows nothing of it") {
  nfs::CallWalk found = walk(compound_write(4));
  REQUIRE_FALSE(found.compound.operations.empty());
  const Message plain = call(3, 7).opaque(32).zeros(4).opaque(4);
  nfs::walk_call(stream(plain), found);
  CHECK(found.complete());
  CHECK(found.compound.operations.empty());
}

TEST_CASE("what RPCSEC_GSS hides is not walked") {
  const auto gss = [](uint32_t proc, uint32_t service) {
    Message message = Message().words(0x1234, 0, 2, 100003, 3, 1, 6, 20, 1, proc, 1, service, 0, 0, 0);
    return walk(message.opaque(32)).reason;
  };
  CHECK(gss(0, 1) == Reason::none);
  CHECK(gss(0, 2) == Reason::wrapped);
  CHECK(gss(0, 3) == Reason::wrapped);
  CHECK(gss(1, 1) == Reason::wrapped);
  CHECK(gss(3, 1) == Reason::wrapped);
}

TEST_CASE("what RPCSEC_GSS protects is as long as it says, with the length of a checksum behind it") {
  // 20 bytes of something else, then the length, the sequence number, 12 bytes, and the checksum's length.
  const auto inside = [](uint32_t length, uint64_t begin = 20) {
    const Message message = Message().zeros(5).words(length, 7).fill(12).words(0);
    return nfs::inside_integrity(stream(message), begin);
  };
  REQUIRE(inside(16));
  CHECK(inside(16)->length == 20 + 4 + 16);
  CHECK(inside(16)->header_length == 20 + 8);
  CHECK_FALSE(inside(17));
  CHECK_FALSE(inside(UINT32_MAX));
  REQUIRE(inside(4));
  CHECK(inside(4)->length == 28);
  CHECK_FALSE(inside(3));
  CHECK_FALSE(inside(0));
  CHECK_FALSE(inside(16, 44));
}
