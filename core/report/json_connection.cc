#include <array>

#include "report/json.h"
#include "report/json_parts.h"
#include "report/names.h"

namespace steertag::report {
namespace {

// The keys of one end: client and server where the roles are known, a and b where not.
struct Keys {
  std::string_view end, qpn, port, gaps;
};
constexpr Keys client_keys{"client", "client_qpn", "client_port", "client_gaps"};
constexpr Keys server_keys{"server", "server_qpn", "server_port", "server_gaps"};
constexpr Keys a_keys{"a", "a_qpn", "a_port", "a_gaps"};
constexpr Keys b_keys{"b", "b_qpn", "b_port", "b_gaps"};

struct NamedEnd {
  const Keys& keys;
  const track::End& end;
};

// The client first; without roles, the side that was seen first.
std::array<NamedEnd, 2> ends(const track::Connection& connection) {
  if (!connection.client) {
    return {NamedEnd{a_keys, connection.ends[0]}, NamedEnd{b_keys, connection.ends[1]}};
  }
  const rdma::Side client = *connection.client;
  return {NamedEnd{client_keys, connection.end(client)},
          NamedEnd{server_keys, connection.end(rdma::other(client))}};
}

void private_data(JsonWriter& json, const std::array<NamedEnd, 2>& both) {
  if (!both[0].end.private_data.usable() && !both[1].end.private_data.usable()) {
    return;
  }
  json.object("private_data");
  for (const auto& [keys, end] : both) {
    if (end.private_data.usable()) {
      json.object(keys.end);
      json.boolean("remote_invalidation", end.private_data.remote_invalidation);
      json.number("send_size", end.private_data.send_size);
      json.number("receive_size", end.private_data.receive_size);
      json.end_object();
    }
  }
  json.end_object();
}

// By Requester: the client's forward, the server's for callbacks.
void credits(JsonWriter& json, const std::array<NamedEnd, 2>& both) {
  const auto any = [](const track::Credits& c) { return c.granted_min || c.in_flight_max != 0; };
  if (!any(both[0].end.credits) && !any(both[1].end.credits)) {
    return;
  }
  json.object("credits");
  for (const auto& [keys, end] : both) {
    const track::Credits& of = end.credits;
    if (!any(of)) {
      continue;
    }
    json.object(keys.end);
    if (of.granted_min) {
      json.number("granted_min", *of.granted_min);
      json.number("granted_max", *of.granted_max);
    }
    json.number("in_flight_max", of.in_flight_max);
    json.end_object();
  }
  json.end_object();
}

}  // namespace

void json_connection(Buffer& out, const track::Connection& connection, uint32_t number, Stage stage,
                     const Files& files, const flow::InForce* in_force) {
  const auto both = ends(connection);
  JsonWriter json(out);
  json.object();
  json.text("type", "connection");
  json.connection("conn", connection.number != 0 ? connection.number : track::ConnectionNumber(number));
  json.text("transport", name(connection.transport));
  for (const auto& [keys, end] : both) {
    json.text(keys.end, end.address.text());
  }
  for (const auto& [keys, end] : both) {
    if (end.qpn) {
      json.hex(keys.qpn, *end.qpn, 6);
    }
  }
  for (const auto& [keys, end] : both) {
    if (end.port) {
      json.number(keys.port, *end.port);
    }
  }
  json.boolean("setup_seen", connection.setup_seen());
  json.text("pairing", name(connection.pairing));
  json_frame(json, "first_frame", "file", connection.first_frame, files);
  if (connection.version != 0) {
    json.number("version", connection.version);
  }
  private_data(json, both);
  if (number != 0 && connection.number == 0) {
    json.boolean("rpcrdma", false);
  }
  if (in_force != nullptr) {
    const rdma::Side first = connection.client.value_or(rdma::Side::a);
    json_in_force(json, *in_force,
                  {EndKey{both[0].keys.end, first}, EndKey{both[1].keys.end, rdma::other(first)}}, files);
  }
  if (stage == Stage::ended) {
    credits(json, both);
    json_frame(json, "last_frame", "last_file", connection.last_frame, files);
    if (connection.ended) {
      json.text("ended", name(*connection.ended));
    }
    for (const auto& [keys, end] : both) {
      if (end.gaps != 0) {
        json.number(keys.gaps, end.gaps);
      }
    }
    const auto count = [&](std::string_view key, uint64_t number_of) {
      if (number_of != 0) {
        json.number(key, number_of);
      }
    };
    count("copies", uint64_t{both[0].end.copies} + both[1].end.copies);
    count("ecn_ce", uint64_t{both[0].end.ecn_ce} + both[1].end.ecn_ce);
    count("cnps", uint64_t{both[0].end.cnps} + both[1].end.cnps);
    count("pauses", connection.pauses);
  }
  json.end_object();
  json.end_line();
}

}  // namespace steertag::report
