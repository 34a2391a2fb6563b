#include "rdma/roce/qp_pair.h"

#include <cstdlib>
#include <memory>
#include <utility>

#include "base/fetch.h"
#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

QpPair::QpPair(Listener& listener)
    : outlet_{.listener = listener, .path_mtu = {}, .closed = {}, .shelf = {}},
      ends_{End(*this, Side::a), End(*this, Side::b)} {}

void QpPair::End::take(const Packet& packet, const Stamp& at) {
  const Role role = shape(packet.opcode).role;
  if (role == Role::request) {
    requests.on_packet(packet, at);
  } else if (role == Role::response) {
    responses.on_packet(packet, at);
  }
}

void QpPair::End::release(const Stamp& now, Shelf& shelf) {
  while (std::unique_ptr<Held> held = early.next(now)) {
    take(held->packet, held->at);
    shelf.put_back(std::move(held));
  }
}

void QpPair::on_packet(Side from, const Packet& packet, const Stamp& at) {
  End& sender = ends_[index(from)];
  if (packet.icrc && sender.icrcs.drops(packet, at)) [[unlikely]] {
    return;
  }
  outlet_.path_mtu.learn(packet);
  if (sender.early.on_packet(packet, at) == Early::Passage::goes_on) [[likely]] {
    sender.take(packet, at);
  }
  for (End& end : ends_) {
    if (!end.early.empty()) [[unlikely]] {
      end.release(at, outlet_.shelf);
    }
  }
}

void QpPair::expect(Side from, Opcode opcode, Listener::Nearing step) const {
  const End& sender = ends_[index(from)];
  const End& receiver = ends_[index(other(from))];
  const bool response = shape(opcode).role == Role::response;
  if (step == Listener::Nearing::itself) {
    base::fetch(outlet_);
    base::fetch(sender.early);
    base::fetch(receiver.early);
    if (response) {
      base::fetch(sender.responses);
      base::fetch(receiver.requests);
      base::fetch(receiver.reads);
    } else {
      base::fetch(sender.watch);
      base::fetch(sender.requests);
      base::fetch(sender.reads);
    }
  } else if (!response) {
    sender.requests.sent().retransmissions.expect();
    if (opcode == Opcode::read_request) {
      sender.reads.expect();
    }
  } else if (is_read_response(opcode)) {
    receiver.reads.expect();
  }
}

// Causes that did not come by now are missing; both sides may wait for each other.
void QpPair::release_early(const Stamp& at) {
  const Stamp never{.number = at.number, .file = at.file, .tap = at.tap, .time_ns = INT64_MAX};
  for (const size_t side : {0, 1, 0, 1}) {
    ends_[side].release(never, outlet_.shelf);
  }
}

void QpPair::give_up_waiting(const Stamp& at) {
  release_early(at);
  for (End& end : ends_) {
    end.requests.give_up_waiting(at);
  }
}

size_t QpPair::bytes() const {
  size_t bytes = sizeof(QpPair) + outlet_.shelf.bytes();
  for (const End& end : ends_) {
    bytes += end.requests.sent().retransmissions.bytes() + end.reads.bytes() + end.responses.bytes();
  }
  return bytes;
}

void QpPair::finish(const Stamp& at) {
  release_early(at);
  for (End& end : ends_) {
    end.responses.finish();
  }
  for (End& end : ends_) {
    end.requests.finish(at);
    end.icrcs.finish();
  }
}

bool goes_on(const QpPair& pair, Side from, const Packet& packet) {
  constexpr int32_t kNear = 1 << 16;  // PSNs
  const std::optional<uint32_t> next =
      pair.sent(is_response(packet.opcode) ? other(from) : from).sequence.next();
  return !next || std::abs(psn_distance(packet.psn, *next)) < kNear;
}

bool begins_again(const QpPair& pair, Side from, const Packet& packet) {
  const Sequence& sequence = pair.sent(from).sequence;
  return sequence.begun && packet.psn == sequence.first && is_request(packet.opcode) &&
         starts_message(packet.opcode) && psn_distance(sequence.confirmed, sequence.first) > 0;
}

}  // namespace steertag::rdma::roce
