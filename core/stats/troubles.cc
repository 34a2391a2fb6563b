#include "stats/troubles.h"

#include <algorithm>
#include <utility>

namespace steertag::stats {
namespace {

// From the first refusal to the last, but where RPCs show that there were several times.
Spells not_ready_when(const EndLoad& end) {
  Spells when;
  when.note(end.not_ready);
  return end.refusing.value().when.count() > 1 ? end.refusing.value().when : when;
}

// Of each end, where both were not ready; else of both together.
void judge_not_ready(const Load& load, std::vector<Remark>& found) {
  const EndLoad &client = load.client, &server = load.server;
  const uint64_t of_client = client.rnr_naks + client.zero_windows,
                 of_server = server.rnr_naks + server.zero_windows;
  if (of_client + of_server < kNotReadyLeast) {
    return;
  }
  Remark remark;
  remark.kind = Standout::not_ready;
  remark.load = &load;
  if (load.both_not_ready()) {
    for (const EndLoad* end : {&client, &server}) {
      remark.end = end;
      remark.rpcs = end->refusing.value().rpcs;
      remark.time_ns = end->refusing.value().ns;
      remark.evidence = load.not_ready(end);
      remark.when = not_ready_when(*end);
      found.push_back(remark);
    }
    return;
  }
  const bool more_of_client =
      std::pair(client.refusing.value().ns, of_client) > std::pair(server.refusing.value().ns, of_server);
  remark.end = more_of_client ? &client : &server;
  remark.rpcs = load.refused;
  remark.time_ns = load.refused_ns;
  remark.evidence = load.not_ready(nullptr);
  remark.when = not_ready_when(client);
  remark.when.note(not_ready_when(server));
  found.push_back(remark);
}

const Topic* topic_of(const Dearest::Entry& entry, const Load& load, std::span<const Topic* const> topics) {
  const base::Address& responder = (entry.callback ? load.client : load.server).address;
  const auto found = std::find_if(topics.begin(), topics.end(), [&](const Topic* topic) {
    return topic->operation == entry.operation && topic->server == responder &&
           topic->callback == entry.callback;
  });
  return found != topics.end() ? *found : nullptr;
}

// What marks and pause frames say of it.
void judge_congestion(const Load& load, std::span<const Topic* const> topics, std::vector<Remark>& found) {
  const uint64_t marks = load.client.ecn_ce + load.server.ecn_ce + load.client.cnps + load.server.cnps;
  if (marks < kMarksLeast && !load.is_paused(load.held_longest)) {
    return;
  }
  Remark remark;
  remark.kind = Standout::congestion;
  remark.load = &load;
  remark.rpcs = marks < kMarksLeast ? load.held : load.congested;
  remark.time_ns = load.held_ns;
  remark.when.note(load.marked);
  remark.when.note(load.held_when);
  const auto longest = load.congested_longest.entries();
  remark.evidence = {0, load.first_mark.value_or(longest.empty() ? load.first : longest.front().evidence.at),
                     load.number, 0};
  for (const Dearest::Entry& entry : longest) {
    remark.dearest.push_back({entry.evidence, topic_of(entry, load, topics)});
  }
  found.push_back(remark);
}

// What the network did to it.
void judge_network(const Load& load, std::vector<Remark>& found) {
  Remark remark;
  remark.load = &load;
  const auto add = [&](Standout kind, const Evidence& evidence) {
    remark.kind = kind;
    remark.evidence = evidence;
    found.push_back(remark);
  };
  const auto at = [&](const Stamp& stamp) { return Evidence{0, stamp, load.number, 0}; };
  if (const EndLoad* const end = load.cut_off()) {
    remark.time_ns = static_cast<uint64_t>(end->outage.length_ns);
    add(Standout::outage, at(end->outage.since));
  }
  if (load.taken_over != 0) {
    remark.time_ns = static_cast<uint64_t>(std::max<int64_t>(load.latest.weight, 0));
    add(Standout::reconnect, load.latest);
  }
  remark.time_ns = 0;
  const timing::Passage &client = load.client.passage, &server = load.server.passage;
  if (client.reordered + server.reordered >= kReorderedLeast) {
    const bool of_client =
        client.reordered != 0 &&
        (server.reordered == 0 || client.first_reordered.time_ns <= server.first_reordered.time_ns);
    add(Standout::reordering, at((of_client ? client : server).first_reordered));
  }
}

}  // namespace

void judge_troubles(const Load& load, std::span<const Topic* const> topics, std::vector<Remark>& found) {
  judge_not_ready(load, found);
  judge_congestion(load, topics, found);
  judge_network(load, found);
}

}  // namespace steertag::stats
