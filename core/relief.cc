#include "relief.h"

#include <vector>

#include "track/connection.h"

namespace steertag {

using track::GiveUp;
using Early = rpc::Departures::Early;

void Relief::make_room(const Stamp& at) {
  shrink();
  for (const GiveUp what : {GiveUp::spare, GiveUp::strangers, GiveUp::waiting, GiveUp::idle}) {
    roce_.give_up(what, at);
    iwarp_.give_up(what, at);
  }
  report_early(Early::lingering, at);
  report_early(Early::open, at);
  roce_.give_up(GiveUp::any, at);
  iwarp_.give_up(GiveUp::any, at);
  common_.budget.settle();
}

void Relief::shrink() {
  common_.slots.shrink();
  common_.traffic.shrink();
  for (const auto& [connection, following] : followed_) {
    following->conversation().shrink();
  }
}

void Relief::report_early(Early what, const Stamp& at) {
  struct Candidate {
    const track::Connection& connection;
    rpc::Conversation* conversation;
  };
  std::vector<std::unique_ptr<Candidate>> some;
  for (const auto& [connection, following] : followed_) {
    some.push_back(std::make_unique<Candidate>(Candidate{*connection, &following->conversation()}));
  }
  track::idlest_first(some);
  for (bool more = true; more && !common_.budget.eased();) {
    more = false;
    for (const std::unique_ptr<Candidate>& one : some) {
      rpc::Conversation& conversation = *one->conversation;
      if (common_.budget.eased()) {
        return;
      }
      rpc::Departures& departures = conversation.departures();
      if (departures.any(what)) {
        conversation.note_given_up(at);
        departures.report_early(what);
      }
      more |= what == Early::open && departures.any(what);
    }
    shrink();
  }
}

}  // namespace steertag
