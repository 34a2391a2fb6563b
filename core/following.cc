#include "following.h"

namespace steertag {

Following::Listening::Listening(rpc::ConnectionState& state, Shared& shared) {
  if (shared.rpc.settings.for_rules) {
    state.listeners.messages = &history.emplace(state, shared.history);
    state.listeners.exchanges[0] = &shared.history.kept;
  }
  if (shared.rpc.settings.for_reports) {
    state.listeners.transport = &times.emplace(state, shared.timing).transport();
    state.listeners.exchanges[1] = &*times;
  }
}

void Following::on_claimed() {
  shared_.timing.retries.claim(state_.connection);
  if (memory::AccessJudge* judge = state_.advertised.judge()) {
    judge->enlist(state_.advertised);
  }
}

}  // namespace steertag
