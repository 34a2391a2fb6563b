#include "report/text_in_force.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "report/names.h"
#include "report/text_parts.h"
#include "report/units.h"

namespace steertag::report {
namespace {

using history::Basis;
using history::InForce;
using rdma::Side;
namespace xchar = rpcrdma::xchar;

// The client first; without roles, the side that was seen first.
std::array<Side, 2> in_order(const track::Connection& connection) {
  const Side first = connection.client.value_or(Side::a);
  return {first, rdma::other(first)};
}

std::string_view end_name(const track::Connection& connection, Side side) {
  return !connection.client ? (side == Side::a ? "a" : "b") : side == connection.client ? "client" : "server";
}

// " (XCHAR_RBSIZ, frame 12)". `id`: the characteristic that may have set it.
template <typename Fact>
std::string basis_text(const Fact& fact, xchar::Id id, const TextStyle& style) {
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
                : fmt::format("{} {}{}", size_text(limit->bytes), to,
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

}  // namespace

void connection_label(Buffer& out, std::string_view what, const TextStyle& style) {
  hang(out, style, 26);
  print(out, "   {:<22} ", what);
}

void text_thresholds(Buffer& out, const track::Connection& connection, const InForce& in_force,
                     const TextStyle& style) {
  const auto [first, second] = in_order(connection);
  const bool none = !in_force.of(first).sends && !in_force.of(second).sends;
  const bool by_setup = by_setup_alone(in_force);
  connection_label(out, "inline thresholds", style);
  if (by_setup && none) {
    put(out, "unknown, the private data is not in the capture\n");
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

}  // namespace steertag::report
