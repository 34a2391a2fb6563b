// What the table of RoCE connections gives up for want of memory.
#include <vector>

#include "track/give_up.h"
#include "track/roce_link.h"

namespace steertag::track {

void RoceTable::give_up(GiveUp what, const Stamp& at) {
  if (what == GiveUp::strangers) {
    while (!budget_.eased() && !unpaired_.empty()) {
      unpaired_.drop_idlest();
      budget_.note_given_up();
    }
    return;
  }
  std::vector<Link*> some;
  for (const auto& [number, link] : links_) {
    const bool quiet = at.time_ns - link->connection.last_frame.time_ns >= kIdleNs;
    if (what != GiveUp::idle || !link->pair || (quiet && !observer_.busy(link->connection))) {
      some.push_back(link.get());
    }
  }
  idlest_first(some);
  for (Link* link : some) {
    if (budget_.eased()) {
      return;
    }
    give_up(*link, what, at);
  }
}

void RoceTable::give_up(Link& link, GiveUp what, const Stamp& at) {
  if (what == GiveUp::idle || what == GiveUp::any) {
    if (link.pair) {
      budget_.note_given_up();
      observer_.on_give_up(link.connection, at);
    }
    leave(link);
  } else if (link.pair) {
    if (what == GiveUp::waiting && link.pair->shelf().lends()) {
      budget_.note_given_up();
      observer_.on_give_up(link.connection, at);
      link.pair->give_up_waiting(at);
    }
    link.pair->shelf().shrink();
    link.charge();
  }
}

}  // namespace steertag::track
