// The members of {"type":"connection"}: who talks to whom, what was agreed, and what became of it; each said
// once for all that print them or describe them (member.h). What is known at its end alone stands behind
// what the other commands have when they first name it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "attempt/reason.h"
#include "history/in_force.h"
#include "link/packet.h"
#include "report/json.h"
#include "report/names.h"
#include "report/record/ends.h"
#include "report/record/member.h"
#include "report/record/negotiation.h"
#include "track/connection.h"

namespace steertag::report::record {

void tell_certain(auto& to, bool certain) {
  to.boolean({"certain", R"("const": false)", "Something is missing that may have changed it since."},
             certain ? std::nullopt : std::optional(false));
}

// "inline_threshold"
void tell_limit(auto& to, const history::Limit& limit) {
  to.number({"bytes", "word", "By CONF_RDMA: of the RPC message in it."}, limit.bytes);
  to.text({"by", R"("enum": ["default", "private_data", "XCHAR_RBSIZ", "CONF_RDMA"])",
           "What sets it; default: the version of the protocol."},
          name(limit.by, rpcrdma::xchar::Id::rbsiz));
  to.frame({"frame", "file", "The frame of the message that has set it."}, limit.at);
  tell_certain(to, limit.certain);
}

// "remote_invalidation"
void tell_permission(auto& to, const history::InForce::Permission& permission) {
  to.boolean({"accepted", "",
              "By private data: only where both ends support it. By default, rdma_inv_handle of a Call may "
              "still name a handle."},
             permission.given);
  to.text({"by", R"("enum": ["default", "private_data", "XCHAR_REQREMINV"])",
           "What says so; default: the version of the protocol."},
          name(permission.by, rpcrdma::xchar::Id::reqreminv));
  to.frame({"frame", "file", "The frame of the message that says so."}, permission.at);
  tell_certain(to, permission.certain);
}

// An element of "characteristics_in_force"
void tell_in_force(auto& to, const history::InForce::Value& value) {
  const history::Conveyed& now = value.now;
  to.rule(R"("anyOf": [{"properties": {"frame": true}, "required": ["frame"]}, )"
          R"({"properties": {"default": true}, "required": ["default"]}])");
  tell_id(to, now.which);
  tell_term(to, now);
  to.truth({"default", "", "It was never conveyed."}, value.is_default);
  to.frame({"frame", "file", "The frame of the message that conveyed the value."},
           value.is_default ? std::nullopt : std::optional(now.at));
  to.text_if({"operation", "conveying"}, value.is_default ? std::string_view() : name(now.by));
  to.needs("operation", {"frame"});
  tell_certain(to, value.certain);
  to.list_if({"changes", R"("minItems": 2)",
              "All values that it had, in order, the one in force last; where there were several."},
             value.history.size() > 1, value.history, kEvery, [&](const history::Conveyed& one) {
               tell_term(to, one,
                         {.value = "As above, and so are the others.",
                          .text = "The name of the value.",
                          .data = "The first 64 bytes.",
                          .data_length = "Of the data."});
               to.frame({"frame", "file", "The frame of the message that conveyed it."}, one.at);
               to.text_if({"operation", "conveying"}, name(one.by));
             });
}

// `in_force`: null where it is not known.
void tell_all_in_force(auto& to, const EndNames& ends, const history::InForce* in_force) {
  const auto of = [in_force](auto history::InForce::End::*what) {
    return [in_force, what](rdma::Side side) {
      using What = std::remove_cvref_t<decltype(history::InForce::End().*what)>;
      return in_force == nullptr ? What() : in_force->of(side).*what;
    };
  };
  tell_of_ends(to,
               {"inline_thresholds", "",
                "How long the Sends of each end may be when the connection ends (connections, report), where "
                "that is known."},
               "inline_threshold", ends, of(&history::InForce::End::sends),
               [&](const history::Limit& limit) { tell_limit(to, limit); });
  tell_of_ends(to,
               {"remote_invalidation", "",
                "Whether each end, as a Requester, takes Send With Invalidate, where that is known."},
               "remote_invalidation", ends, of(&history::InForce::End::invalidation),
               [&](const history::InForce::Permission& permission) { tell_permission(to, permission); });
  using Values = std::span<const history::InForce::Value>;
  tell_of_ends(
      to,
      {"characteristics", "",
       "Version two: the transport characteristics of each end that are in force, by their numbers; also "
       "those that have their default, where nothing is missing that may have changed it."},
      ends,
      [&](rdma::Side side) {
        const Values values = in_force != nullptr ? Values(in_force->of(side).characteristics) : Values();
        return values.empty() ? std::nullopt : std::optional(values);
      },
      [&](std::string_view name, const std::optional<Values>& values) {
        to.list_if({name, "characteristics_in_force"}, values.has_value(), values.value_or(Values()), kEvery,
                   [&](const history::InForce::Value& value) { tell_in_force(to, value); });
      });
}

struct Connection {
  static constexpr std::string_view kType = "connection";
  static constexpr std::string_view kSays =
      "A connection: from connections, at its end, and from the other commands, where it is first named. "
      "Only connections and report give what is known at its end (from credits on).";

  const track::Connection& connection;
  uint32_t number = 0;  // where it has none, because it carries no RPC-over-RDMA
  Stage stage = Stage::named;
  const history::InForce* in_force = nullptr;  // null: not known
};

// Names of members that are of one end, in the order of EndNames.
struct OfEnd {
  std::string_view qpn, port, gaps, says, says_of_gaps;
};
inline constexpr std::array<OfEnd, 4> kOfEnds = {
    OfEnd{"client_qpn", "client_port", "client_gaps", "The Requester of the forward direction.",
          "How many times packets that the client sent are missing from the capture."},
    OfEnd{"server_qpn", "server_port", "server_gaps", "The Responder of the forward direction.",
          "The same of the server."},
    OfEnd{"a_qpn", "a_port", "a_gaps",
          "The end that sent the first frame, where nothing shows which end is the client.",
          "The same of end a."},
    OfEnd{"b_qpn", "b_port", "b_gaps", "The other end, then.", "The same of end b."}};

// Of packets, by who sent them, in the order of EndNames.
inline constexpr std::array<std::string_view, 4> kFromEnds = {"from_client", "from_server", "from_a",
                                                              "from_b"};

// "private_data"
void tell_private_data(auto& to, const rpcrdma::PrivateData& data) {
  constexpr std::string_view kSize =
      R"("type": "integer", "minimum": 1024, "maximum": 262144, "multipleOf": 1024)";
  to.boolean({"remote_invalidation", "", "Whether its sender supports remote invalidation."},
             data.remote_invalidation);
  to.number({"send_size", kSize, "The longest message that it sends inline, in bytes."}, data.send_size);
  to.number({"receive_size", kSize, "The longest that it receives inline, in bytes."}, data.receive_size);
}

// "markings"
inline std::vector<uint32_t> bits_of(uint64_t set, uint32_t most) {
  std::vector<uint32_t> found;
  for (uint32_t bit = 0; bit < most; ++bit) {
    if ((set >> bit & 1) != 0) {
      found.push_back(bit);
    }
  }
  return found;
}

void tell_markings(auto& to, const track::TrafficClass& seen) {
  static constexpr std::string_view kEcn[] = {"Not-ECT", "ECT1", "ECT0", "CE"};
  std::vector<std::string_view> ecn;
  for (const uint32_t bit : bits_of(seen.ecn, 4)) {
    ecn.push_back(kEcn[bit]);
  }
  const std::vector<uint32_t> pcp = bits_of(seen.priorities, link::Packet::kNoPriority);
  to.numbers({"dscp", R"("type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 63})",
              "The code points of its packets (RFC 2474)."},
             bits_of(seen.dscp, 64));
  to.texts({"ecn", R"("type": "array", "items": {"enum": ["Not-ECT", "ECT1", "ECT0", "CE"]})",
            "What they say of explicit congestion notification (RFC 3168)."},
           ecn);
  to.numbers_if({"pcp", R"("type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 7})",
                 "The priorities of their VLAN tags."},
                !pcp.empty(), pcp);
}

// "link_change"
void tell_link_change(auto& to, const track::LinkChanges& changes) {
  constexpr std::string_view kMac = R"("type": "string", "pattern": "^[0-9a-f]{2}(:[0-9a-f]{2}){5}$")";
  constexpr std::string_view kVlan = R"("type": "integer", "minimum": 0, "maximum": 4095)";
  to.number({"count", "some", "How often."}, changes.count);
  to.text({"mac_before", kMac, "The source MAC address of its frames in front of the latest change."},
          changes.before.mac());
  to.number({"vlan_before", kVlan, "Their VLAN; the innermost, where there are several."},
            changes.before.vlan());
  to.text({"mac", kMac, "The source MAC address since."}, changes.latest.mac());
  to.number({"vlan", kVlan, "The VLAN since."}, changes.latest.vlan());
  to.frame({"frame", "file", "The first frame since."}, changes.at);
}

// "link_changes"
void tell_link_changes(auto& to, const track::Connection& connection, const EndNames& ends) {
  tell_of_ends(
      to,
      {"link_changes", "",
       "Ethernet: that the packets of an end came from another MAC address or VLAN than before. Not told "
       "where the capture holds packets of that end twice, or has several taps."},
      "link_change", ends, [&](rdma::Side side) { return track::link_changes(connection, side); },
      [&](const track::LinkChanges& changes) { tell_link_change(to, changes); });
}

// "read_depth"
struct ReadDepth {
  std::optional<uint32_t> asks, offers;

  ReadDepth() = default;
  explicit ReadDepth(const track::End& end) : asks(end.initiator_depth), offers(end.responder_resources) {}
};

void tell_read_depth(auto& to, const ReadDepth& depth) {
  to.number({"asks", "word", "How many it wants to have outstanding."}, depth.asks);
  to.number({"offers", "word", "How many it serves."}, depth.offers);
}

// "retries"
void tell_retries(auto& to, const track::Retries& retries) {
  constexpr std::string_view kCount = R"("type": "integer", "minimum": 0, "maximum": 7)";
  to.number({"count", kCount, "How often its peer may send again what was not acknowledged in time (REQ)."},
            retries.count);
  to.number({"rnr", kCount, "How often its peer may send again after an RNR NAK; 7: for ever."}, retries.rnr);
  to.number({"ack_timeout", R"("type": "integer", "minimum": 0, "maximum": 31)",
             "How long its peer waits for an acknowledgment: 4.096 us times two to the power of this; 0: for "
             "ever (REQ)."},
            retries.ack_timeout);
}

// "credits"
void tell_credits(auto& to, const track::Credits& credits) {
  to.number({"granted_min", "word", "The fewest that it was granted."}, credits.granted_min);
  to.number({"granted_max", "word", "The most."}, credits.granted_max);
  to.needs("granted_min", {"granted_max"});
  to.needs("granted_max", {"granted_min"});
  to.number({"in_flight_max", "count", "The most Calls that it had outstanding."}, credits.in_flight_max);
}

// The addresses, queue pairs and ports of both ends.
void tell_both_ends(auto& to, const track::Connection& connection, const EndNames& ends) {
  to.rule(R"("oneOf": [{"properties": {"client": true, "server": true}, "required": ["client", "server"]}, )"
          R"({"properties": {"a": true, "b": true}, "required": ["a", "b"]}])");
  for (size_t i = 0; i < ends.size(); ++i) {
    const auto& [name, side] = ends[i];
    to.text_if({name, "address", kOfEnds[i].says},
               side ? connection.end(*side).address.text() : std::string());
  }
  for (size_t i = 0; i < ends.size(); ++i) {
    const auto side = ends[i].side;
    to.hex({kOfEnds[i].qpn, "qpn"}, side ? connection.end(*side).qpn : std::nullopt, 6);
  }
  for (size_t i = 0; i < ends.size(); ++i) {
    const auto side = ends[i].side;
    to.number({kOfEnds[i].port, "port"}, side ? connection.end(*side).port : std::nullopt);
  }
}

// "icmp"
void tell_icmp(auto& to, const track::IcmpErrors& errors) {
  const attempt::Reason reason = attempt::reason_of(errors.latest);
  to.number({"count", "some", "How many."}, errors.count);
  to.text({"reason", kSomeText, "Type and code of the latest."}, text(reason));
  to.text_if({"reason_name", kSomeText, "The same in words."}, name(reason));
  to.text({"by", "address", "Who sent that: the host itself, or a router in between."},
          errors.latest.by.text());
  to.frame({"frame", "file", "Its frame."}, errors.at);
}

// What is known when nothing more will come of it.
void tell_outcome(auto& to, const track::Connection& connection, const EndNames& ends) {
  tell_of_ends(
      to,
      {"credits", "", "By Requester: the client's are of the forward direction, the server's of callbacks."},
      "credits", ends,
      [&](rdma::Side side) {
        const track::Credits& credits = connection.end(side).credits;
        return credits.granted_min || credits.in_flight_max != 0 ? std::optional(credits) : std::nullopt;
      },
      [&](const track::Credits& credits) { tell_credits(to, credits); });
  tell_of_ends(
      to,
      {"retries", "",
       "RoCE, InfiniBand: how its peer is to send again, as each end says during the setup, where that was "
       "captured."},
      "retries", ends, [&](rdma::Side side) { return connection.end(side).retries; },
      [&](const track::Retries& retries) { tell_retries(to, retries); });
  to.number({"service_level", R"("type": "integer", "minimum": 0, "maximum": 15)",
             "RoCE, InfiniBand: the service level of the path that the REQ names."},
            connection.service_level);
  to.object_if(
      {"traffic_class", "", "How packets ask the network to treat them: all values that were seen."},
      connection.ends[0].traffic_class.dscp != 0 || connection.ends[1].traffic_class.dscp != 0, [&] {
        to.rule(R"("minProperties": 1)");
        for (size_t i = 0; i < ends.size(); ++i) {
          const auto side = ends[i].side;
          const track::TrafficClass& seen = connection.end(side.value_or(rdma::Side::a)).traffic_class;
          to.object_if({kFromEnds[i], "markings"}, side && seen.dscp != 0, [&] { tell_markings(to, seen); });
        }
      });
  tell_link_changes(to, connection, ends);
  to.frame({"last_frame", "last_file"}, std::optional(connection.last_frame));
  to.choice({"ended", "", "How it ended, where the capture shows it."}, connection.ended);
  to.text_if({"ended_by", "address", "Who ended it: by the first DREQ, FIN, RST or Terminate."},
             connection.ended && connection.ended_by ? connection.end(*connection.ended_by).address.text()
                                                     : std::string());
  to.boolean({"end_confirmed", "", "Whether the other end confirmed it: by a DREP, or a FIN of its own."},
             connection.ended ? connection.end_confirmed : std::nullopt);
  for (size_t i = 0; i < ends.size(); ++i) {
    const auto side = ends[i].side;
    to.some({kOfEnds[i].gaps, "some", kOfEnds[i].says_of_gaps}, side ? connection.end(*side).gaps : 0);
  }
  const auto sum = [&](auto track::End::*what) {
    return uint64_t{connection.ends[0].*what} + connection.ends[1].*what;
  };
  to.some({"copies", "some", "Frames that the capture holds once more, and that were dropped."},
          sum(&track::End::copies));
  to.some({"stray_acks", "some",
           "RoCE, InfiniBand: acknowledgments and NAKs that can belong to an earlier connection alone, by "
           "their PSNs."},
          sum(&track::End::stray_acknowledgments));
  to.some({"ecn_ce", "some", "Packets that the network marked as having met congestion."},
          sum(&track::End::ecn_ce));
  to.some({"cnps", "some", "Congestion notification packets."}, sum(&track::End::cnps));
  to.object_if({"icmp", "", "ICMP errors about its packets, once it was set up."}, connection.icmp.count != 0,
               [&] { tell_icmp(to, connection.icmp); });
  to.some({"pauses", "some", "Pause frames that stopped a link while it was open."}, connection.pauses);
}

void tell(auto& to, const Connection& told) {
  const track::Connection& connection = told.connection;
  const EndNames ends = end_names(connection.client);
  to.connection(
      {"conn", "conn", "Its number, from 1 in the order of first frames; other records refer to it by this."},
      connection.number != 0 ? connection.number : track::ConnectionNumber(told.number));
  to.choice({"transport", "transport"}, connection.transport);
  tell_both_ends(to, connection, ends);
  to.boolean({"setup_seen", "",
              "Whether both halves of the connection setup were captured, with their private data whole."},
             connection.setup_seen());
  to.choice({"pairing", "",
             "What ties the two directions together: the setup, what the packets show, or nothing, since "
             "only one direction was captured."},
            connection.pairing);
  to.some({"path_mtu", "some", "RoCE, InfiniBand: the path MTU that the REQ asks for, in bytes."},
          connection.path_mtu);
  tell_of_ends(
      to,
      {"read_depth", "", "RDMA Reads at a time, as each end says during the setup, where it was captured."},
      "read_depth", ends,
      [&](rdma::Side side) {
        const track::End& end = connection.end(side);
        return end.initiator_depth || end.responder_resources ? std::optional(ReadDepth{end}) : std::nullopt;
      },
      [&](const ReadDepth& depth) { tell_read_depth(to, depth); });
  to.frame({"first_frame", "file"}, connection.first_frame);
  to.some({"version", R"("type": "integer", "minimum": 1, "maximum": 4294967295)",
           "Of RPC-over-RDMA, as it is in use when the record is written."},
          connection.version);
  tell_of_ends(
      to, {"private_data", "", "RFC 8797 private data of the setup, of each end whose format is known."},
      "private_data", ends,
      [&](rdma::Side side) {
        const rpcrdma::PrivateData& data = connection.end(side).private_data;
        return data.usable() ? std::optional(data) : std::nullopt;
      },
      [&](const rpcrdma::PrivateData& data) { tell_private_data(to, data); });
  to.boolean({"rpcrdma", R"("const": false)",
              "It carries no RPC-over-RDMA (connections --all); its number is of these alone."},
             told.number != 0 && connection.number == 0 ? std::optional(false) : std::nullopt);
  tell_all_in_force(to, ends, told.in_force);
  to.part(told.stage == Stage::ended, [&] { tell_outcome(to, connection, ends); });
}

}  // namespace steertag::report::record
