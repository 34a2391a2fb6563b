#include <optional>
#include <string>

#include "report/text.h"
#include "report/text_parts.h"
#include "track/connection.h"

namespace steertag::report {
namespace {

// What the setup says besides, at length: "16 asked, 16 offered".
std::string depth_text(const track::End& end) {
  const auto number = [](const std::optional<uint32_t>& value) {
    return value ? std::to_string(*value) : std::string("unknown");
  };
  return fmt::format("{} asked, {} offered", number(end.initiator_depth), number(end.responder_resources));
}

// "0, 26": a bit for each DSCP.
std::string dscp_text(uint64_t seen) {
  std::string text;
  for (uint32_t dscp = 0; dscp < 64; ++dscp) {
    text += (seen >> dscp & 1) == 0 ? "" : fmt::format("{}{}", text.empty() ? "" : ", ", dscp);
  }
  return text;
}

// "02:00:00:00:00:01 in VLAN 20"
std::string station_text(const link::Station& station) {
  const std::optional<uint16_t> vlan = station.vlan();
  return vlan ? fmt::format("{} in VLAN {}", station.mac(), *vlan) : station.mac();
}

}  // namespace

void text_agreed(Buffer& out, const track::Connection& connection, const TextStyle& style) {
  if (connection.path_mtu != 0) {
    connection_label(out, "path MTU", style);
    print(out, "{}\n", connection.path_mtu);
  }
  if (connection.service_level) {
    connection_label(out, "service level", style);
    print(out, "{}\n", *connection.service_level);
  }
  for (const rdma::Side side : in_order(connection)) {
    if (const std::optional<track::Retries>& retries = connection.end(side).retries) {
      connection_label(out, fmt::format("retries of {}", end_name(connection, rdma::other(side))), style);
      print(out, "{}\n", retries_text(*retries));
    }
  }
  for (const rdma::Side side : in_order(connection)) {
    if (const track::TrafficClass& seen = connection.end(side).traffic_class; seen.dscp != 0) {
      connection_label(out, fmt::format("DSCP from {}", end_name(connection, side)), style);
      print(out, "{}\n", dscp_text(seen.dscp));
    }
  }
  for (const rdma::Side side : in_order(connection)) {
    if (const auto changes = track::link_changes(connection, side)) {
      connection_label(out, fmt::format("link of {}", end_name(connection, side)), style);
      print(out, "{} since frame {}, {} before{}\n", station_text(changes->latest),
            frame_text(changes->at, style), station_text(changes->before),
            changes->count > 1 ? fmt::format(" ({} changes)", changes->count) : std::string());
    }
  }
  for (const rdma::Side side : in_order(connection)) {
    const track::End& end = connection.end(side);
    if (end.initiator_depth || end.responder_resources) {
      connection_label(out, fmt::format("RDMA Reads of {}", end_name(connection, side)), style);
      print(out, "{}\n", depth_text(end));
    }
  }
}

}  // namespace steertag::report
