// What the table of TCP connections gives up for want of memory.
#include <vector>

#include "track/give_up.h"
#include "track/iwarp_flow.h"

namespace steertag::track {

namespace {

// Of an entry, with what helps to find it: of flows_, of idlest_.
constexpr size_t kBytesOfEntry = 256;

}  // namespace

void IwarpTable::charge() {
  account_.set(flows_.size() * kBytesOfEntry);
}

// As if its part of the capture ended here.
void IwarpTable::forget(const Key& key, const Stamp& at) {
  const auto found = flows_.find(key);
  if (found->second.flow) {
    budget_.note_given_up();
    Flow& flow = *found->second.flow;
    if (flow.heard_by != nullptr) {
      observer_.on_give_up(flow.connection, at);
      flow.tcp.finish(flow.connection.last_frame);
    }
    close(key, found->second);
  }
  flows_.erase(key);
  recent_.forget();
  charge();
}

void IwarpTable::give_up(GiveUp what, const Stamp& at) {
  struct Candidate {
    Key key;
    const Connection& connection;
    Flow& flow;
  };
  std::vector<std::unique_ptr<Candidate>> some;
  for (const auto& [key, entry] : flows_) {
    if (!entry.flow) {
      continue;
    }
    Flow& flow = *entry.flow;
    const bool quiet = at.time_ns - flow.connection.last_frame.time_ns >= kIdleNs;
    const bool idle = quiet && flow.heard_by != nullptr && !observer_.busy(flow.connection);
    if (what == GiveUp::strangers ? flow.heard_by == nullptr : what != GiveUp::idle || idle) {
      some.push_back(std::make_unique<Candidate>(Candidate{key, flow.connection, flow}));
    }
  }
  idlest_first(some);
  for (const std::unique_ptr<Candidate>& one : some) {
    if (budget_.eased()) {
      break;
    }
    if (what == GiveUp::spare || what == GiveUp::waiting) {
      shrink(one->flow, what, at);
    } else {
      forget(one->key, at);
    }
  }
  if (what == GiveUp::any && !budget_.eased()) {  // what is known to be something else
    flows_.clear();
    recent_.forget();
    charge();
  }
}

void IwarpTable::shrink(Flow& flow, GiveUp what, const Stamp& at) {
  if (what == GiveUp::waiting && flow.tcp.anything_waits()) {
    budget_.note_given_up();
    if (flow.heard_by != nullptr) {
      observer_.on_give_up(flow.connection, at);
    }
    flow.tcp.give_up_waiting(at);
  }
  flow.tcp.shrink();
  flow.charge();
}

}  // namespace steertag::track
