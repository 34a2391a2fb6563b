#include "following.h"

namespace steertag {

Following::Listening::Listening(rpc::ConnectionState& state, Shared& shared) {
  state.listeners.ask_for_incidents = shared.rpc.settings.for_rules || shared.rpc.settings.for_reports;
  if (shared.rpc.settings.for_rules) {
    history = std::make_unique<history::History>(state, shared.history);
    state.listeners.messages = history.get();
    state.listeners.exchanges[0] = &shared.history.kept;
  }
  if (shared.rpc.settings.for_reports) {
    times = std::make_unique<timing::Timekeeper>(state, shared.timing);
    state.listeners.transport = &times->transport();
    state.listeners.exchanges[1] = times.get();
  }
}

void Following::on_claimed() {
  shared_.timing.retries.claim(state_.connection);
  if (memory::AccessJudge* judge = state_.advertised.judge()) {
    judge->enlist(state_.advertised);
  }
}

}  // namespace steertag
