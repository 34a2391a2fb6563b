#include "sanitize/disguise.h"

#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "nfs/call.h"
#include "nfs/made.h"
#include "sanitize/made.h"

namespace steertag::sanitize {
namespace {

using made::Message;
using nfs::Meaning;

// "K" for a byte that stayed, "x" for one that did not; the message has no zeros in what is to be hidden.
std::string compared(const Disguise& disguise, const Message& message) {
  std::string text;
  for (size_t i = 0; i < message.bytes.size(); ++i) {
    text += disguise.bytes(0)[i] == message.bytes[i] ? 'K' : 'x';
  }
  return text;
}

std::string shown(const Message& message, bool walk = true) {
  const base::Stretch whole{message.bytes, nullptr, message.bytes.size(), 0};
  Disguise disguise(kKey, {&whole, 1});
  nfs::Stream stream = made::stream(message);
  disguise.take_header(stream, 0x1234);
  if (walk) {
    stream.marks = &disguise;
    nfs::CallWalk into;
    nfs::walk_call(stream, into);
    if (into.reason == nfs::Reason::past_end || into.reason == nfs::Reason::unknown_arm ||
        into.reason == nfs::Reason::unknown_operation ||
        (into.reason == nfs::Reason::trailing && into.rpc.procedure == 6)) {
      disguise.doubt(into);
    }
  }
  disguise.finish();
  return compared(disguise, message);
}

std::string kept(size_t count) {
  return std::string(count, 'K');
}
std::string hidden(size_t count) {
  return std::string(count, 'x');
}

TEST_CASE("of arguments, numbers stay and handles, names and data do not") {
  Message write = made::call(3, 7).opaque(32).words(1, 2, 3, 4).words(8).fill(8);
  CHECK(shown(write) == kept(40) + kept(4) + hidden(32) + kept(16) + kept(4) + hidden(8));
  Message lookup = made::call(3, 3).opaque(32).words(5).fill(5, 'z');
  CHECK(shown(lookup) == kept(40) + kept(4) + hidden(32) + kept(4) + hidden(5) + kept(3));
}

TEST_CASE("of arguments of NFSv2 stays what stays of NFSv3") {
  const Message write = made::call(2, 8).fill(32).words(1, 2, 3).words(8).fill(8);
  CHECK(shown(write) == kept(40) + hidden(32) + kept(12) + kept(4) + hidden(8));
  const Message read = made::call(2, 6).fill(32).words(1, 2, 3);
  CHECK(shown(read) == kept(40) + hidden(32) + kept(12));
  const Message lookup = made::call(2, 4).fill(32).words(5).fill(5, 'z');
  CHECK(shown(lookup) == kept(40) + hidden(32) + kept(4) + hidden(5) + kept(3));
  CHECK(shown(made::call(2, 4).fill(32).words(2).fill(2, '.')) == kept(40) + hidden(32) + kept(8));
  const Message rename = made::call(2, 11).fill(32).words(4).fill(4).fill(32).words(4).fill(4);
  CHECK(shown(rename) == kept(40) + hidden(32) + kept(4) + hidden(4) + hidden(32) + kept(4) + hidden(4));
}

TEST_CASE("a number stays where all of its bytes were captured") {
  const Message write = made::call(3, 7).opaque(32).words(0x00111111, 0x22222222, 3, 4).words(8).fill(8);
  constexpr size_t kNumber = 40 + 4 + 32, kSize = 8;
  for (const size_t captured : {kNumber + kSize, kNumber + kSize - 2}) {
    Message cut = write;
    cut.bytes.resize(captured);
    const base::Stretch whole{cut.bytes, nullptr, write.bytes.size(), 0};
    Disguise disguise(kKey, {&whole, 1});
    nfs::Stream stream({&whole, 1}, write.bytes.size());
    disguise.take_header(stream, 0x1234);
    stream.marks = &disguise;
    nfs::CallWalk into;
    nfs::walk_call(stream, into);
    disguise.finish();
    const std::string number = compared(disguise, cut).substr(kNumber);
    CHECK(number == (captured == kNumber + kSize ? kept(kSize) : hidden(kSize - 2)));
  }
}

// It is part of something else, in a message that one shifted word has made of another.
TEST_CASE("a number stays where it is no larger than any size, flag or place in a file") {
  const auto number = [](std::vector<uint8_t> bytes, Meaning meaning) {
    const base::Stretch whole{bytes, nullptr, bytes.size(), 0};
    Disguise disguise(kKey, {&whole, 1});
    disguise.mark(0, bytes.size(), meaning);
    disguise.finish();
    const Bytes shown = disguise.bytes(0);
    return std::equal(bytes.begin(), bytes.end(), shown.begin(), shown.end());
  };
  CHECK(number({0, 0xFF, 0xFF, 0xFF}, Meaning::number));
  CHECK_FALSE(number({1, 0, 0, 0}, Meaning::number));
  CHECK_FALSE(number({1, 0, 0, 0}, Meaning::count));
  CHECK(number({0xFF, 0xFF, 0xFF, 0xFF}, Meaning::count));
  CHECK(number({1, 0, 0, 0}, Meaning::bits));
  CHECK(number({0, 0xFF, 0, 0, 0x80, 0, 0, 0}, Meaning::offset));
  CHECK_FALSE(number({1, 0, 0, 0, 0, 0, 0, 1}, Meaning::offset));
  CHECK(number({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, Meaning::number));
}

TEST_CASE("an offset stays where the count beside it can be one, and both may not be of a name") {
  for (const uint32_t count : {4096u, 0xFFFFFFFFu, 0x73730000u}) {
    const Message read = made::call(3, 6).opaque(32).words(6, 0x726F6F74, count);
    CHECK(shown(read).substr(76) == (count == 0x73730000 ? hidden(12) : kept(12)));
  }
}

TEST_CASE("of a field of several numbers those stay that are no letters") {
  constexpr uint32_t kLetters = 0x726F6F74;
  const Message words = Message().words(1, kLetters, 0xFFFFFFFF, 7, kLetters, 8);
  const base::Stretch whole{words.bytes, nullptr, words.bytes.size(), 0};
  Disguise disguise(kKey, {&whole, 1});
  disguise.mark(0, words.bytes.size(), Meaning::number);
  disguise.finish();
  CHECK(compared(disguise, words) == kept(4) + hidden(4) + kept(8) + hidden(4) + kept(4));
}

// The parts of a message are as long as segments say. Where these have no whole words, data may follow.
TEST_CASE("a word that one part begins and another one ends is hidden") {
  const Message write = made::call(3, 7).opaque(32).words(1, 0x22222222, 3, 4).words(8).fill(8);
  constexpr size_t kNumber = 40 + 4 + 32, kCount = kNumber + 16;
  const auto parts = [&](size_t end) {
    const std::array<base::Stretch, 2> both = {
        base::Stretch{Bytes(write.bytes).first(end), nullptr, end, 0},
        base::Stretch{Bytes(write.bytes).subspan(end), nullptr, write.bytes.size() - end, 0}};
    Disguise disguise(kKey, both);
    nfs::Stream stream(both, write.bytes.size());
    disguise.take_header(stream, 0x1234);
    stream.marks = &disguise;
    nfs::CallWalk into;
    nfs::walk_call(stream, into);
    disguise.finish();
    std::string text;
    for (size_t i = 0; i < write.bytes.size(); ++i) {
      text += (i < end ? disguise.bytes(0)[i] : disguise.bytes(1)[i - end]) == write.bytes[i] ? 'K' : 'x';
    }
    return text;
  };
  CHECK(parts(kNumber + 4).substr(kNumber, 8) == kept(8));
  CHECK(parts(kNumber + 5).substr(kNumber, 8) == hidden(8));
  CHECK(parts(kCount).substr(kCount, 4) == kept(4));
  CHECK(parts(kCount + 3).substr(kCount, 4) == hidden(4));
  constexpr size_t kVersion = 16, kProcedure = 20, kFlavor = 24;  // of the RPC header
  for (const size_t at : {kVersion, kProcedure, kFlavor}) {
    INFO(at);
    CHECK(parts(at).substr(at, 4) == kept(4));
    CHECK(parts(at + 3).substr(at, 4) == hidden(4));
  }
}

TEST_CASE("a directory's names for itself and for the one above stay, since they are everybody's") {
  const auto entry = [](size_t length, uint8_t byte) {
    return shown(made::call(3, 3).opaque(4).words(length).fill(length, byte));
  };
  const std::string front = kept(40) + kept(4) + hidden(4) + kept(4);
  CHECK(entry(1, '.') == front + kept(4));
  CHECK(entry(2, '.') == front + kept(4));
  CHECK(entry(3, '.') == front + hidden(3) + kept(1));
  CHECK(entry(2, 'z') == front + hidden(2) + kept(2));
}

TEST_CASE("what no walk reaches is hidden") {
  Message unknown = made::call(1, 1, 400000).fill(12);
  CHECK(shown(unknown) == kept(40) + hidden(12));
  Message longer = made::call(3, 1).opaque(4).fill(8);
  CHECK(shown(longer) == kept(44) + hidden(4) + hidden(8));
}

TEST_CASE("AUTH_SYS keeps its counts, RPCSEC_GSS what it is for") {
  Message sys;
  sys.words(7, 0, 2, 100003, 3, 0, 1, 32)
      .fill(4)
      .words(4)
      .fill(4, 'h')
      .fill(4, 1)
      .fill(4, 2)
      .words(2)
      .fill(8, 3)
      .words(0, 0);
  CHECK(shown(sys) == kept(32) + hidden(4) + kept(4) + hidden(4) + hidden(8) + kept(4) + hidden(8) + kept(8));
  Message gss;
  gss.words(7, 0, 2, 100003, 3, 0, 6, 24, 1, 0, 9, 1, 4).fill(4).words(6, 8).fill(8);
  CHECK(shown(gss) == kept(32) + kept(20) + hidden(4) + kept(8) + hidden(8));
  Message padded;  // by what is no zeros
  padded.words(7, 0, 2, 100003, 3, 0, 6, 21, 1, 0, 9, 1, 1).fill(4).words(6, 5).fill(8);
  CHECK(shown(padded) == kept(32) + hidden(24) + kept(8) + hidden(8));
  Message odd;  // says that it is AUTH_SYS, and is not
  odd.words(7, 0, 2, 100003, 3, 0, 1, 8).fill(8).words(0, 0);
  CHECK(shown(odd) == kept(32) + hidden(8) + kept(8));
}

// A checksum may begin with the words that a credential of RPCSEC_GSS does.
TEST_CASE("of a verifier no byte is shown") {
  for (const uint32_t flavor : {1, 6}) {
    Message looks;
    looks.words(7, 0, 2, 100003, 3, 0, 0, 0, flavor, 24, 1, 0, 9, 1, 4).fill(4);
    CHECK(shown(looks) == kept(32 + 8) + hidden(24));
  }
}

// Linux stamps with 0, which is the number of root.
TEST_CASE("a stamp has another image than a user of the same number") {
  Message sys;
  sys.words(7, 0, 2, 100003, 3, 0, 1, 24, 0, 4).fill(4, 'h').words(0, 0, 0, 0, 0);
  const base::Stretch whole{sys.bytes, nullptr, sys.bytes.size(), 0};
  Disguise disguise(kKey, {&whole, 1});
  disguise.take_header(made::stream(sys), 7);
  const auto image = [&](size_t at) {
    const Bytes word = disguise.bytes(0).subspan(32 + at, 4);
    return std::vector<uint8_t>(word.begin(), word.end());
  };
  constexpr size_t kStamp = 0, kUser = 12, kGroup = 16;
  CHECK(image(kStamp) != image(kUser));
  CHECK(image(kUser) == image(kGroup));
}

TEST_CASE("a field in two stretches is one field") {
  const Message message = made::call(3, 3).opaque(32).words(8).fill(8, 'n');
  const Bytes all = message.bytes;
  const base::Stretch whole{all, nullptr, all.size(), 0};
  const base::Stretch parts[] = {{all.first(80), nullptr, 80, 0},
                                 {all.subspan(80), nullptr, all.size() - 80, 0}};
  Disguise one(kKey, {&whole, 1}), two(kKey, parts);
  for (Disguise* disguise : {&one, &two}) {
    disguise->mark(0, 76, Meaning::structure);
    disguise->mark(76, all.size() - 76, Meaning::opaque);
  }
  const Bytes image = one.bytes(0);
  CHECK(std::equal(two.bytes(0).begin(), two.bytes(0).end(), image.begin()));
  CHECK(std::equal(two.bytes(1).begin(), two.bytes(1).end(), image.begin() + 80));
}

TEST_CASE("data that is not at hand takes its place and gets no image") {
  const std::vector<uint8_t> bytes(8, 7);
  const base::Stretch parts[] = {{bytes, nullptr, 8, 0}, {{}, nullptr, 100, 0}, {bytes, nullptr, 8, 0}};
  Disguise disguise(kKey, parts);
  disguise.mark(0, 8, Meaning::bits);
  disguise.mark(8, 100, Meaning::item);
  disguise.mark(108, 8, Meaning::bits);
  disguise.finish();
  CHECK(disguise.bytes(1).empty());
  CHECK(std::equal(bytes.begin(), bytes.end(), disguise.bytes(2).begin()));
}

TEST_CASE("in a part that carries data, only what is read as something else is written") {
  const std::vector<uint8_t> front = {1, 2, 3, 4}, data(12, 7);
  const base::Stretch parts[] = {{front, nullptr, 4, 0}, {data, nullptr, 12, 0}};
  const auto written = [&](auto walk) {
    Disguise disguise(kKey, parts);
    disguise.carries_data(1);
    walk(disguise);
    disguise.finish();
    CHECK(disguise.bytes(0).size() == 4);
    std::string text;
    for (const uint8_t byte : disguise.bytes(1)) {
      text += byte == 0 ? '0' : byte == 7 ? 'K' : 'x';
    }
    return text;
  };
  CHECK(written([](Disguise&) {}).empty());
  CHECK(written([](Disguise& d) { d.mark(0, 16, Meaning::item); }).empty());
  CHECK(written([](Disguise& d) {
          d.mark(0, 8, Meaning::bits);
          d.mark(8, 4, Meaning::opaque);
        }) == "KKKKxxxx");
  CHECK(written([](Disguise& d) {
          d.mark(0, 8, Meaning::item);
          d.mark(8, 4, Meaning::bits);
        }) == "0000KKKK");
  CHECK(written([](Disguise& d) { d.keep(12, 4); }) == "00000000KKKK");
}

TEST_CASE("a walk that comes upon what cannot be leaves no number, nor the word that shows it") {
  // READ of a handle whose length is four too short: its last four bytes are read as a part of the offset.
  Message read = made::call(3, 6).words(28).fill(28, 0xF1).fill(4, 0xF1).words(0xF1F1F1F1, 0xF1F1F1F1, 8192);
  CHECK(shown(read) == kept(44) + hidden(28) + hidden(4 + 4 + 4) + hidden(4));
  // A bitmap that claims twelve words is none.
  Message longer = made::compound_of(2, 1).words(made::kGetAttr, 12).fill(48, 0xF1);
  CHECK(shown(longer) == kept(40) + kept(12) + kept(8) + hidden(48));
  // A name of a length that overruns the message.
  Message over = made::call(3, 3).opaque(32).words(0x6E616D65).fill(8, 0xF1);
  CHECK(shown(over) == kept(40) + kept(4) + hidden(32) + hidden(4) + hidden(8));
  Message name = made::call(3, 3).opaque(32).words(0x00016D65).fill(8, 0xF1);
  CHECK(shown(name) == kept(40) + kept(4) + hidden(32) + hidden(4) + hidden(8));
  // A minor version that nobody has may be the end of a tag.
  Message third = made::compound_of(3, 1).words(made::kGetAttr);
  Message strange = made::compound_of(0xF1F1, 1).words(made::kGetAttr);
  CHECK(shown(third) == kept(40) + kept(8) + hidden(8));
  CHECK(shown(strange) == kept(40) + kept(4) + hidden(4) + hidden(8));
}

TEST_CASE("a message that is not valid keeps no word behind one that was none") {
  const Message message = Message().words(5, 0x41424344, 7);
  const base::Stretch whole{message.bytes, nullptr, message.bytes.size(), 0};
  Disguise disguise(kKey, {&whole, 1});
  for (const uint64_t at : {0, 4, 8}) {
    disguise.mark(at, 4, Meaning::structure);
  }
  nfs::Walk walk;
  walk.offset = 12;
  walk.reason = nfs::Reason::unknown_arm;
  disguise.doubt(walk);
  disguise.finish();
  CHECK(compared(disguise, message) == kept(4) + hidden(8));
}

TEST_CASE("a word that one part begins and another one ends is none where no RPC header is valid") {
  const Message text = Message().words(0x1234, 0x41).fill(16, 0xF1);
  const Bytes all = text.bytes;
  const base::Stretch whole{all, nullptr, all.size(), 0};
  const base::Stretch parts[] = {{all.first(7), nullptr, 7, 0}, {all.subspan(7), nullptr, all.size() - 7, 0}};
  Disguise one(kKey, {&whole, 1}), two(kKey, parts);
  one.take_header({{&whole, 1}, all.size()}, 0x1234);
  two.take_header({parts, all.size()}, 0x1234);
  CHECK(one.bytes(0)[7] == 0x41);
  CHECK(two.bytes(1)[0] != 0x41);
}

// RFC 8881 §18.36.1: ca_rdma_ird has one element at most.
TEST_CASE("of a CREATE_SESSION sizes stay, and a depth of RDMA Reads does not") {
  constexpr uint32_t kCreateSession = 43;
  const auto made = [](uint32_t depths) {
    return made::compound_of(1, 1)
        .words(kCreateSession)
        .fill(8, 0xF1)
        .words(1, 2)
        .words(9, 8, 7, 6, 5, 4, depths)
        .fill(4 * depths, 0xF1)
        .words(9, 8, 7, 6, 5, 4, 0)
        .fill(4, 0xF1)
        .words(0);
  };
  constexpr size_t kFront = 40 + 12 + 4;  // bytes before the client id
  CHECK(shown(made(1)).substr(kFront) ==
        hidden(12) + kept(4) + kept(28) + hidden(4) + kept(28) + hidden(4) + kept(4));
  CHECK(shown(made(2)).substr(kFront + 8 + 8 + 28, 8) == hidden(8));
}

// RFC 8881 §3.3.7, §5.6, §20.4: attributes have numbers below 96, kinds of notifications a handful.
TEST_CASE("a word of a bitmap stays as far as its bits have a meaning") {
  constexpr uint32_t kGetAttr = 9, kGetDeviceInfo = 47, kNone = 0x7DE37D55;
  const Message attributes = made::compound_of(1, 1).words(kGetAttr, 3, kNone, kNone, kNone);
  constexpr size_t kFront = 40 + 12 + 4;  // bytes before the arguments
  CHECK(shown(attributes).substr(kFront) == kept(12) + hidden(4));
  for (const uint32_t kinds : {6u, kNone}) {
    const Message device =
        made::compound_of(1, 1).words(kGetDeviceInfo).fill(16, 0xF1).words(1, 4096, 1, kinds);
    CHECK(shown(device).substr(kFront) == hidden(16) + kept(12) + (kinds == kNone ? hidden(4) : kept(4)));
  }
}

// RFC 8881 §2.5: so_minor_id and so_major_id of the server, and its scope.
TEST_CASE("of the results of EXCHANGE_ID nothing stays that names the server") {
  constexpr uint32_t kExchangeId = 42;
  nfs::CallWalk asked =
      made::walk(made::compound_of(1, 1).words(kExchangeId).fill(8).opaque(4).words(1, 0, 0));
  REQUIRE(asked.complete());
  const Message reply = made::compound_reply(1)
                            .words(kExchangeId, 0)
                            .fill(16, 0xF1)  // client id, sequence number, flags
                            .words(0)
                            .fill(8, 0xF2)  // so_minor_id
                            .opaque(8)
                            .opaque(4)
                            .words(0);
  const base::Stretch whole{reply.bytes, nullptr, reply.bytes.size(), 0};
  Disguise disguise(kKey, {&whole, 1});
  nfs::Stream stream = made::stream(reply);
  disguise.take_header(stream, 0x1234);
  stream.marks = &disguise;
  nfs::ReplyWalk into;
  nfs::walk_reply(stream, asked, {}, into);
  REQUIRE(into.complete());
  disguise.finish();
  CHECK(compared(disguise, reply) == kept(24 + 12 + 8) + hidden(16) + kept(4) + hidden(8) + kept(4) +
                                         hidden(8) + kept(4) + hidden(4) + kept(4));
}

TEST_CASE("of what begins no RPC message only the XID stays") {
  Message other = Message().words(0x1234, 0x6E616D65, 0x6E616D65).fill(12, 0xF1);
  CHECK(shown(other) == kept(4) + hidden(other.bytes.size() - 4));
}

TEST_CASE("of what is no RPC header not even the front of a credential stays") {
  const uint32_t size = GENERATE(1, 2, 3, 5);  // of the credential, without its pad
  Message no_version = Message().words(0x1234, 0, 0xAF0000, 0, 0, 0, 0, size).fill(8, 0xF1);
  CHECK(shown(no_version) == kept(8) + hidden(4) + kept(20) + hidden(8));
}

}  // namespace
}  // namespace steertag::sanitize
