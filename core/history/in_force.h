// InForce: what counts on a connection by all that its setup and its messages have said so far: how long the
// Sends of each end may be, who takes Send With Invalidate, which transport characteristics hold, each with
// what has set it and the frame that did.
//
// Worked out by History, of the same Sizes, Versions and Characteristics as the Standing of a message. Who
// has no History gets what the setup alone says. What a missing packet may have changed is not certain.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "frame.h"
#include "history/terms.h"
#include "track/connection.h"

namespace steertag::history {

class Characteristics;
class Sizes;
class Versions;

// What a limit or a permission is by.
enum class Basis : uint8_t {
  version,         // the default of the protocol's version
  private_data,    // of the setup (RFC 8797)
  characteristic,  // XCHAR_RBSIZ of the receiver, XCHAR_REQREMINV of the Requester
  configuration,   // CONF_RDMA (RFC 5666 §6)
};

// Bytes that a Send may have. By CONF_RDMA: bytes of the RPC message in it.
struct Limit {
  uint32_t bytes = 0;
  Basis by = Basis::version;
  std::optional<Stamp> at = {};  // the message that has set it
  bool certain = true;
};

struct InForce {
  // To send a Requester Send With Invalidate.
  struct Permission {
    bool given = false;
    Basis by = Basis::version;
    std::optional<Stamp> at = {};
    bool certain = true;
  };
  // A characteristic.
  struct Value {
    Conveyed now;             // where `is_default`, only its id and its number
    bool is_default = false;  // it was never conveyed
    bool certain = true;
    std::vector<Conveyed> history = {};  // of the same id, `now` last; as much as Terms keeps
  };
  struct End {
    std::optional<Limit> sends;               // of this end; unset: not known
    std::optional<Permission> invalidation;   // unset: not known
    std::vector<Value> characteristics = {};  // version two; by id
  };
  uint32_t version = 0;  // that all this is of
  std::array<End, 2> ends;

  const End& of(rdma::Side side) const { return ends[rdma::index(side)]; }
};

// What it is worked out of.
struct Ground {
  const track::Connection& connection;
  const Sizes& sizes;
  const Versions& versions;
  const Characteristics& characteristics;
};

InForce in_force(const Ground& ground);
std::optional<Limit> limit_in_force(const Ground& ground, rdma::Side from);
std::optional<InForce::Permission> invalidation_in_force(const Ground& ground, rdma::Side requester);
// By the setup alone.
InForce in_force(const track::Connection& connection);

}  // namespace steertag::history
