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

bool at_once(const Waited& callback, const Stamp& call) {
  constexpr int64_t kAtOnceNs = 1'000'000'000;
  const int64_t later_ns = base::saturating_subtract(callback.call.time_ns, call.time_ns);
  return later_ns >= 0 && later_ns <= kAtOnceNs;
}

void add_behind(Incident& incident, const Fate& fate) {
  Hang& hang = std::get<Hang>(incident.what);
  const Waited& open = fate.open;
  const uint64_t before = hang.behind ? hang.behind->rpcs : 0;
  if (!hang.behind || open.call.time_ns < hang.behind->waited.call.time_ns) {
    hang.behind = Behind{.waited = open,
                         .rpcs = 0,
                         .client = fate.client,
                         .connection = fate.number,
                         .at_once = at_once(hang.fate.callbacks, open.call)};
  }
  hang.behind->rpcs = before + open.rpcs;
  incident.begin_ns = std::min(incident.begin_ns, open.call.time_ns);
  incident.rpcs += open.rpcs;
  incident.cost_ns = base::saturating_add(incident.cost_ns, open.cost_ns);
  note_connection(incident, fate.number);
  note_frame(incident, open.call);
}

Incident* recall_after(std::vector<Incident>& found, const Remark& remark) {
  if (remark.kind != Standout::server || remark.topic == nullptr || remark.topic->callback ||
      remark.rpcs != 1 || !names_a_file(remark.topic->operation.op)) {
    return nullptr;
  }
  const auto recall = std::find_if(found.begin(), found.end(), [&](const Incident& incident) {
    const Hang* const hang = std::get_if<Hang>(&incident.what);
    return hang != nullptr && hang->callback && hang->fate.server == remark.topic->server &&
           asks_back(hang->fate.callbacks.operation) && at_once(hang->fate.callbacks, remark.evidence.at);
  });
  return recall == found.end() ? nullptr : &*recall;
}

void add_answered(Incident& incident, const Remark& remark, const base::Address& client) {
  Hang& hang = std::get<Hang>(incident.what);
  const stats::Evidence& one = remark.evidence;
  if (!hang.behind) {
    Behind behind;
    behind.waited.call = one.at;
    behind.waited.longest_ns = one.weight;
    behind.waited.operation = stats::name(remark.topic->operation);
    behind.client = client;
    behind.connection = one.connection;
    hang.behind = std::move(behind);
  }
  ++hang.behind->rpcs;
  ++incident.rpcs;
  incident.begin_ns = std::min(incident.begin_ns, one.at.time_ns);
  incident.cost_ns = base::saturating_add(incident.cost_ns, one.weight);
  note_connection(incident, one.connection);
  note_frame(incident, one.at);
}

}  // namespace steertag::incident
