// Options of `connection` and `connect`: addresses, queue pairs, private data.
#include <fmt/core.h>

#include "scenario/parser.h"

namespace steertag::scenario {
namespace {

constexpr uint32_t kMax24 = 0xFFFFFF;

void parse_address(Arguments& arguments, std::string_view name, uint32_t& into) {
  if (const auto text = arguments.value(name)) {
    const auto address = parse_ipv4(*text);
    if (!address) {
      arguments.problem().say(fmt::format(
          "{}= takes an IPv4 address such as 10.0.0.1; under IPv6 it becomes the last part of fd00::.",
          name));
    }
    into = address.value_or(into);
  }
}

// R= send= receive= pd_version= pd_flags= private_data=HEX none
// True where any of them was there.
bool parse_private_data(Arguments& arguments, PrivateSpec& into) {
  bool said = false;
  if (arguments.flag("none")) {
    into.present = false;
    return true;
  }
  if (const auto r = arguments.number("R", 1)) {
    into.block.remote_invalidation = *r != 0;
    said = true;
  }
  for (const auto& [name, size] :
       {std::pair{"send", &into.block.send_size}, {"receive", &into.block.receive_size}}) {
    if (const auto bytes = arguments.number(name, 262144)) {
      if (*bytes == 0 || *bytes % 1024 != 0) {
        arguments.problem().say(
            fmt::format("{}= is a multiple of 1024 from 1024 to 262144 (RFC 8797).", name));
      }
      *size = static_cast<uint32_t>(*bytes);
      said = true;
    }
  }
  if (const auto version = arguments.number("pd_version", 255)) {
    into.block.version = static_cast<uint8_t>(*version);
    said = true;
  }
  if (const auto flags = arguments.number("pd_flags", 255)) {
    into.block.reserved_flags = static_cast<uint8_t>(*flags & 0xFE);
    into.block.remote_invalidation = *flags & 1;
    said = true;
  }
  if (auto octets = arguments.octets("private_data")) {
    into.octets = std::move(octets);
    said = true;
  }
  into.present = into.present || said;
  return said;
}

// client(...) or server(...): the private data of one end.
void parse_end(Arguments& arguments, std::string_view name, PrivateSpec& into) {
  if (const Term* end = arguments.group(name)) {
    Arguments inner(end->arguments, arguments.problem());
    parse_private_data(inner, into);
    inner.finish(
        fmt::format("{}(...) takes \"none\" R= send= receive= pd_version= pd_flags= private_data=", name));
  }
}

void parse_mpa(Arguments& arguments, ConnectionSpec& into) {
  if (arguments.flag("nocrc")) {
    into.crc = false;
  }
  if (arguments.flag("crc")) {
    into.crc = true;
  }
  if (arguments.flag("markers")) {
    into.markers = {true, true};
  }
  if (const auto revision = arguments.number("rev", 255)) {
    into.revision = static_cast<uint8_t>(*revision);
  }
  if (const auto rtr = arguments.value("rtr")) {
    using Rtr = ConnectionSpec::Rtr;
    if (*rtr == "send" || *rtr == "write" || *rtr == "read") {
      into.rtr = *rtr == "send" ? Rtr::send : *rtr == "write" ? Rtr::write : Rtr::read;
    } else {
      arguments.problem().say(
          "rtr= is send, write or read: the zero-length message that says ready to receive.");
    }
  }
}

}  // namespace

void parse_connection(Arguments& arguments, ConnectionSpec& into) {
  parse_address(arguments, "client", into.address[0]);
  parse_address(arguments, "server", into.address[1]);
  arguments.pair("qpn", into.qpn, kMax24);
  arguments.pair("psn", into.psn, kMax24);
  if (const auto comm = arguments.number("comm", 0x7FFF)) {
    into.comm = *comm;
  }
  arguments.pair("seq", into.sequence, UINT32_MAX);
  arguments.pair("depth", into.depth, 0x3FFF);
  if (const auto port = arguments.number("port", 65535)) {
    into.port = static_cast<uint16_t>(*port);
  }
  if (const auto port = arguments.number("source_port", 65535)) {
    into.source_port = static_cast<uint16_t>(*port);
  }
  if (const auto mtu = arguments.number("mtu", 4096)) {
    if (*mtu < 256 || (*mtu & (*mtu - 1)) != 0) {
      arguments.problem().say("mtu= is 256, 512, 1024, 2048 or 4096: the RoCE path MTU.");
    }
    into.mtu = static_cast<uint32_t>(*mtu);
  }
  if (const auto mss = arguments.number("mss", 16384)) {
    if (*mss < 128) {
      arguments.problem().say("mss= is 128 to 16384 bytes.");
    }
    into.mss = static_cast<uint32_t>(*mss);
  }
  if (const auto bytes = arguments.number("segment", 65000)) {
    into.resegment = static_cast<uint32_t>(*bytes);
  }
  if (const auto end = arguments.value("unfilled")) {
    if (*end != "client" && *end != "server") {
      arguments.problem().say("unfilled= is client or server: whose packets carry no ICRC yet.");
    }
    into.unfilled[rdma::index(*end == "client" ? kClient : kServer)] = true;
  }
  parse_mpa(arguments, into);
  if (parse_private_data(arguments, into.private_data[0])) {
    into.private_data[1] = into.private_data[0];
  }
  parse_end(arguments, "client", into.private_data[0]);
  parse_end(arguments, "server", into.private_data[1]);
  into.rejected = arguments.flag("rejected");
}

}  // namespace steertag::scenario
