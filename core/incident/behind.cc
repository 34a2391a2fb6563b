#include "incident/behind.h"

#include <algorithm>
#include <utility>

#include "base/saturating.h"
#include "incident/notes.h"
#include "incident/recalls.h"
#include "stats/operation.h"

namespace steertag::incident {

using stats::Remark;
using stats::Standout;

bool may_be_held_up(const Remark& remark) {
  return (remark.kind == Standout::server || remark.kind == Standout::outlier) && remark.topic != nullptr &&
         !remark.topic->callback && names_a_file(remark.topic->operation.op);
}

void add_behind(Incident& incident, const Fate& fate) {
  const Hang& hang = std::get<Hang>(incident.what);
  const Waited& open = fate.open;
  const uint64_t before = incident.behind ? incident.behind->rpcs : 0;
  if (!incident.behind || open.call.time_ns < incident.behind->waited.call.time_ns) {
    incident.behind = Behind{.waited = open,
                             .rpcs = 0,
                             .client = fate.client,
                             .connection = fate.number,
                             .at_once = at_once(hang.fate.callbacks.call, open.call)};
  }
  incident.behind->rpcs = before + open.rpcs;
  incident.begin_ns = std::min(incident.begin_ns, open.call.time_ns);
  incident.rpcs += open.rpcs;
  incident.cost_ns = base::saturating_add(incident.cost_ns, open.cost_ns);
  note_connection(incident, fate.number);
  note_frame(incident, open.call);
}

namespace {

// Whether it tells of that recall, or of the connection that it was lost with.
bool tells_of(const Incident& incident, const Recall& recall) {
  const bool here = std::find(incident.connections.begin(), incident.connections.end(), recall.connection) !=
                    incident.connections.end();
  if (const auto* const hang = std::get_if<Hang>(&incident.what)) {
    return here && hang->callback && hang->fate.client == recall.client;
  }
  if (const auto* const lost = std::get_if<Lost>(&incident.what)) {
    return here && lost->longest.call == recall.call;
  }
  const auto* const remark = std::get_if<Remark>(&incident.what);
  return remark != nullptr && incident.kind == Kind::slow_client && remark->topic != nullptr &&
         remark->topic->callback && remark->topic->server == recall.client &&
         remark->topic->operation == recall.operation;
}

void add_answered(Incident& incident, const HeldUp& call, const Recall& recall) {
  if (!incident.behind || call.took_ns() > incident.behind->waited.longest_ns) {
    const uint64_t rpcs = incident.behind ? incident.behind->rpcs : 0;
    Behind behind;
    behind.rpcs = rpcs;
    behind.waited.call = call.call;
    behind.waited.longest_ns = call.took_ns();
    behind.waited.operation = stats::name(call.operation);
    behind.client = call.client;
    behind.connection = call.connection;
    behind.at_once = at_once(recall.call, call.call);
    if (!incident.behind || incident.behind->waited.rpcs == 0) {
      incident.behind = std::move(behind);
    }
  }
  ++incident.behind->rpcs;
  ++incident.rpcs;
  incident.begin_ns = std::min(incident.begin_ns, call.call.time_ns);
  incident.cost_ns = base::saturating_add(incident.cost_ns, call.took_ns());
  note_connection(incident, call.connection);
  note_frame(incident, call.call);
}

}  // namespace

bool add_held_up(std::vector<Incident>& found, const Remark& remark, const Recalls& recalls) {
  if (!may_be_held_up(remark) || remark.alike != 0) {  // other operations are slow as well
    return false;
  }
  const Recalls::Pairs pairs = recalls.held_up(remark.topic->server, remark.topic->operation);
  std::vector<Incident*> tellers;
  uint64_t explained_ns = 0;
  bool longest = false;
  for (const auto& [call, recall] : pairs) {
    const auto teller =
        std::find_if(found.begin(), found.end(),
                     [&recall = *recall](const Incident& incident) { return tells_of(incident, recall); });
    if (teller == found.end()) {
      return false;
    }
    tellers.push_back(&*teller);
    explained_ns += static_cast<uint64_t>(call->took_ns());
    longest |= call->call == remark.evidence.at;
  }
  const uint64_t left_ns = remark.time_ns - std::min(remark.time_ns, explained_ns);
  const uint64_t others = remark.rpcs - std::min<uint64_t>(remark.rpcs, pairs.size());
  if (!longest || left_ns >= std::max<uint64_t>(others, 1) * uint64_t{stats::kSlowServerNs}) {
    return false;
  }
  for (size_t i = 0; i < pairs.size(); ++i) {
    add_answered(*tellers[i], *pairs[i].first, *pairs[i].second);
  }
  return true;
}

}  // namespace steertag::incident
