#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "attempt/words.h"
#include "base/counted.h"
#include "base/units.h"
#include "history/in_force.h"
#include "report/names.h"
#include "report/text.h"
#include "report/text_parts.h"

namespace steertag::report {

std::array<rdma::Side, 2> in_order(const track::Connection& connection) {
  const rdma::Side first = connection.client.value_or(rdma::Side::a);
  return {first, rdma::other(first)};
}

std::string_view end_name(const track::Connection& connection, rdma::Side side) {
  return !connection.client          ? (side == rdma::Side::a ? "a" : "b")
         : side == connection.client ? "client"
                                     : "server";
}

void connection_label(Buffer& out, std::string_view what, const TextStyle& style) {
  hang(out, style, 26);
  print(out, "   {:<22} ", what);
}

namespace {

// The lines of `steertag connections` that say what counts on a connection: how long Sends may be, who takes
// Send With Invalidate, which transport characteristics hold and when they changed.
// For text_connection.cc alone.

using history::Basis;
using history::InForce;
using rdma::Side;
namespace xchar = rpcrdma::xchar;

// " (XCHAR_RBSIZ, frame 12)". `id`: the characteristic that may have set it.
std::string basis_text(const auto& fact, xchar::Id id, const TextStyle& style) {
  const char* more = fact.certain ? "" : "; may have changed since";
  switch (fact.by) {
    case Basis::version:
      return " (default)";
    case Basis::private_data:
      return " (private data)";
    case Basis::characteristic:
      return fmt::format(" ({}, frame {}{})", xchar::text(id), frame_text(*fact.at, style), more);
    case Basis::configuration:
      return fmt::format(" (CONF_RDMA, frame {}{})", frame_text(*fact.at, style), more);
  }
  return {};
}

// Whether private data is all that has set anything: then it goes without saying.
bool by_setup_alone(const InForce& in_force) {
  const auto by_setup = [](const InForce::End& end) {
    return !end.sends || (end.sends->by != Basis::characteristic && end.sends->by != Basis::configuration);
  };
  return in_force.version != 2 && by_setup(in_force.ends[0]) && by_setup(in_force.ends[1]);
}

// "8K to the server (XCHAR_RBSIZ, frame 6)".
std::string limit_text(const track::Connection& connection, const InForce& in_force, Side from,
                       const TextStyle& style) {
  const std::string_view other = end_name(connection, rdma::other(from));
  const std::string to = connection.client ? fmt::format("to the {}", other)
                                           : fmt::format("{} to {}", end_name(connection, from), other);
  const std::optional<history::Limit>& limit = in_force.of(from).sends;
  return !limit ? "unknown " + to
                : fmt::format("{} {}{}", base::size_text(limit->bytes), to,
                              by_setup_alone(in_force) ? "" : basis_text(*limit, xchar::Id::rbsiz, style));
}

// What the private data of an end says.
std::string_view flag_text(const track::End& end) {
  return !end.setup_seen             ? "not seen"
         : end.private_data.usable() ? (end.private_data.remote_invalidation ? "yes" : "no")
         : end.private_data_whole    ? "no (no private data)"
                                     : "not captured";
}

// A default is nothing that a Requester has said: with rdma_inv_handle a Call may still say more.
std::string invalidation_text(const InForce::End& end, const TextStyle& style) {
  if (!end.invalidation) {
    return "unknown";
  }
  return end.invalidation->by == Basis::version
             ? "no (default, unless a Call names a handle)"
             : fmt::format("{}{}", end.invalidation->given ? "yes" : "no",
                           basis_text(*end.invalidation, xchar::Id::reqreminv, style));
}

std::string term_text(const flow::Term& term) {
  return term.number ? xchar::value_text(term.which, *term.number) : fmt::format("({} bytes)", term.length);
}

std::string id_text(xchar::Id id) {
  const std::string_view known = xchar::text(id);
  return known.empty() ? fmt::format("characteristic {}", static_cast<uint32_t>(id)) : std::string(known);
}

// "XCHAR_RBSIZ 4096 (frame 18)"; at length, all its values: "XCHAR_RBSIZ 16384 (ROPT_INITXCH, frame 6), then
// ...".
std::string value_text(const InForce::Value& value, const TextStyle& style) {
  std::string text = id_text(value.now.which);
  if (value.is_default) {
    return fmt::format("{} {} (default)", text, term_text(value.now));
  }
  if (!style.verbose) {
    text += fmt::format(" {} (frame {})", term_text(value.now), frame_text(value.now.at, style));
  }
  for (size_t i = 0; style.verbose && i < value.history.size(); ++i) {
    const history::Conveyed& one = value.history[i];
    const std::string_view by = xchar::text(one.by);
    text += fmt::format("{} {} ({}{}frame {})", i == 0 ? "" : ", then", term_text(one), by,
                        by.empty() ? "" : ", ", frame_text(one.at, style));
  }
  return value.certain ? text : text + ", may have changed since";
}

// The smaller of what one end sends and the other takes counts (RFC 8797 §4): one half says what it allows.
std::string half_of_thresholds(const track::Connection& connection) {
  for (const Side side : in_order(connection)) {
    if (const track::End& end = connection.end(side); end.private_data.usable()) {
      return fmt::format("the {} sends up to {} and takes {}, the other half is not in the capture\n",
                         end_name(connection, side), base::size_text(end.private_data.send_size),
                         base::size_text(end.private_data.receive_size));
    }
  }
  return "unknown, the private data is not in the capture\n";
}

void text_thresholds(Buffer& out, const track::Connection& connection, const InForce& in_force,
                     const TextStyle& style) {
  const auto [first, second] = in_order(connection);
  const bool none = !in_force.of(first).sends && !in_force.of(second).sends;
  const bool by_setup = by_setup_alone(in_force);
  connection_label(out, "inline thresholds", style);
  if (by_setup && none) {
    put(out, half_of_thresholds(connection));
    if (!connection.end(first).setup_seen && !connection.end(second).setup_seen) {
      return;
    }
  } else {
    print(out, "{}, {}\n", limit_text(connection, in_force, first, style),
          limit_text(connection, in_force, second, style));
  }
  const auto invalidation = [&](Side side) {
    return fmt::format("{} {}", end_name(connection, side),
                       in_force.version == 2 ? invalidation_text(in_force.of(side), style)
                                             : std::string(flag_text(connection.end(side))));
  };
  connection_label(out, "remote invalidation", style);
  print(out, "{}, {}\n", invalidation(first), invalidation(second));
}

void text_characteristics(Buffer& out, const track::Connection& connection, const InForce& in_force,
                          const TextStyle& style) {
  const auto is_default = [](const InForce::Value& value) { return value.is_default; };
  const auto silent = [&](const InForce::End& end) {
    return std::all_of(end.characteristics.begin(), end.characteristics.end(), is_default);
  };
  if (!style.verbose && silent(in_force.ends[0]) && silent(in_force.ends[1])) {
    return;  // neither end has conveyed anything
  }
  std::string_view label = "characteristics";
  for (const Side side : in_order(connection)) {
    std::string_view before;
    for (const InForce::Value& value : in_force.of(side).characteristics) {
      if (before.empty() || style.verbose) {
        put(out, before);
        connection_label(out, std::exchange(label, ""), style);
        print(out, "{} {}", end_name(connection, side), value_text(value, style));
        before = style.verbose ? "\n" : ", ";
      } else {
        print(out, ", {}", value_text(value, style));
      }
    }
    put(out, before.empty() ? "" : "\n");
  }
}

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
    if (of.in_flight_max != 0) {
      print(out, ", at most {} at a time", base::counted(of.in_flight_max, "Call"));
    }
    put(out, '\n');
  };
  line(known ? "credits" : "credits of a", client.credits);
  line(known ? "credits for callbacks" : "credits of b", server.credits);
}

// "disconnect by 10.9.0.2, not confirmed"
std::string ending_text(const Connection& connection) {
  if (!connection.ended) {
    return connection.one_direction() && connection.ended_by
               ? fmt::format("asked for by {}; what the other end did is not in the capture",
                             connection.end(*connection.ended_by).address.text())
               : "open when the capture ended";
  }
  std::string text(name(*connection.ended));
  if (connection.reset && connection.ended_by && connection.reset->by != *connection.ended_by) {
    return fmt::format("{} by {}, which {} had closed", text,
                       connection.end(connection.reset->by).address.text(),
                       connection.end(*connection.ended_by).address.text());
  }
  if (connection.ended_by && *connection.ended != rdma::EndReason::replaced) {
    text += fmt::format(" by {}", connection.end(*connection.ended_by).address.text());
  }
  if (connection.rejection && *connection.ended == rdma::EndReason::reject) {
    text += fmt::format(" ({})", attempt::words({.kind = attempt::Reason::Kind::cm_reject,
                                                 .code = connection.rejection->reason}));
  }
  return connection.end_confirmed == false ? text + ", not confirmed" : text;
}

void story(Buffer& out, const Connection& connection, const TextStyle& style) {
  connection_label(out, "frames", style);
  print(out, "{} to {}, {}\n", frame_text(connection.first_frame, style),
        frame_text(connection.last_frame, style),
        base::duration_text(connection.last_frame.time_ns - connection.first_frame.time_ns));
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
  print(out, "{}\n", ending_text(connection));
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
  count("stray ACKs", &track::End::stray_acknowledgments, Zero::silent);
  count("copies captured", &track::End::copies, Zero::silent);
  count("NAKs", &track::End::naks, Zero::silent);
  count("RNR NAKs", &track::End::rnr_naks, Zero::silent);
  count("TCP zero windows", &track::End::zero_windows, Zero::silent);
  count("Terminates", &track::End::terminates, Zero::silent);
  count("ECN marks (CE)", &track::End::ecn_ce, Zero::silent);
  count("CNPs", &track::End::cnps, Zero::silent);
  if (connection.icmp.count != 0) {
    connection_label(out, "ICMP errors", style);
    print(out, "{}\n", icmp_text(connection.icmp, style));
  }
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
  if (style.verbose) {
    text_agreed(out, connection, style);
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
