#include "rdma/iwarp/engine.h"

#include "rdma/iwarp/session.h"

namespace steertag::rdma::iwarp {

Engine::Engine(Listener& listener, const Options& options)
    : session_(std::make_unique<Session>(listener, options)) {}
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;
Engine::~Engine() = default;

void Engine::on_segment(Side from, const link::Packet& segment, const Stamp& at) {
  session_->on_segment(from, segment, at);
}
void Engine::finish(const Stamp& at) {
  session_->finish(at);
}
bool Engine::opens_new_epoch(Side from, const link::Packet& segment) const {
  return session_->opens_new_epoch(from, segment);
}
bool Engine::goes_on(Side from, const link::Packet& segment) const {
  return session_->goes_on(from, segment);
}
std::optional<uint32_t> Engine::next_sequence(Side from) const {
  return session_->next_sequence(from);
}
Verdict Engine::verdict() const {
  return session_->verdict;
}
bool Engine::ended() const {
  return session_->ended;
}
std::optional<Side> Engine::initiator() const {
  return session_->initiator;
}
bool Engine::from_start() const {
  return session_->from_start();
}
const MpaFacts& Engine::mpa() const {
  return session_->mpa;
}
const Counters& Engine::counters() const {
  return session_->counters;
}

}  // namespace steertag::rdma::iwarp
