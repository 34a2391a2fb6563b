// Dice: what is left to chance. The same seed throws the same, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace steertag::legal {

class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}

  uint64_t next() {  // SplitMix64
    state_ += 0x9E3779B97F4A7C15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  // 0 to count - 1
  uint32_t below(size_t count) { return static_cast<uint32_t>(next() % count); }
  // Both ends included.
  uint32_t from_to(uint32_t first, uint32_t last) { return first + below(last - first + 1); }
  bool chance(uint32_t percent) { return below(100) < percent; }
  template <typename List>
  const auto& one_of(const List& list) {
    return list.begin()[below(list.size())];
  }
  std::string_view one_of(std::initializer_list<std::string_view> list) {
    return list.begin()[below(list.size())];
  }
  uint32_t one_of(std::initializer_list<uint32_t> list) { return list.begin()[below(list.size())]; }

 private:
  uint64_t state_;
};

}  // namespace steertag::legal
