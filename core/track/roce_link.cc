#include "track/roce_link.h"

#include <cstdlib>
#include <utility>

#include "base/fetch.h"
#include "rdma/roce/psn.h"
#include "track/pairing.h"

namespace steertag::track {

namespace roce = rdma::roce;

bool RoceLink::late(Side from, const roce::Packet& packet) const {
  if (packet.opcode == roce::Opcode::cnp) {
    return true;  // has no PSN
  }
  const Side sender = roce::is_response(packet.opcode) ? rdma::other(from) : from;
  const std::optional<uint32_t> psn = pair ? pair->sent(sender).sequence.next() : stood[rdma::index(sender)];
  return !psn || std::abs(roce::psn_distance(packet.psn, *psn)) < roce::kLateDistance;
}

bool RoceLink::left_for_another(Side from, const roce::Packet& packet, const Stamp& at) const {
  return out_of_touch(connection.last_frame, at) && (!pair || !goes_on(*pair, from, packet));
}

void RoceLink::apply(Side side, const Setup& setup) {
  connection.end(side).qpn = setup.qpn;
  comm_ids[rdma::index(side)] = setup.comm_id;
  rdma::SetupHalf facts = setup.facts;
  facts.private_data = setup.private_data;
  if (setup.active) {
    connection.client = side;
    if (setup.port != 0) {
      connection.end(rdma::other(side)).port = setup.port;
    }
  } else {
    connection.client = rdma::other(side);
  }
  note_setup(connection, side, facts, setup.at);
  connection.end(side).retries = setup.retries;
  if (setup.service_level) {
    connection.service_level = setup.service_level;
  }
  if (setup.path_mtu != 0) {
    pair->set_path_mtu(setup.path_mtu);
    connection.path_mtu = setup.path_mtu;
  }
  if (setup.starting_psn) {
    pair->expect(rdma::other(side), *setup.starting_psn);
    starts[rdma::index(rdma::other(side))] = setup.starting_psn;
    connection.seen_from_start = starts[0] && starts[1];
  }
  listener->on_setup(side, facts, setup.at);
  if (setup.damaged()) {
    pair->check(side, *setup.icrc, setup.at);
  }
  if (setup.active) {
    tell_asked(side, setup);
  }
}

// Each time that the REQ was sent again by now.
void RoceLink::tell_asked(Side side, const Setup& request) {
  constexpr uint32_t kMad = 256;
  asked = rdma::SetupAgain{.from = side,
                           .number = request.psn,
                           .bytes = kMad,
                           .first = request.at,
                           .before = request.at,
                           .at = request.at,
                           .accepted = {}};
  rdma::Arrivals* const arrivals = listener->arrivals();
  for (const Stamp& at : request.again) {
    asked->before = std::exchange(asked->at, at);
    asked->accepted = request.again.back();
    if (arrivals != nullptr) {
      arrivals->on_setup_again(*asked);
    }
  }
}

void RoceLink::ask_again(Side side, const Stamp& at) {
  if (listener == nullptr || !asked || asked->from != side ||
      at.time_ns - asked->at.time_ns < Setup::kResent_ns) {
    return;
  }
  asked->before = std::exchange(asked->at, at);
  asked->accepted.reset();
  if (rdma::Arrivals* const arrivals = listener->arrivals()) {
    arrivals->on_setup_again(*asked);
  }
}

void RoceLink::begin_with(Side side, const Setup& setup) {
  apply(side, setup);
  if (setup.order < connection.order) {
    connection.order = setup.order;
    connection.first_frame = setup.at;
  }
}

// Who goes on has not taken it for the end.
void RoceLink::settle_rejection() {
  if (rejected() && !closing) {
    connection.note_frame(connection.rejection->at);
    connection.ended = rdma::EndReason::reject;
    connection.ended_by = connection.rejection->by;
  }
}

uint64_t RoceLink::end(rdma::EndReason reason, const Stamp& last) {
  settle_rejection();
  const bool by_rejection = connection.ended == rdma::EndReason::reject;
  const Stamp at = by_rejection ? connection.rejection->at : closing.value_or(last);
  pair->finish(at);
  const uint64_t lost = pair->lost();
  if (!connection.ended) {
    connection.ended = reason;
  }
  listener->on_end(*connection.ended, at);
  for (const Side side : {Side::a, Side::b}) {
    stood[rdma::index(side)] = pair->sent(side).sequence.next();
  }
  listener = nullptr;
  pair.reset();
  account.set(sizeof(RoceLink) + kInTables);
  return lost;
}

void RoceLink::fetch(Side from, roce::Opcode opcode, Step step) const {
  const rdma::OpKind kind = roce::kind_of(opcode);
  switch (step) {
    case Step::link:
      base::fetch(*this);
      break;
    case Step::parts:
      if (pair != nullptr) {
        pair->expect(from, opcode, rdma::Listener::Nearing::itself);
      }
      base::fetch(listener, 1);
      break;
    case Step::listener:
      if (pair != nullptr) {
        pair->expect(from, opcode, rdma::Listener::Nearing::contents);
        listener->expect(kind, from, rdma::Listener::Nearing::itself);
      }
      break;
    case Step::contents:
      if (pair != nullptr) {
        listener->expect(kind, from, rdma::Listener::Nearing::contents);
      }
      break;
  }
}

}  // namespace steertag::track
