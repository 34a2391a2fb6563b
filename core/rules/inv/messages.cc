// Which messages may be a Send With Invalidate, and what becomes of one.

#include "rules/report.h"

namespace steertag::rules {
namespace {

Outcome check_invalidation_by_no_reply(const flow::Message& message, Report& report) {
  if (!message.send_invalidate) {
    return Outcome::not_applicable;
  }
  const rpcrdma::TransportHeader& h = *message.header;
  // An extension that is not known may answer a Call by means of its own (version-two-02 §5.2.1).
  const bool perhaps = message.direction != flow::Direction::call && unknown_option(message);
  if (perhaps) {
    return conveys_rpc(message) ? Outcome::done : Outcome::undecided;
  }
  if (h.is_error()) {
    report("{} invalidates handle {:#010x}; only a Reply may do so",
           rpcrdma::procedure_name(h.version, h.procedure), message.invalidated)
        .severity(Severity::warning);
  } else if (h.is(rpcrdma::v1::Proc::done) || h.is(rpcrdma::v2::Proc::optional)) {
    report("{} invalidates handle {:#010x}; only a Reply may do so",
           rpcrdma::procedure_name(h.version, h.procedure), message.invalidated);
  } else if (message.direction == flow::Direction::unknown || message.direction_guessed) {
    return Outcome::undecided;
  } else if (message.direction == flow::Direction::call) {
    report("Call invalidates handle {:#010x}; only a Reply may do so", message.invalidated);
  }
  return Outcome::done;
}

// RFC 5040 §4.8: "STag cannot be invalidated" of the error types for RDMAP.
bool is_invalidation_terminate(const rdma::Fault& fault) {
  return fault.kind == rdma::Fault::Kind::terminate && fault.layer == 0 &&
         (fault.etype == 1 || fault.etype == 2) && fault.code == 9;
}

bool is_access_nak(const rdma::Fault& fault) {
  return fault.kind == rdma::Fault::Kind::nak_invalid_request ||
         fault.kind == rdma::Fault::Kind::nak_remote_access ||
         fault.kind == rdma::Fault::Kind::nak_remote_operational;
}

Outcome check_invalidation_refused(const flow::Incident& incident, Report& report) {
  const rdma::Fault* fault = incident.fault();
  if (fault == nullptr || !incident.invalidation) {
    return Outcome::not_applicable;
  }
  const bool terminate = is_invalidation_terminate(*fault);
  if (!terminate && !(is_access_nak(*fault) && fault->of_invalidation)) {
    return Outcome::not_applicable;
  }
  const flow::Invalidation& refused = *incident.invalidation;
  report("{} rejects the invalidation of handle {:#010x} by {}",
         incident.connection->end(fault->from).address.text(), refused.handle,
         terminate ? "a Terminate: the STag cannot be invalidated" : "a NAK of the Send With Invalidate")
      .with(refused.at)
      .of(refused.xid)
      .blame_nobody()
      .at_most(Certainty::likely);
  return Outcome::done;
}

}  // namespace

constinit const Rule invalidation_by_no_reply = {
    .id = "INV-09",
    .name = "invalidation-by-no-reply",
    .source = {"RFC 8797", "4.1"},
    .also = "version-two-02",
    .message = check_invalidation_by_no_reply,
    .plain_message = plain::asked_with(plain::invalidates),
};

constinit const Rule invalidation_refused = {
    .id = "INV-11",
    .name = "invalidation-refused",
    .source = {"RFC 5040", "5.3"},
    .also = "reminv-design-09,version-two-02",
    .needs = needs_both_ways,
    .incident = check_invalidation_refused,
};

}  // namespace steertag::rules
