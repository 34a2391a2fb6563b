#include "track/setups.h"

#include <utility>

#include "rdma/roce/qp_pair.h"
#include "track/connection.h"

namespace steertag::track {

bool Setup::repeats(const Setup& first) const {
  const bool better = first.damaged() && !damaged();
  return comm_id == first.comm_id && !better &&
         (!first.starting_psn || !starting_psn || *first.starting_psn == *starting_psn);
}

void Setup::note_again(const Stamp& now) {
  const Stamp& latest = again.empty() ? at : again.back();
  if (again.size() < kMostAgain && now.time_ns - latest.time_ns >= kResent_ns) {
    again.push_back(now);
  }
}

Setup& Setups::hear(Setup setup) {
  if (Setup* known = find(setup.half)) {
    if (setup.repeats(*known)) {
      known->note_again(setup.at);
      return *known;
    }
    forget(setup.half);
  } else if (all_.size() >= kMax) {
    remove(all_.begin());
  }
  const Place place = all_.insert(all_.end(), std::move(setup));
  by_half_[place->half] = place;
  by_pair_[pair_of(*place)] = place;
  return *place;
}

Setup* Setups::find(const Half& half) {
  const auto found = by_half_.find(half);
  return found == by_half_.end() ? nullptr : &*found->second;
}

// The flow to an end comes from the other one.
Setups::Pair Setups::pair_of(const Setup& setup) {
  return setup.active ? Pair{setup.half.destination, setup.half.source, setup.comm_id, true}
                      : Pair{setup.half.source, setup.half.destination, setup.peer_comm_id, false};
}

Setup* Setups::request(const base::Address& from, const base::Address& to, uint32_t comm_id) {
  const auto found = by_pair_.find(Pair{from, to, comm_id, true});
  return found == by_pair_.end() ? nullptr : &*found->second;
}

std::optional<Setup> Setups::take_half(const Match& flow) {
  size_t left = kMaxLookedAt;
  for (auto setup = all_.rbegin(); setup != all_.rend() && left != 0; ++setup, --left) {
    const bool says =
        setup->half.source == flow.from_a.destination && setup->half.destination == flow.from_a.source;
    if (says && setup->order < flow.order && setup->starting_psn &&
        flow.answers_from(Side::a, *setup->starting_psn)) {
      Setup known = *setup;
      forget(known.half);
      known.starting_psn.reset();  // what its peer sends is not in the capture
      return out_of_touch(known.at, flow.packets.front().second.at) ? std::nullopt : std::optional(known);
    }
  }
  return std::nullopt;
}

Setup* Setups::counterpart(const Setup& setup) {
  Pair wanted = pair_of(setup);
  wanted.request = !wanted.request;
  const auto found = by_pair_.find(wanted);
  if (found == by_pair_.end()) {
    return nullptr;
  }
  Setup& other = *found->second;
  const bool in_time = setup.at.time_ns - other.at.time_ns < rdma::roce::QpPair::kPatienceNs;
  return !setup.active || in_time ? &other : nullptr;
}

void Setups::forget(const Half& half) {
  if (const auto found = by_half_.find(half); found != by_half_.end()) {
    remove(found->second);
  }
}

void Setups::remove(Place place) {
  by_half_.erase(place->half);
  if (const auto pair = by_pair_.find(pair_of(*place)); pair != by_pair_.end() && pair->second == place) {
    by_pair_.erase(pair);
  }
  all_.erase(place);
}

Setup setup_of(const Arrival& arrival, const rdma::roce::CmMessage& cm) {
  Setup setup;
  setup.half = to_sender(arrival.packet, cm.local_qpn);
  setup.at = arrival.at;
  setup.psn = arrival.bth.psn;
  setup.order = arrival.order;
  setup.transport = transport_of(arrival.packet.carrier);
  setup.active = cm.attribute == rdma::roce::CmAttribute::req;
  if (setup.active) {
    setup.path_mtu = cm.path_mtu();
    setup.port = cm.is_ip_service() ? cm.port() : 0;
  }
  setup.comm_id = cm.local_comm_id;
  setup.peer_comm_id = cm.remote_comm_id;
  setup.qpn = cm.local_qpn;
  setup.icrc = arrival.icrc;
  if (cm.has_starting_psn) {
    setup.starting_psn = cm.starting_psn;
  }
  if (!cm.fields_cut) {
    setup.retries.emplace();
    setup.retries->rnr = cm.rnr_retry_count();
    if (setup.active) {
      setup.retries->count = cm.retry_count();
      setup.retries->ack_timeout = cm.ack_timeout();
      setup.service_level = cm.service_level();
    }
  }
  setup.private_data.assign(cm.private_data.begin(), cm.private_data.end());
  setup.facts.seen = true;
  setup.facts.private_data_whole = cm.private_data_whole;
  if (cm.has_depths) {
    setup.facts.initiator_depth = cm.initiator_depth;
    setup.facts.responder_resources = cm.responder_resources;
  }
  return setup;
}

}  // namespace steertag::track
