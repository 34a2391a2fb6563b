// Shard: which share of a capture's connections a run is to follow: --shard 2/3 is the
// second of three. All connections between the same two hosts are of one share
// (track::Arrival::share); steertag merge puts the shares together.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

namespace steertag::host {

struct Shard {
  static constexpr uint32_t kMost = 65536;

  uint32_t place = 1, of = 1;  // from 1

  // "2/3"; nothing for anything else.
  static std::optional<Shard> read(const std::string& text) {
    Shard shard;
    const char* const end = text.data() + text.size();
    const auto [slash, error] = std::from_chars(text.data(), end, shard.place);
    if (error != std::errc() || slash == end || *slash != '/') {
      return std::nullopt;
    }
    const auto [stop, wrong] = std::from_chars(slash + 1, end, shard.of);
    const bool good = wrong == std::errc() && stop == end && shard.place >= 1 && shard.place <= shard.of &&
                      shard.of <= kMost;
    return good ? std::optional(shard) : std::nullopt;
  }
};

}  // namespace steertag::host
