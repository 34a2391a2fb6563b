#include "faults.h"

#include <fmt/core.h>

#include <string>
#include <vector>

namespace steertag::legal {
namespace {

// What stands behind a $ in the lines of a fault.
std::string meaning(char letter, const Link& link) {
  const bool one = link.version == 1;
  const uint32_t buffer = link.buffer[0].value_or(4096), other = link.buffer[1].value_or(4096);
  switch (letter) {
    case 'c':
      return link.name + ".client>";
    case 's':
      return link.name + ".server>";
    case 'x':  // XIDs that no session has
      return "70001";
    case 'y':
      return "70002";
    case 'z':
      return "70003";
    case 'v':
      return fmt::format("v{}", link.version);
    case 'o':  // the other version
      return fmt::format("v{}", 3 - link.version);
    case 'e':  // how a Call is rejected that cannot be read
      return one ? "chunk" : "bad_xdr";
    case 'r':  // ... whose Write chunk is too short
      return one ? "chunk" : "cant_reply index=1 needed=3000";
    case 'u':  // ... whose result has no room at all
      return one ? "chunk" : "cant_reply";
    case 'L':  // data beyond what the server receives, and the client; and a chunk that holds it
      return fmt::format("{}", link.limit[0]);
    case 'l':
      return fmt::format("{}", link.limit[1]);
    case 'm':
      return fmt::format("{}", link.limit[1] + 2048);
    case 'B':  // XCHAR_RBSIZ of the client, and more; of the server
      return fmt::format("{}", buffer);
    case 'M':
      return fmt::format("{}", buffer + 4096);
    case 'S':
      return fmt::format("{}", other);
    case 'T':
      return fmt::format("{}", other + 4096);
    default:
      return std::string(1, letter);
  }
}

std::string filled(std::string_view lines, const Link& link) {
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool token = lines[i] == '$' && i + 1 < lines.size();
    text += token ? meaning(lines[++i], link) : std::string(1, lines[i]);
  }
  return text;
}

}  // namespace

bool add_lines(Session& session, Dice& dice, const Fault& fault) {
  std::vector<const Rest*> places;
  for (const Rest& rest : session.rests) {
    if (rest.link.grant >= 3 && (fault.fits == nullptr || fault.fits(rest, session))) {
      places.push_back(&rest);
    }
  }
  if (places.empty()) {
    return false;
  }
  const Rest& rest = *places[dice.below(places.size())];
  session.lines[rest.line].text += "\n" + filled(fault.lines, rest.link);
  return true;
}

}  // namespace steertag::legal
