#include "history/in_force.h"

#include <algorithm>

#include "history/characteristics.h"
#include "history/sizes.h"
#include "history/versions.h"

namespace steertag::history {
namespace {

using rdma::Side;

// Nothing is missing that may have changed since what was said at `at`.
bool unchanged_since(const track::Connection& connection, const Stamp& at) {
  return !connection.last_doubt_ns || *connection.last_doubt_ns < at.time_ns;
}

// Nor anything that may have said something in the first place.
bool all_heard(const track::Connection& connection, const Terms& of) {
  return connection.begins_in_capture() && !connection.last_doubt_ns && !of.missed && !of.forgot;
}

InForce::Value value_of(const track::Connection& connection, const Reported& reported, const Terms& terms) {
  InForce::Value made;
  for (const Conveyed& conveyed : terms.conveyed) {
    if (conveyed.which == reported.which) {
      made.history.push_back(conveyed);
    }
  }
  if (made.history.empty()) {  // too many of other ids came since
    made.history.push_back({reported, reported.at, {}});
  }
  made.now = made.history.back();
  made.certain = unchanged_since(connection, reported.at);
  return made;
}

std::vector<InForce::Value> values_of(const track::Connection& connection, const Terms& terms) {
  std::vector<InForce::Value> made;
  for (const Reported& reported : terms.reported) {
    made.push_back(value_of(connection, reported, terms));
  }
  for (const xchar::Characteristic& known : xchar::characteristics) {
    if (terms.find(known.id) == nullptr && all_heard(connection, terms)) {
      InForce::Value value;
      value.is_default = true;
      value.now.which = known.id;
      value.now.number = known.default_value;
      made.push_back(std::move(value));
    }
  }
  std::sort(made.begin(), made.end(),
            [](const InForce::Value& a, const InForce::Value& b) { return a.now.which < b.now.which; });
  return made;
}

uint32_t version_of(const Ground& ground) {
  return ground.versions.agreed() ? ground.versions.agreed_version() : ground.connection.version;
}

}  // namespace

std::optional<InForce::Permission> invalidation_in_force(const Ground& ground, Side requester) {
  const track::Connection& connection = ground.connection;
  if (version_of(ground) == 2) {
    const Terms& terms = ground.characteristics.of(requester);
    const Reported* reported = terms.find(xchar::Id::reqreminv);
    if (reported != nullptr) {
      return InForce::Permission{reported->number.value_or(0) != 0, Basis::characteristic, reported->at,
                                 unchanged_since(connection, reported->at)};
    }
    return all_heard(connection, terms) ? std::optional(InForce::Permission{}) : std::nullopt;
  }
  if (!connection.setup_seen()) {
    return std::nullopt;
  }
  // RFC 8797 §4.1: both ends have to be capable of it.
  const rpcrdma::PrivateData& own = connection.end(requester).private_data;
  const rpcrdma::PrivateData& peers = connection.end(rdma::other(requester)).private_data;
  const bool said = own.usable() && peers.usable();
  return InForce::Permission{said && own.remote_invalidation && peers.remote_invalidation,
                             said ? Basis::private_data : Basis::version};
}

std::optional<Limit> limit_in_force(const Ground& ground, Side from) {
  const track::Connection& connection = ground.connection;
  const Terms& receiver = ground.characteristics.of(rdma::other(from));
  // Until the version is agreed upon, a Send may have what every receiver takes (version-two-02 §6).
  const bool agreed = ground.versions.agreed() || !connection.begins_in_capture() || connection.last_doubt_ns;
  const uint32_t version = agreed ? version_of(ground) : 1;
  std::optional<Limit> limit = ground.sizes.limit(from, version, receiver);
  if (limit && limit->at) {
    limit->certain = unchanged_since(connection, *limit->at);
  } else if (limit && version == 2 && !all_heard(connection, receiver)) {
    return std::nullopt;  // the receiver may have conveyed more
  }
  return limit;
}

InForce in_force(const Ground& ground) {
  InForce made;
  made.version = version_of(ground);
  for (const Side side : {Side::a, Side::b}) {
    InForce::End& end = made.ends[rdma::index(side)];
    end.sends = limit_in_force(ground, side);
    end.invalidation = invalidation_in_force(ground, side);
    if (made.version == 2) {
      end.characteristics = values_of(ground.connection, ground.characteristics.of(side));
    }
  }
  return made;
}

InForce in_force(const track::Connection& connection) {
  return in_force(Ground{connection, Sizes(connection), Versions{}, Characteristics{}});
}

}  // namespace steertag::history
