#include "rdma/iwarp/tcp_connection.h"

#include "rdma/iwarp/session.h"

namespace steertag::rdma::iwarp {

TcpConnection::TcpConnection(Listener& listener, const Options& options)
    : session_(std::make_unique<Session>(listener, options)) {}
TcpConnection::TcpConnection(TcpConnection&&) noexcept = default;
TcpConnection& TcpConnection::operator=(TcpConnection&&) noexcept = default;
TcpConnection::~TcpConnection() = default;

void TcpConnection::on_segment(Side from, const link::Packet& segment, const Stamp& at) {
  session_->on_segment(from, segment, at);
}
void TcpConnection::report_to(Arrivals* arrivals) {
  session_->arrivals = arrivals;
}
void TcpConnection::finish(const Stamp& at) {
  session_->finish(at);
}
void TcpConnection::give_up_waiting(const Stamp& at) {
  session_->give_up_waiting(at);
}
void TcpConnection::shrink() {
  session_->shrink();
}
bool TcpConnection::anything_waits() const {
  return session_->anything_waits();
}
size_t TcpConnection::held_bytes() const {
  return session_->held_bytes();
}
size_t TcpConnection::bytes() const {
  return session_->bytes();
}
bool TcpConnection::opens_new_epoch(Side from, const link::Packet& segment) const {
  return session_->opens_new_epoch(from, segment);
}
bool TcpConnection::goes_on(Side from, const link::Packet& segment) const {
  return session_->goes_on(from, segment);
}
std::optional<uint32_t> TcpConnection::next_sequence(Side from) const {
  return session_->next_sequence(from);
}
Proof TcpConnection::proof() const {
  return session_->proof;
}
bool TcpConnection::ended() const {
  return session_->ended;
}
std::optional<Side> TcpConnection::initiator() const {
  return session_->initiator;
}
bool TcpConnection::from_start() const {
  return session_->from_start();
}
const MpaFacts& TcpConnection::mpa() const {
  return session_->mpa;
}
const Counters& TcpConnection::counters() const {
  return session_->counters;
}

}  // namespace steertag::rdma::iwarp
