#include "wire/outline.h"

#include <catch2/catch.hpp>

#include "base/list.h"

using namespace steertag;
using namespace wire;

namespace {

enum class Colour : uint32_t { red = 1 };
std::string_view text(Colour colour) {
  return colour == Colour::red ? "RED" : std::string_view{};
}

enum class Nameless : uint8_t { zero };

struct Everything {
  Colour colour{}, unknown{};
  Nameless nameless{};
  uint32_t psn = 0;
  uint16_t address = 0;
  Bytes data;
  base::List<uint16_t> words;

  static void layout(auto& w, auto& e) {
    w("colour", e.colour);
    w("unknown", e.unknown);
    w("nameless", e.nameless);
    w.u24("psn", e.psn);
    w.hex("address", e.address);
    w.opaque("data", e.data);
    w.counted("words", e.words);
  }
};

const std::vector<uint8_t> octets = {0, 0, 0, 1, 0, 0, 0, 9, 5, 0, 1, 2, 0xab, 0xcd, 0,
                                     0, 0, 2, 6, 7, 0, 0, 0, 0, 0, 2, 0, 8,    0,    9};

std::string outline_of(Bytes bytes) {
  Everything everything;
  std::vector<Node> nodes;
  outline(bytes, octets.size(), everything, nodes);
  return text(nodes);
}

}  // namespace

TEST_CASE("an outline names every field and where it stands") {
  CHECK(outline_of(octets) ==
        "colour: RED (1) [0+4]\n"
        "unknown: 9 [4+4]\n"
        "nameless: 5 [8+1]\n"
        "psn: 258 [9+3]\n"
        "address: 0xabcd [12+2]\n"
        "data: 0607 [14+8]\n"
        "words [22+8]\n"
        "  words[0]: 8 [26+2]\n"
        "  words[1]: 9 [28+2]\n");
}

TEST_CASE("an outline of cut bytes lists what could be read, and no empty groups") {
  const std::string whole = outline_of(octets);
  for (size_t length = 0; length < octets.size(); ++length) {
    const std::string cut = outline_of(Bytes(octets).first(length));
    INFO("cut at " << length);
    if (length < 26) {
      CHECK(whole.compare(0, cut.size(), cut) == 0);
    }
    CHECK(cut.find("+0]") == std::string::npos);
  }
}

TEST_CASE("a long opaque is shown by its beginning and its length") {
  Node node;
  node.name = "data";
  node.kind = Node::Kind::opaque;
  const std::vector<uint8_t> bytes(40, 0x5a);
  node.bytes = bytes;
  std::string expected = "data: ";
  for (int i = 0; i < 32; ++i) {
    expected += "5a";
  }
  CHECK(text(node) == expected + "… (40 bytes)");
}
