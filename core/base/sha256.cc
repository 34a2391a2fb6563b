#include "base/sha256.h"

#include <fmt/core.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace steertag::base {
namespace {

constexpr size_t kBlock = 64;  // bytes
constexpr size_t kLength = 8;  // bytes of the number of bits, at the end

// The first 32 bits of the fractions of the cube roots of the first 64 primes.
constexpr std::array<uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// The same of the square roots of the first eight.
using State = std::array<uint32_t, 8>;
constexpr State kStart = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

std::array<uint32_t, 64> schedule_of(std::string_view block) {
  std::array<uint32_t, 64> w{};
  for (size_t i = 0; i < kBlock; ++i) {
    w[i / 4] = w[i / 4] << 8 | static_cast<uint8_t>(block[i]);
  }
  for (size_t i = 16; i < w.size(); ++i) {
    const uint32_t near = w[i - 15], far = w[i - 2];
    const uint32_t s0 = std::rotr(near, 7) ^ std::rotr(near, 18) ^ near >> 3;
    const uint32_t s1 = std::rotr(far, 17) ^ std::rotr(far, 19) ^ far >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  return w;
}

void take_block(State& state, std::string_view block) {
  const std::array<uint32_t, 64> w = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (size_t i = 0; i < w.size(); ++i) {
    const uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const uint32_t one = h + s1 + ((e & f) ^ (~e & g)) + kRounds[i] + w[i];
    const uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const uint32_t two = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + one;
    d = c;
    c = b;
    b = a;
    a = one + two;
  }
  const State mixed = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < state.size(); ++i) {
    state[i] += mixed[i];
  }
}

// What is left of the bytes, a bit that is set, zeros up to a whole block, and how many bits there were.
std::string padded(std::string_view rest, uint64_t bytes) {
  std::string end(rest);
  end += '\x80';
  end.resize((end.size() + kLength + kBlock - 1) / kBlock * kBlock - kLength);
  for (size_t i = 0; i < kLength; ++i) {
    end += static_cast<char>(bytes * 8 >> (56 - 8 * i));
  }
  return end;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  State state = kStart;
  const size_t whole = bytes.size() / kBlock * kBlock;
  for (size_t at = 0; at < whole; at += kBlock) {
    take_block(state, bytes.substr(at, kBlock));
  }
  const std::string end = padded(bytes.substr(whole), bytes.size());
  for (size_t at = 0; at < end.size(); at += kBlock) {
    take_block(state, std::string_view(end).substr(at, kBlock));
  }
  std::string hex;
  for (const uint32_t word : state) {
    hex += fmt::format("{:08x}", word);
  }
  return hex;
}

}  // namespace steertag::base
