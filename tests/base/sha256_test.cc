#include "base/sha256.h"

#include <catch2/catch.hpp>
#include <string>

namespace steertag::base {
namespace {

// Of so many bytes, each seven more than the one before.
std::string rising(size_t size) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i) {
    bytes += static_cast<char>(i * 7);
  }
  return bytes;
}

TEST_CASE("SHA-256: the examples of the standard") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-256: lengths about the end of a block, as sha256sum has them") {
  CHECK(sha256(rising(55)) == "576a1bf8d4478657e6dc4af9398544765c2a92cde28478b019235cfed315fc09");
  CHECK(sha256(rising(56)) == "9b20501dfd1d99161c257950f3444f3e49230c351c5c8e0943ef369f85f5205d");
  CHECK(sha256(rising(63)) == "30b345906b493f06f69444b6521113511c242f30e29840462950035043682f1e");
  CHECK(sha256(rising(64)) == "d8bc63b4fc1156e5e7d95a418b9bf54cd3174bedbc2db40f74895349b229b3c0");
  CHECK(sha256(rising(65)) == "1ee23b0fbcaecc1aff4a9e8f1645f35ab2c8e13609cd73b68df8b5e3f63ce073");
  CHECK(sha256(rising(119)) == "7a6589821178918ca8d9edaba5abfc1e9b2669564f4469b66885379c1530b2c8");
  CHECK(sha256(rising(120)) == "655250427d56b1b0eeb8497d21428704273458a01772d6881b65c0abac0f8a98");
  CHECK(sha256(rising(1000)) == "89f4ff56a25dd1db06a4ce6033603775d705fb96f30f8693733fef602a1ca532");
}

}  // namespace
}  // namespace steertag::base
