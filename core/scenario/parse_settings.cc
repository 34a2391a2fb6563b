// Settings: lines without an actor that hold for the scenario as a whole.
#include <fmt/core.h>

#include "scenario/parser.h"

namespace steertag::scenario {
namespace {

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

}  // namespace

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
