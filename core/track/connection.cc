#include "track/connection.h"

namespace steertag::track {

void note_congestion(Connection& connection, const Congestion& congestion) {
  End& end = connection.end(congestion.from);
  ++(congestion.kind == Congestion::Kind::marked ? end.ecn_ce : end.cnps);
}

void note_setup(Connection& connection, Side half, const rdma::SetupHalf& setup, const Stamp& at) {
  End& end = connection.end(half);
  end.setup_seen = setup.seen;
  end.setup_at = at;
  end.private_data_whole = setup.private_data_whole;
  end.private_data = rpcrdma::find_private_data(setup.private_data);
  end.initiator_depth = setup.initiator_depth;
  end.responder_resources = setup.responder_resources;
}

void IcmpErrors::note(const link::IcmpError& error, const Stamp& now) {
  ++count;
  latest = error;
  latest.quote = {};
  at = now;
}

}  // namespace steertag::track
