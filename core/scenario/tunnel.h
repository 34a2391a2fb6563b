// Tunnels that a scenario puts around its frames, as a switch does that mirrors
// them to another host: written with the layouts that the decoders read. Called
// for every frame, once per tunnel, after everything else that makes the frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace steertag::scenario {

enum class Tunnel : uint8_t { gre, erspan1, erspan2, erspan3, vxlan, geneve, mpls, pseudowire, ipip };

inline constexpr std::string_view kTunnels = "gre erspan1 erspan2 erspan3 vxlan geneve mpls pseudowire ipip";

std::optional<Tunnel> tunnel_of(std::string_view name);

// An Ethernet frame with one more tunnel around it. mpls and ipip take its IP packet
// out, and leave a frame alone that carries none.
std::vector<uint8_t> enclose(Tunnel tunnel, const std::vector<uint8_t>& frame);

}  // namespace steertag::scenario
