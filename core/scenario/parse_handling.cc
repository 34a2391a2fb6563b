// What can be said of any line with an actor: what happens to its packets.
#include <fmt/core.h>

#include "base/named.h"
#include "scenario/parser.h"

namespace steertag::scenario {
namespace {

// lost(2 5-7), lost=2, or lost alone: every packet of the line.
void parse_numbers(Arguments& arguments, std::string_view name, Numbers& into) {
  Problem& problem = arguments.problem();
  const auto add = [&](std::string_view text) {
    const auto range = parse_range(text);
    if (!range || range->first == 0) {
      problem.say(
          fmt::format("{}(...) takes packet numbers of this line, from 1, and ranges such as 3-6.", name));
    }
    into.push_back(range.value_or(NumberRange{}));
  };
  if (arguments.flag(name)) {
    into.push_back({1, UINT32_MAX});
  }
  if (const auto value = arguments.value(name)) {
    add(*value);
  }
  while (const Term* group = arguments.group(name)) {
    for (const Term& term : group->arguments) {
      add(term.name);
    }
  }
}

// delay(3 50ms), delay(again 1s)
void parse_delays(Arguments& arguments, std::vector<Delay>& into) {
  Problem& problem = arguments.problem();
  while (const Term* group = arguments.group("delay")) {
    const std::vector<Term>& words = group->arguments;
    Delay delay;
    bool known = false;
    if (words.size() == 2) {
      const auto ns = parse_duration(words[1].name);
      const uint64_t packet = parse_number(words[0].name).value_or(0);
      known = ns && packet <= UINT32_MAX && (packet != 0 || words[0].name == "again");
      delay = {static_cast<uint32_t>(packet), ns.value_or(0)};
    }
    if (!known) {
      problem.say(
          "delay(...) takes the number of a packet of this line, from 1, or the word again, for the first "
          "that is sent again, and a time: delay(3 50ms).");
    }
    into.push_back(delay);
  }
}

// roce(2 psn=5 set(12 ff)), iwarp(msn=7)
void parse_patches(Arguments& arguments, bool iwarp, std::vector<PacketPatch>& into) {
  Problem& problem = arguments.problem();
  const std::string_view name = iwarp ? "iwarp" : "roce";
  while (const Term* group = arguments.group(name)) {
    Arguments inner(group->arguments, problem);
    uint32_t packet = 0;
    if (const Term* number = inner.word()) {
      packet = parse_u32(number->name, "a packet of this line, from 1", problem);
    }
    while (const Term* set = inner.group("set")) {
      into.push_back({iwarp, packet, parse_octets_patch(*set, problem)});
    }
    while (const Term* field = inner.next_value()) {
      into.push_back({iwarp, packet, parse_field(*field, problem)});
    }
    inner.finish(fmt::format("{}(...) takes a packet number, FIELD=VALUE and set(OFFSET HEX)", name));
  }
}

}  // namespace

std::optional<Complaint> parse_complaint(std::string_view name) {
  const std::pair<std::string_view, Complaint> names[] = {{"sequence", Complaint::sequence},
                                                          {"invalid", Complaint::invalid_request},
                                                          {"access", Complaint::remote_access},
                                                          {"operational", Complaint::remote_operational},
                                                          {"rnr", Complaint::rnr}};
  return base::valued(names, name);
}

Handling parse_handling(Arguments& arguments) {
  Handling handling;
  parse_numbers(arguments, "omit", handling.omit);
  parse_numbers(arguments, "missing", handling.missing);
  parse_numbers(arguments, "lost", handling.lost);
  parse_numbers(arguments, "resent", handling.resent);
  parse_numbers(arguments, "dup", handling.dup);
  parse_numbers(arguments, "swap", handling.swap);
  parse_numbers(arguments, "bad_checksum", handling.bad_checksum);
  parse_numbers(arguments, "marked", handling.marked);
  handling.truncate = arguments.number("truncate");
  handling.acknowledge = !arguments.flag("noack");
  handling.again = arguments.flag("again");
  if (const auto name = arguments.value("nak")) {
    handling.complaint = parse_complaint(*name);
    if (!handling.complaint) {
      arguments.problem().say(fmt::format("nak= is {}.", kComplaints));
    }
  }
  if (handling.complaint == Complaint::rnr) {
    constexpr uint8_t kMostTimer = 31;
    constexpr uint32_t kMostTimes = 1000;
    if (const auto timer = arguments.number("timer", kMostTimer)) {
      handling.rnr_timer = static_cast<uint8_t>(*timer);
    }
    arguments.assign("times", handling.rnr_times, kMostTimes);
  }
  parse_delays(arguments, handling.delays);
  parse_patches(arguments, false, handling.patches);
  parse_patches(arguments, true, handling.patches);
  return handling;
}

}  // namespace steertag::scenario
