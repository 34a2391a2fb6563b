// Version one: both ends say while they connect whether they do remote invalidation (RFC 8797 §4.1).

#include "rules/advertised.h"
#include "rules/answers.h"
#include "rules/inv/owner.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

// What one end is taken to have said: an end without conforming private data has said no.
bool takes_invalidation(const track::End& end) {
  return end.private_data.usable() && end.private_data.remote_invalidation;
}

std::string_view spoken_of_invalidation(const track::End& end) {
  return end.private_data.usable() ? "has R=0 in its private data" : "has no private data of RPC-over-RDMA";
}

Outcome check_unannounced_invalidation(const flow::Message& message, Report& report) {
  if (spoken_version(message) != 1) {
    return Outcome::not_applicable;  // a Reply in the wrong version: version two has no R
  }
  if (!message.connection->setup_seen()) {
    return message.send_invalidate ? Outcome::undecided : Outcome::not_applicable;
  }
  const track::End& requester = message.connection->end(rdma::other(message.from));
  if (takes_invalidation(requester)) {
    return Outcome::not_applicable;
  }
  if (message.send_invalidate) {
    report("Reply invalidates handle {:#010x}, but the Requester {}", message.invalidated,
           spoken_of_invalidation(requester));
  }
  return Outcome::done;
}

// Servers ship that look at the client's R only: nothing comes of it.
Outcome check_invalidation_without_own_word(const flow::Message& message, Report& report) {
  if (spoken_version(message) != 1) {
    return Outcome::not_applicable;
  }
  if (!message.connection->setup_seen()) {
    return message.send_invalidate ? Outcome::undecided : Outcome::not_applicable;
  }
  const track::End& responder = message.connection->end(message.from);
  if (!takes_invalidation(message.connection->end(rdma::other(message.from))) ||
      takes_invalidation(responder)) {
    return Outcome::not_applicable;
  }
  if (message.send_invalidate) {
    report("Reply invalidates handle {:#010x}, but the Responder itself {}, and both must set R",
           message.invalidated, spoken_of_invalidation(responder))
        .severity(report.strict()                         ? Severity::error
                  : report.profile() == Profile::deployed ? Severity::note
                                                          : Severity::warning);
  }
  return Outcome::done;
}

Outcome check_foreign_handle_invalidated(const flow::Message& message, Report& report) {
  if (!message.send_invalidate) {
    return Outcome::not_applicable;
  }
  const Answers pair = answers(message);
  if (pair.outcome != Outcome::done) {
    return pair.outcome;
  }
  if (!advertises_handle(pair.call->header.chunks, message.invalidated)) {
    report("Reply invalidates handle {:#010x}, which its Call does not advertise{}", message.invalidated,
           owner_of_invalidated(message, pair.open))
        .with(*pair.open->call);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule unannounced_invalidation = {
    .id = "INV-06",
    .name = "unannounced-invalidation",
    .source = {"RFC 8797", "4.1"},
    .also = "reminv-design-09",
    .needs = needs_setup | needs_both_ways,
    .about = kinds::replies & kinds::version_one,
    .message = check_unannounced_invalidation,
};

constinit const Rule invalidation_without_own_word = {
    .id = "INV-07",
    .name = "invalidation-without-own-word",
    .severity = Severity::warning,
    .source = {"RFC 8797", "4.1"},
    .needs = needs_setup | needs_both_ways,
    .about = kinds::replies & kinds::version_one,
    .habit = true,
    .message = check_invalidation_without_own_word,
};

constinit const Rule foreign_handle_invalidated = {
    .id = "INV-08",
    .name = "foreign-handle-invalidated",
    .source = {"RFC 8797", "4.1"},
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::replies & kinds::version_one,
    .message = check_foreign_handle_invalidated,
    .plain_message = plain::asked_with(plain::invalidates),
};

}  // namespace steertag::rules
