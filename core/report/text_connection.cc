#include <algorithm>

#include "base/counted.h"
#include "report/names.h"
#include "report/text.h"
#include "report/text_in_force.h"
#include "report/text_parts.h"
#include "report/units.h"

namespace steertag::report {
namespace {

using track::Connection;
using track::End;

struct Roles {
  const End& client;  // the side seen first where the roles are not known
  const End& server;
  bool known;
};

Roles roles(const Connection& connection) {
  const rdma::Side client = connection.client.value_or(rdma::Side::a);
  return {connection.end(client), connection.end(rdma::other(client)), connection.client.has_value()};
}

// "10.9.0.2:45612", "[fd09::2]:45612", "10.9.0.2 QP 0x000012 port 20049".
std::string end_text(const End& end) {
  std::string address = end.address.text();
  if (!end.qpn) {
    if (!end.port) {
      return address;
    }
    const bool colons = address.find(':') != std::string::npos;
    return colons ? fmt::format("[{}]:{}", address, *end.port) : fmt::format("{}:{}", address, *end.port);
  }
  return fmt::format("{} QP {:#08x}{}", address, *end.qpn,
                     end.port ? fmt::format(" port {}", *end.port) : "");
}

void line(Buffer& out, const Connection& connection, track::ConnectionNumber number, const TextStyle& style) {
  const auto [client, server, known] = roles(connection);
  paint(out, style.palette, style.palette.title, fmt::format("#{}", number));
  print(out, " {} {} {} {}\n", name(connection.transport), end_text(client), known ? "->" : "<->",
        end_text(server));
}

// "64 granted, at most 12 Calls at a time"; the server's are those for callbacks.
void credits(Buffer& out, const Connection& connection, const TextStyle& style) {
  const auto [client, server, known] = roles(connection);
  const auto line = [&](std::string_view whose, const track::Credits& of) {
    if (!of.granted_min && of.in_flight_max == 0) {
      return;
    }
    connection_label(out, whose, style);
    if (!of.granted_min) {
      put(out, "none seen");
    } else if (*of.granted_min == *of.granted_max) {
      print(out, "{} granted", *of.granted_max);
    } else {
      print(out, "{} to {} granted", *of.granted_min, *of.granted_max);
    }
    print(out, ", at most {} at a time\n", base::counted(of.in_flight_max, "Call"));
  };
  line(known ? "credits" : "credits of a", client.credits);
  line(known ? "credits for callbacks" : "credits of b", server.credits);
}

void story(Buffer& out, const Connection& connection, const TextStyle& style) {
  connection_label(out, "frames", style);
  print(out, "{} to {}, {}\n", frame_text(connection.first_frame, style),
        frame_text(connection.last_frame, style),
        duration_text(connection.last_frame.time_ns - connection.first_frame.time_ns));
  const char* setup = connection.setup_seen() ? "seen"
                      : connection.ends[0].setup_seen && connection.ends[1].setup_seen
                          ? "seen, private data cut"
                      : connection.ends[0].setup_seen || connection.ends[1].setup_seen ? "seen in part"
                                                                                       : "not seen";
  const char* paired = connection.pairing == track::Pairing::inferred ? "; ends paired by their traffic"
                       : connection.one_direction()                   ? "; only one direction seen"
                                                                      : "";
  connection_label(out, "setup", style);
  print(out, "{}{}\n", setup, paired);
  connection_label(out, "end", style);
  print(out, "{}\n",
        connection.ended ? name(*connection.ended) : std::string_view("open when the capture ended"));
  const auto [client, server, known] = roles(connection);
  enum class Zero : uint8_t { said, silent };
  const auto count = [&, &client = client, &server = server, known = known](
                         std::string_view what, uint64_t track::End::*number, Zero zero) {
    if (client.*number == 0 && server.*number == 0) {
      if (zero == Zero::said) {
        connection_label(out, what, style);
        put(out, "none\n");
      }
      return;
    }
    connection_label(out, what, style);
    paint(out, style.palette, style.palette.warn,
          fmt::format("{} from {}, {} from {}", client.*number, known ? "the client" : "a", server.*number,
                      known ? "the server" : "b"));
    put(out, '\n');
  };
  count("gaps in the capture", &track::End::gaps, Zero::said);
  count("retransmissions", &track::End::retransmissions, Zero::silent);
  count("copies captured", &track::End::copies, Zero::silent);
  count("NAKs", &track::End::naks, Zero::silent);
  count("RNR NAKs", &track::End::rnr_naks, Zero::silent);
  count("TCP zero windows", &track::End::zero_windows, Zero::silent);
  count("Terminates", &track::End::terminates, Zero::silent);
  count("ECN marks (CE)", &track::End::ecn_ce, Zero::silent);
  count("CNPs", &track::End::cnps, Zero::silent);
  if (connection.pauses != 0) {
    connection_label(out, "pause frames", style);
    print(out, "{} captured meanwhile\n", connection.pauses);
  }
}

}  // namespace

void text_connection_line(Buffer& out, const Connection& connection, const TextStyle& style) {
  line(out, connection, connection.number, style);
}

void text_connection(Buffer& out, const Connection& connection, uint32_t number, const TextStyle& style,
                     const history::InForce* in_force) {
  line(out, connection, connection.number != 0 ? connection.number : track::ConnectionNumber(number), style);
  if (!connection.rpcrdma) {
    connection_label(out, "RPC-over-RDMA", style);
    put(out, "none\n");
  } else if (connection.version != 0) {
    connection_label(out, "RPC-over-RDMA", style);
    print(out, "version {}\n", connection.version);
  }
  if (connection.rpcrdma) {
    const history::InForce known = in_force != nullptr ? *in_force : history::in_force(connection);
    text_thresholds(out, connection, known, style);
    text_characteristics(out, connection, known, style);
    credits(out, connection, style);
  }
  story(out, connection, style);
}

void text_files(Buffer& out, const TextStyle& style) {
  if (!style.files.several()) {
    return;
  }
  for (size_t i = 0; i < style.files.names.size(); ++i) {
    print(out, "{}:  {}\n", i + 1, style.files.text(static_cast<uint32_t>(i)));
  }
  put(out, '\n');
}

}  // namespace steertag::report
