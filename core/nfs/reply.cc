#include "nfs/reply.h"

namespace steertag::nfs {
namespace {

// One walk over the results that start at `offset`, under the pairing's present choices.
void walk_results(const Stream& stream, uint64_t offset, const CallWalk& call, Pairing& pairing,
                  ReplyWalk& into) {
  into.Walk::clear();
  pairing.begin();
  Cursor at(stream, offset, into, &pairing);
  if (!into.rpc.succeeded()) {
    // No results: the header is the message (RFC 5531 §9).
  } else if (is_compound(call.rpc)) {
    walk_compound_results(at, call.compound);
  } else if (const Procedure* procedure = nfs_procedure(call.rpc)) {
    procedure->results(at);
  } else {
    at.stop(Reason::unknown_program);
  }
  at.end();
  if (into.derailment && !into.complete()) {
    into.reason = Reason::derailed;
  }
  into.fit = pairing.fit();
  into.unclaimed = pairing.unclaimed();
}

// What a reading is worth: one that ends well, one that nothing speaks against
// as far as it goes, one that cannot be.
enum class Outcome : uint8_t { complete, open, refuted };

Outcome outcome(const Walk& walk) {
  switch (walk.reason) {
    case Reason::none:
      return Outcome::complete;
    case Reason::past_end:
    case Reason::trailing:
    case Reason::other_operation:
      return Outcome::refuted;
    default:
      return Outcome::open;
  }
}

// Whether a reading cannot be what its sender meant: it runs into a wall, or a
// chunk holds something that is not a result. `results`: eligible ones that may come at all.
bool disproved(const ReplyWalk& walk, const Pairing& pairing, uint64_t results) {
  switch (outcome(walk)) {
    case Outcome::refuted:
      return true;
    case Outcome::complete:
      return walk.fit == Fit::loose;
    case Outcome::open:
      return pairing.mismatch() || (walk.unclaimed != 0 && walk.items.size() >= results);
  }
  return false;
}

struct Best {
  Outcome outcome = Outcome::refuted;
  Fit fit = Fit::loose;
  Pairing::Choices choices;
  uint32_t equals = 0;  // readings of the same worth

  // A reading that agrees with the chunks and could not be followed to its end
  // comes before one that ends well and does not agree: nobody is accused by guess.
  void consider(const ReplyWalk& walk, const Pairing& pairing) {
    const Outcome found = nfs::outcome(walk);
    if (found == Outcome::refuted) {
      return;
    }
    const bool better = equals == 0 || walk.fit < fit || (walk.fit == fit && found < outcome);
    if (better) {
      *this = {found, walk.fit, pairing.choices(), 1};
    } else if (walk.fit == fit && found == outcome) {
      ++equals;
    }
  }
};

// No other reading can be as good: the only result that there can be is in the only chunk that is used.
bool beyond_doubt(const ReplyWalk& walk, uint64_t results) {
  return results == 1 && walk.complete() && walk.fit == Fit::exact && walk.items.size() == 1 &&
         walk.items[0].placed == Placed::in_chunk;
}

// What is known where several readings fit: the first item that can be in a
// chunk, with its count, and the empty ones in front of it.
void leave_undecided(ReplyWalk& walk) {
  walk.reason = Reason::ambiguous;
  size_t keep = 0;
  while (keep < walk.items.size() && walk.items[keep].count == 0) {
    ++keep;
  }
  while (walk.items.size() > keep + 1) {
    walk.items.drop_last();
  }
  for (Item& item : walk.items) {
    item.placed = item.count == 0 ? Placed::in_stream : Placed::undecided;
  }
}

}  // namespace

void walk_reply(const Stream& stream, const CallWalk& call, std::span<const uint64_t> returned,
                ReplyWalk& into) {
  into.clear();
  if (!read_header(stream, into.rpc, into)) {
    return;
  }
  if (into.rpc.type != rpcrdma::MsgType::reply) {
    into.reason = Reason::not_rpc;
  } else if (!call.header_known) {
    into.reason = Reason::call_unknown;
  } else if (into.rpc.succeeded() && hidden(call.rpc)) {
    into.reason = Reason::wrapped;
  }
  if (into.reason != Reason::none) {
    return;
  }

  const uint64_t offset = into.offset;
  Pairing pairing(returned);
  Best best;
  uint32_t readings = 0;
  bool more = true, disproved_all = true;
  const uint64_t results = call.operations_walked() ? call.wanted.size() : UINT64_MAX;
  while (more && readings < kMaxReadings) {
    walk_results(stream, offset, call, pairing, into);
    best.consider(into, pairing);
    disproved_all &= !into.items.empty() && disproved(into, pairing, results);
    ++readings;
    more = !beyond_doubt(into, results) && pairing.next();
  }
  // One reading is also the result. Where none fits, or where several do, the first is
  // reported, which takes every chunk in order.
  if (readings > 1 || more) {
    pairing.set(best.equals == 1 ? best.choices : Pairing::Choices{});
    walk_results(stream, offset, call, pairing, into);
  }
  if (more || best.equals > 1) {
    leave_undecided(into);
  }
  into.contradicted = !more && disproved_all;
}

}  // namespace steertag::nfs
