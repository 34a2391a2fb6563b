// What is noted of an Incident while it is put together: connections, frames, rules, each once and no more
// than it may have. And which rules find what an event tells: a packet that was sent again, a connection that
// did not come up. Their findings are part of its incident, and no violation of their own.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "incident/incident.h"
#include "rules/rule.h"

namespace steertag::incident {

inline void note_connection(Incident& incident, track::ConnectionNumber number) {
  std::vector<track::ConnectionNumber>& known = incident.connections;
  const auto at =
      std::lower_bound(known.begin(), known.end(), number, [](uint32_t x, uint32_t y) { return x < y; });
  if (number != 0 && (at == known.end() || *at != number)) {
    known.insert(at, number);
    known.resize(std::min(known.size(), Incident::kMostConnections));
  }
}

inline void note_frame(Incident& incident, const Stamp& at) {
  std::vector<Stamp>& known = incident.frames;
  if (at.number != 0 && known.size() < Incident::kMostFrames &&
      std::find(known.begin(), known.end(), at) == known.end()) {
    known.push_back(at);
  }
}

// The best to look at.
inline void note_first(Incident& incident, const Stamp& at) {
  std::erase(incident.frames, at);
  incident.frames.insert(incident.frames.begin(), at);
  incident.frames.resize(std::min(incident.frames.size(), Incident::kMostFrames));
}

inline void note_rule(Incident& incident, std::string_view id) {
  if (std::find(incident.rules.begin(), incident.rules.end(), id) == incident.rules.end()) {
    incident.rules.push_back(id);
  }
}

// Rules whose findings are told by what happened, not as a violation.
inline bool tells_of_events(const rules::Rule& rule) {
  constexpr std::array<std::string_view, 8> kEvents = {"NET-01", "NET-02", "NET-03", "NET-04",
                                                       "NET-05", "NET-11", "NET-12", "XID-05"};
  return rule.id.starts_with("SET-") || std::find(kEvents.begin(), kEvents.end(), rule.id) != kEvents.end();
}

}  // namespace steertag::incident
