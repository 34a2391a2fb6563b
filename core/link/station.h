// Station: who put a frame on its local network, as its Ethernet header says: the source MAC
// address and the innermost VLAN (IEEE 802.1Q). It is one number, so that a packet costs one
// comparison.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace steertag::link {

using Mac = std::array<uint8_t, 6>;

class Station {
 public:
  constexpr Station() = default;  // not known: the packet has no Ethernet header of its own
  // `vlan`: 0 to 4095; none where the frame has no tag.
  constexpr explicit Station(const Mac& mac, std::optional<uint16_t> vlan) {
    for (const uint8_t octet : mac) {
      number_ = number_ << 8 | octet;
    }
    number_ = number_ << 16 | vlan.value_or(kNoVlan);
  }

  constexpr bool known() const { return number_ >> 16 != 0; }  // an address of zeros is none
  constexpr std::optional<uint16_t> vlan() const {
    const auto vlan = static_cast<uint16_t>(number_);
    return !known() || vlan == kNoVlan ? std::nullopt : std::optional(vlan);
  }
  std::string mac() const;  // "02:00:00:00:00:01"; empty where it is not known
  friend constexpr bool operator==(const Station&, const Station&) = default;

 private:
  static constexpr uint16_t kNoVlan = 0xFFFF;

  uint64_t number_ = 0;
};

}  // namespace steertag::link
