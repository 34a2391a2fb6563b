#include "sanitize/key.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <vector>

namespace steertag::sanitize {
namespace {

std::string disguised(const Key& key, const std::string& text) {
  std::string out(text.size(), ' ');
  disguise(key, Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()),
           std::span(reinterpret_cast<uint8_t*>(out.data()), out.size()));
  return out;
}

TEST_CASE("the hash is SipHash-2-4, by the example of its authors") {
  std::vector<uint8_t> input(15);
  std::iota(input.begin(), input.end(), uint8_t{0});
  CHECK(Key{0x0706050403020100, 0x0F0E0D0C0B0A0908}.hash(input) == 0xA129CA6149BE45E5);
}

TEST_CASE("a disguise is of letters, the same for the same bytes and key") {
  const Key key{1, 2}, other{1, 3};
  const std::string name = disguised(key, "/home/alice/secret.txt");
  CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos);
  CHECK(name == disguised(key, "/home/alice/secret.txt"));
  CHECK(name != disguised(other, "/home/alice/secret.txt"));
  CHECK(name.substr(0, 5) != disguised(key, "/home/alice/secret.tx_").substr(0, 5));
}

TEST_CASE("a user that is root, or nobody, gets another number as well") {
  const std::string zeros(16, '\0'), ones(16, '\xFF');
  CHECK(disguised({1, 2}, zeros) != zeros);
  CHECK(disguised({1, 2}, ones) != ones);
}

TEST_CASE("of a key of constant images every image is the same") {
  const Key blank{1, 2, Key::Images::constant};
  CHECK(disguised(blank, "one") == disguised(blank, "two"));
  CHECK(disguised(blank.derive(7), "one") == disguised(blank, "two"));
  const std::string one = "one", two = "two";
  const auto bytes = [](const std::string& text) {
    return Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  };
  CHECK(blank.hash(bytes(one)) != blank.hash(bytes(two)));
}

TEST_CASE("a key is of all bytes that it is made of") {
  const std::vector<uint8_t> one(32, 1), two(33, 1);
  CHECK(Key::of(one).first != Key::of(two).first);
  CHECK(Key::of(one).second != Key::of(two).second);
  CHECK(Key::of(one).derive(1).first != Key::of(one).derive(2).first);
}

}  // namespace
}  // namespace steertag::sanitize
