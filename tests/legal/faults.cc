#include "faults.h"

#include <fmt/core.h>

#include <string>

namespace steertag::legal {
namespace {

std::string filled(std::string_view lines, const Link& link) {
  std::string text;
  const uint32_t buffer = link.buffer[0].value_or(4096), other = link.buffer[1].value_or(4096);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] != '$' || i + 1 == lines.size()) {
      text += lines[i];
      continue;
    }
    switch (lines[++i]) {
      case 'c':
        text += link.name + ".client>";
        break;
      case 's':
        text += link.name + ".server>";
        break;
      case 'x':
        text += "70001";
        break;
      case 'y':
        text += "70002";
        break;
      case 'z':
        text += "70003";
        break;
      case 'v':
        text += fmt::format("v{}", link.version);
        break;
      case 'o':  // the other version
        text += fmt::format("v{}", 3 - link.version);
        break;
      case 'e':  // how a Call is rejected that cannot be read
        text += link.version == 1 ? "chunk" : "bad_xdr";
        break;
      case 'r':  // how one is that has not room enough
        text += link.version == 1 ? "chunk" : "cant_reply index=1 needed=3000";
        break;
      case 'u':  // how one is whose result has no room at all
        text += link.version == 1 ? "chunk" : "cant_reply";
        break;
      case 'L':  // beyond what the server receives
        text += fmt::format("{}", link.limit[0]);
        break;
      case 'l':
        text += fmt::format("{}", link.limit[1]);
        break;
      case 'm':
        text += fmt::format("{}", link.limit[1] + 2048);
        break;
      case 'B':  // XCHAR_RBSIZ of the client, and more
        text += fmt::format("{}", buffer);
        break;
      case 'M':
        text += fmt::format("{}", buffer + 4096);
        break;
      case 'S':
        text += fmt::format("{}", other);
        break;
      case 'T':
        text += fmt::format("{}", other + 4096);
        break;
      default:
        text += lines[i];
    }
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
