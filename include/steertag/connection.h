// What `steertag schema` describes, as structs of your own. A member that does not apply is unset, empty, 0
// or false.
// Made of the records in core/report/record, which say each member once, by scripts/update-expected.
// clang-format off
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <steertag/version.h>

namespace steertag::v0 {

// The RDMA transport.
enum class Transport : uint8_t { roce1, roce2, infiniband, iwarp };
constexpr std::string_view name(Transport value) {
  constexpr std::array<std::string_view, 4> names = {"roce1", "roce2", "infiniband", "iwarp"};
  return static_cast<size_t>(value) < names.size() ? names[static_cast<size_t>(value)] : std::string_view();
}

enum class ConnectionPairing : uint8_t { setup, inferred, one_sided };
constexpr std::string_view name(ConnectionPairing value) {
  constexpr std::array<std::string_view, 3> names = {"setup", "inferred", "one_sided"};
  return static_cast<size_t>(value) < names.size() ? names[static_cast<size_t>(value)] : std::string_view();
}

struct ConnectionReadDepth {
  std::optional<uint32_t> asks;  // How many it wants to have outstanding.
  std::optional<uint32_t> offers;  // How many it serves.
};

struct ConnectionReadDepthByEnd {
  std::optional<ConnectionReadDepth> client;  // RDMA Reads at a time, as one end says.
  std::optional<ConnectionReadDepth> server;  // RDMA Reads at a time, as one end says.
  std::optional<ConnectionReadDepth> a;  // RDMA Reads at a time, as one end says.
  std::optional<ConnectionReadDepth> b;  // RDMA Reads at a time, as one end says.
};

struct ConnectionPrivateData {
  bool remote_invalidation = false;  // Whether its sender supports remote invalidation.
  uint64_t send_size = 0;  // The longest message that it sends inline, in bytes.
  uint64_t receive_size = 0;  // The longest that it receives inline, in bytes.
};

struct ConnectionPrivateDataByEnd {
  std::optional<ConnectionPrivateData> client;  // RFC 8797 private data of one end.
  std::optional<ConnectionPrivateData> server;  // RFC 8797 private data of one end.
  std::optional<ConnectionPrivateData> a;  // RFC 8797 private data of one end.
  std::optional<ConnectionPrivateData> b;  // RFC 8797 private data of one end.
};

struct ConnectionInlineThreshold {
  uint32_t bytes = 0;  // By CONF_RDMA: of the RPC message in it.
  std::string by;  // What sets it; default: the version of the protocol.
  std::optional<uint64_t> frame;  // The frame of the message that has set it.
  bool certain = true;  // False: Something is missing that may have changed it since.
};

struct ConnectionInlineThresholdsByEnd {
  std::optional<ConnectionInlineThreshold> client;  // The most bytes that a Send of one end may have.
  std::optional<ConnectionInlineThreshold> server;  // The most bytes that a Send of one end may have.
  std::optional<ConnectionInlineThreshold> a;  // The most bytes that a Send of one end may have.
  std::optional<ConnectionInlineThreshold> b;  // The most bytes that a Send of one end may have.
};

struct ConnectionRemoteInvalidation {
  // By private data: only where both ends support it. By default, rdma_inv_handle of a Call may still name a
  // handle.
  bool accepted = false;
  std::string by;  // What says so; default: the version of the protocol.
  std::optional<uint64_t> frame;  // The frame of the message that says so.
  bool certain = true;  // False: Something is missing that may have changed it since.
};

struct ConnectionRemoteInvalidationByEnd {
  std::optional<ConnectionRemoteInvalidation> client;  // Whether a Requester takes Send With Invalidate.
  std::optional<ConnectionRemoteInvalidation> server;  // Whether a Requester takes Send With Invalidate.
  std::optional<ConnectionRemoteInvalidation> a;  // Whether a Requester takes Send With Invalidate.
  std::optional<ConnectionRemoteInvalidation> b;  // Whether a Requester takes Send With Invalidate.
};

struct ConnectionChange {
  std::optional<uint32_t> value;  // As above, and so are the others.
  std::string text;  // The name of the value.
  std::optional<std::vector<uint8_t>> data;  // The first 64 bytes.
  std::optional<uint64_t> data_length;  // Of the data.
  uint64_t frame = 0;  // The frame of the message that conveyed it.
  std::string operation;  // The message that conveyed it; ROPT_RESPXCH: by accepting what was asked for.
};

struct ConnectionCharacteristicsInForce {
  uint32_t id = 0;  // Its number.
  std::string name;  // Its name, where it has one.
  std::optional<uint32_t> value;  // Its value; of XCHAR_RBSIZ, bytes.
  std::string text;  // The name of the value, where values have names; else the number.
  // Where it is no number, or the id is not known: the first 64 bytes.
  std::optional<std::vector<uint8_t>> data;
  std::optional<uint64_t> data_length;  // Of the data, where that is longer.
  bool default_ = false;  // It was never conveyed.
  std::optional<uint64_t> frame;  // The frame of the message that conveyed the value.
  std::string operation;  // The message that conveyed it; ROPT_RESPXCH: by accepting what was asked for.
  bool certain = true;  // False: Something is missing that may have changed it since.
  // All values that it had, in order, the one in force last; where there were several.
  std::vector<ConnectionChange> changes;
};

struct ConnectionCharacteristicsByEnd {
  std::vector<ConnectionCharacteristicsInForce> client;  // The transport characteristics of one end.
  std::vector<ConnectionCharacteristicsInForce> server;  // The transport characteristics of one end.
  std::vector<ConnectionCharacteristicsInForce> a;  // The transport characteristics of one end.
  std::vector<ConnectionCharacteristicsInForce> b;  // The transport characteristics of one end.
};

struct ConnectionCredits {
  std::optional<uint32_t> granted_min;  // The fewest that it was granted.
  std::optional<uint32_t> granted_max;  // The most.
  uint64_t in_flight_max = 0;  // The most Calls that it had outstanding.
};

struct ConnectionCreditsByEnd {
  std::optional<ConnectionCredits> client;  // The credits of one Requester, and what it made of them.
  std::optional<ConnectionCredits> server;  // The credits of one Requester, and what it made of them.
  std::optional<ConnectionCredits> a;  // The credits of one Requester, and what it made of them.
  std::optional<ConnectionCredits> b;  // The credits of one Requester, and what it made of them.
};

struct ConnectionRetries {
  // How often its peer may send again what was not acknowledged in time (REQ).
  std::optional<uint64_t> count;
  uint64_t rnr = 0;  // How often its peer may send again after an RNR NAK; 7: for ever.
  // How long its peer waits for an acknowledgment: 4.096 us times two to the power of this; 0: for ever
  // (REQ).
  std::optional<uint64_t> ack_timeout;
};

struct ConnectionRetriesByEnd {
  std::optional<ConnectionRetries> client;  // How often the peer of an end may send again, as that end says.
  std::optional<ConnectionRetries> server;  // How often the peer of an end may send again, as that end says.
  std::optional<ConnectionRetries> a;  // How often the peer of an end may send again, as that end says.
  std::optional<ConnectionRetries> b;  // How often the peer of an end may send again, as that end says.
};

struct ConnectionMarkings {
  std::vector<uint32_t> dscp;  // The code points of its packets (RFC 2474).
  std::vector<std::string> ecn;  // What they say of explicit congestion notification (RFC 3168).
  std::vector<uint32_t> pcp;  // The priorities of their VLAN tags.
};

struct ConnectionTrafficClass {
  std::optional<ConnectionMarkings> from_client;  // How the packets of one end ask the network to treat them.
  std::optional<ConnectionMarkings> from_server;  // How the packets of one end ask the network to treat them.
  std::optional<ConnectionMarkings> from_a;  // How the packets of one end ask the network to treat them.
  std::optional<ConnectionMarkings> from_b;  // How the packets of one end ask the network to treat them.
};

struct ConnectionLinkChange {
  uint64_t count = 0;  // How often.
  std::string mac_before;  // The source MAC address of its frames in front of the latest change.
  std::optional<uint64_t> vlan_before;  // Their VLAN; the innermost, where there are several.
  std::string mac;  // The source MAC address since.
  std::optional<uint64_t> vlan;  // The VLAN since.
  uint64_t frame = 0;  // The first frame since.
};

struct ConnectionLinkChangesByEnd {
  std::optional<ConnectionLinkChange> client;  // The latest change of where in its LAN one end sends from.
  std::optional<ConnectionLinkChange> server;  // The latest change of where in its LAN one end sends from.
  std::optional<ConnectionLinkChange> a;  // The latest change of where in its LAN one end sends from.
  std::optional<ConnectionLinkChange> b;  // The latest change of where in its LAN one end sends from.
};

enum class ConnectionEnded : uint8_t { disconnect, reject, fin, reset, terminate, replaced };
constexpr std::string_view name(ConnectionEnded value) {
  constexpr std::array<std::string_view, 6> names = {"disconnect", "reject", "fin", "reset", "terminate", "replaced"};
  return static_cast<size_t>(value) < names.size() ? names[static_cast<size_t>(value)] : std::string_view();
}

struct ConnectionIcmp {
  uint64_t count = 0;  // How many.
  std::string reason;  // Type and code of the latest.
  std::string reason_name;  // The same in words.
  std::string by;  // Who sent that: the host itself, or a router in between.
  uint64_t frame = 0;  // Its frame.
};

// A connection: from connections, at its end, and from the other commands, where it is first named. Only
// connections and report give what is known at its end (from credits on).
struct Connection {
  uint32_t conn = 0;  // Its number, from 1 in the order of first frames; other records refer to it by this.
  Transport transport{};  // The RDMA transport.
  std::string client;  // The Requester of the forward direction.
  std::string server;  // The Responder of the forward direction.
  std::string a;  // The end that sent the first frame, where nothing shows which end is the client.
  std::string b;  // The other end, then.
  std::optional<uint32_t> client_qpn;  // The number of the queue pair.
  std::optional<uint32_t> server_qpn;  // The number of the queue pair.
  std::optional<uint32_t> a_qpn;  // The number of the queue pair.
  std::optional<uint32_t> b_qpn;  // The number of the queue pair.
  std::optional<uint16_t> client_port;  // RDMA CM or TCP.
  std::optional<uint16_t> server_port;  // RDMA CM or TCP.
  std::optional<uint16_t> a_port;  // RDMA CM or TCP.
  std::optional<uint16_t> b_port;  // RDMA CM or TCP.
  // Whether both halves of the connection setup were captured, with their private data whole.
  bool setup_seen = false;
  // What ties the two directions together: the setup, what the packets show, or nothing, since only one
  // direction was captured.
  ConnectionPairing pairing{};
  uint64_t path_mtu = 0;  // RoCE, InfiniBand: the path MTU that the REQ asks for, in bytes.
  // RDMA Reads at a time, as each end says during the setup, where it was captured.
  std::optional<ConnectionReadDepthByEnd> read_depth;
  uint64_t first_frame = 0;  // The number of a frame, from 1, as Wireshark counts.
  uint64_t version = 0;  // Of RPC-over-RDMA, as it is in use when the record is written.
  // RFC 8797 private data of the setup, of each end whose format is known.
  std::optional<ConnectionPrivateDataByEnd> private_data;
  // How long the Sends of each end may be when the connection ends (connections, report), where that is
  // known.
  std::optional<ConnectionInlineThresholdsByEnd> inline_thresholds;
  // Whether each end, as a Requester, takes Send With Invalidate, where that is known.
  std::optional<ConnectionRemoteInvalidationByEnd> remote_invalidation;
  // Version two: the transport characteristics of each end that are in force, by their numbers; also those
  // that have their default, where nothing is missing that may have changed it.
  std::optional<ConnectionCharacteristicsByEnd> characteristics;
  // By Requester: the client's are of the forward direction, the server's of callbacks.
  std::optional<ConnectionCreditsByEnd> credits;
  // RoCE, InfiniBand: how its peer is to send again, as each end says during the setup, where that was
  // captured.
  std::optional<ConnectionRetriesByEnd> retries;
  // RoCE, InfiniBand: the service level of the path that the REQ names.
  std::optional<uint64_t> service_level;
  // How packets ask the network to treat them: all values that were seen.
  std::optional<ConnectionTrafficClass> traffic_class;
  // Ethernet: that the packets of an end came from another MAC address or VLAN than before. Not told where
  // the capture holds packets of that end twice, or has several taps.
  std::optional<ConnectionLinkChangesByEnd> link_changes;
  std::optional<uint64_t> last_frame;  // The number of a frame, from 1, as Wireshark counts.
  std::optional<ConnectionEnded> ended;  // How it ended, where the capture shows it.
  std::string ended_by;  // Who ended it: by the first DREQ, FIN, RST or Terminate.
  std::optional<bool> end_confirmed;  // Whether the other end confirmed it: by a DREP, or a FIN of its own.
  uint64_t client_gaps = 0;  // How many times packets that the client sent are missing from the capture.
  uint64_t server_gaps = 0;  // The same of the server.
  uint64_t a_gaps = 0;  // The same of end a.
  uint64_t b_gaps = 0;  // The same of end b.
  uint64_t copies = 0;  // Frames that the capture holds once more, and that were dropped.
  // RoCE, InfiniBand: acknowledgments and NAKs that can belong to an earlier connection alone, by their PSNs.
  uint64_t stray_acks = 0;
  uint64_t ecn_ce = 0;  // Packets that the network marked as having met congestion.
  uint64_t cnps = 0;  // Congestion notification packets.
  std::optional<ConnectionIcmp> icmp;  // ICMP errors about its packets, once it was set up.
  uint64_t pauses = 0;  // Pause frames that stopped a link while it was open.
};

}  // namespace steertag::v0
