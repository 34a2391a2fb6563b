#include "sanitize/key.h"

#include <algorithm>
#include <array>
#include <bit>

namespace steertag::sanitize {
namespace {

uint64_t little_endian(Bytes bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    value |= uint64_t{bytes[i]} << (8 * i);
  }
  return value;
}

struct State {
  uint64_t a, b, c, d;

  void round() {
    a += b;
    c += d;
    b = std::rotl(b, 13) ^ a;
    d = std::rotl(d, 16) ^ c;
    a = std::rotl(a, 32);
    c += b;
    a += d;
    b = std::rotl(b, 17) ^ c;
    d = std::rotl(d, 21) ^ a;
    c = std::rotl(c, 32);
  }
  void take(uint64_t word) {
    d ^= word;
    round();
    round();
    a ^= word;
  }
};

uint64_t hash_word(const Key& key, uint64_t word) {
  std::array<uint8_t, 8> bytes{};
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(word >> (8 * i));
  }
  return key.hash(bytes);
}

}  // namespace

uint64_t Key::hash(Bytes bytes) const {
  State state{first ^ 0x736F6D6570736575, second ^ 0x646F72616E646F6D, first ^ 0x6C7967656E657261,
              second ^ 0x7465646279746573};
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    state.take(little_endian(bytes.subspan(at, 8)));
  }
  state.take(little_endian(bytes.subspan(at)) | uint64_t{bytes.size()} << 56);
  state.c ^= 0xFF;
  for (int i = 0; i < 4; ++i) {
    state.round();
  }
  return state.a ^ state.b ^ state.c ^ state.d;
}

Key Key::of(Bytes bytes) {
  return {Key{1, 0}.hash(bytes), Key{2, 0}.hash(bytes)};
}

Key Key::derive(uint64_t purpose) const {
  return {hash_word(*this, 2 * purpose), hash_word(*this, 2 * purpose + 1), images};
}

void disguise(const Key& key, Bytes original, std::span<uint8_t> into) {
  const Key own{key.image(original), key.second};
  for (size_t at = 0; at < into.size(); at += 8) {
    uint64_t word = key.images == Key::Images::constant ? 0 : hash_word(own, at);
    for (size_t i = at; i < std::min(at + 8, into.size()); ++i, word >>= 8) {
      const auto byte = static_cast<uint8_t>(word);
      into[i] = key.images == Key::Images::bytes ? byte | uint8_t{byte == 0}
                                                 : static_cast<uint8_t>('a' + byte % 26);
    }
  }
}

void blank(const Key& key, std::span<uint8_t> into) {
  std::fill(into.begin(), into.end(), uint8_t{0});
  if (key.images == Key::Images::bytes) {
    disguise(key, {}, into);
  }
}

}  // namespace steertag::sanitize
