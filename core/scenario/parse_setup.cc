// Options of `connection` and `connect`: addresses, queue pairs, private data.

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

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

// rejected, rejected=REASON, refused, silent, unanswered; mra, mra=TIMEOUT
void parse_answer(Arguments& arguments, ConnectionSpec& into) {
  using Answer = ConnectionSpec::Answer;
  constexpr uint8_t kMost = 31, kUsual = 20;  // service timeouts; the latter stands for 4.3 s
  if (const auto timeout = arguments.number("mra", kMost)) {
    into.mra = static_cast<uint8_t>(*timeout);
  } else if (arguments.flag("mra")) {
    into.mra = kUsual;
  }
  if (const auto reason = arguments.number("rejected", UINT16_MAX)) {
    into.answer = Answer::rejected;
    into.reject_reason = static_cast<uint16_t>(*reason);
  } else {
    into.answer = arguments.flag("rejected")     ? Answer::rejected
                  : arguments.flag("refused")    ? Answer::refused
                  : arguments.flag("silent")     ? Answer::silent
                  : arguments.flag("unanswered") ? Answer::none
                                                 : Answer::accepted;
  }
}

// R= send= receive= pd_version= pd_flags= private_data=HEX none
// True where any of them was there.
bool parse_private_data(Arguments& arguments, PrivateSpec& into) {
  if (arguments.flag("none")) {
    into.present = false;
    return true;
  }
  bool said = arguments.assign("R", into.block.remote_invalidation, 1);
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
  said |= arguments.assign("pd_version", into.block.version, 255);
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
  arguments.assign("rev", into.revision, 255);
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

uint32_t required(Arguments& arguments, std::string_view name, uint32_t least, uint32_t most) {
  const Term* word = arguments.word();
  const auto number = word ? parse_number(word->name) : std::nullopt;
  if (!number || *number < least || *number > most) {
    arguments.problem().say(fmt::format("{} takes a number from {} to {}.", name, least, most));
    return least;
  }
  return static_cast<uint32_t>(*number);
}

void fabric(Arguments& arguments, Script& script) {
  const Term* word = arguments.word();
  const std::string_view name = word ? word->name : std::string_view{};
  if (name == "iwarp") {
    script.fabric = Fabric::iwarp;
  } else if (name == "roce2" || name == "roce1") {
    script.fabric = name == "roce2" ? Fabric::roce2 : Fabric::roce1;
  } else {
    arguments.problem().say("fabric is roce2, roce1 or iwarp.");
  }
}

void taps(Arguments& arguments, Script& script) {
  if (arguments.flag("both")) {
    script.taps = Taps::both;
  } else if (arguments.flag("one-way")) {
    script.taps = Taps::one_way;
  } else {
    arguments.problem().say(
        "taps is both (every frame twice) or one-way (each direction has a clock of its own), with "
        "skew=500us.");
  }
  if (const auto skew = arguments.value("skew")) {
    script.skew_ns = parse_time(*skew, arguments.problem());
  }
}

void tunnels(Arguments& arguments, Script& script) {
  const Term* word = arguments.word();
  do {
    const auto tunnel = word ? tunnel_of(word->name) : std::nullopt;
    if (!tunnel) {
      arguments.problem().say(fmt::format("tunnel takes one or more of {}, the innermost first.", kTunnels));
      return;
    }
    script.tunnels.push_back(*tunnel);
    if (script.tunnels.size() > kMaxTunnels) {
      return arguments.problem().say(fmt::format("A packet is within at most {} tunnels.", kMaxTunnels));
    }
    word = arguments.word();
  } while (word != nullptr);
}

void parse_mtu(Arguments& arguments, std::string_view name, uint32_t& into) {
  if (const auto mtu = arguments.number(name, 4096)) {
    if (*mtu < 256 || (*mtu & (*mtu - 1)) != 0) {
      arguments.problem().say(fmt::format("{}= is 256, 512, 1024, 2048 or 4096: the RoCE path MTU.", name));
    }
    into = static_cast<uint32_t>(*mtu);
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
  arguments.assign("port", into.port, 65535);
  arguments.assign("source_port", into.source_port, 65535);
  parse_mtu(arguments, "mtu", into.mtu);
  arguments.pair("dscp", into.dscp, 63);
  parse_mtu(arguments, "path_mtu", into.path_mtu);
  if (const auto mss = arguments.number("mss", 16384)) {
    if (*mss < 128) {
      arguments.problem().say("mss= is 128 to 16384 bytes.");
    }
    into.mss = static_cast<uint32_t>(*mss);
  }
  arguments.assign("segment", into.resegment, 65000);
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
  parse_answer(arguments, into);
}

// icmp KIND by=IPV4 mtu= quotes= badsum
IcmpLine parse_icmp(Arguments& arguments) {
  static constexpr std::string_view kKinds[] = {"net",     "host",       "protocol", "port",
                                                "too-big", "prohibited", "time"};
  IcmpLine line;
  const Term* word = arguments.word();
  const auto* found = std::find(std::begin(kKinds), std::end(kKinds), word ? word->name : std::string_view{});
  if (found == std::end(kKinds)) {
    arguments.problem().say("icmp is net, host, protocol, port, too-big, prohibited or time.");
  } else {
    line.kind = static_cast<IcmpLine::Kind>(found - std::begin(kKinds));
  }
  parse_address(arguments, "by", line.by);
  arguments.assign("mtu", line.mtu, 65535);
  arguments.assign("quotes", line.quotes, 1280);
  line.bad_checksum = arguments.flag("badsum");
  arguments.finish(
      "icmp takes net, host, protocol, port, too-big, prohibited or time, by= mtu= quotes= badsum");
  return line;
}

// Settings: lines without an actor that hold for the scenario as a whole.

int64_t parse_time(std::string_view text, Problem& problem) {
  const auto ns = parse_duration(text);
  if (!ns) {
    problem.say(fmt::format("\"{}\" should be a time such as 500us, 5ms or 30s, at most an hour.", text));
  }
  return ns.value_or(0);
}

bool parse_setting(std::string_view verb, Arguments& arguments, Script& script) {
  if (verb == "fabric") {
    fabric(arguments, script);
  } else if (verb == "ipv6") {
    script.ipv6 = true;
  } else if (verb == "version") {
    script.version = required(arguments, "version", 1, 2);
  } else if (verb == "credits") {
    script.credits = required(arguments, "credits", 0, UINT32_MAX);
  } else if (verb == "vlan") {
    script.vlan = static_cast<uint16_t>(required(arguments, "vlan", 1, 4094));
  } else if (verb == "snaplen") {
    script.snaplen = required(arguments, "snaplen", 1, UINT32_MAX);
  } else if (verb == "tunnel") {
    tunnels(arguments, script);
  } else if (verb == "taps") {
    taps(arguments, script);
  } else {
    return false;
  }
  return true;
}

}  // namespace steertag::scenario
