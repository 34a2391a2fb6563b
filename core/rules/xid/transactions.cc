// One Call, one answer, one XID: Replies that answer nothing, second answers,
// XIDs that belong to two Calls at a time.

#include "rules/reading.h"
#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

using flow::Direction;

// A Reply that can be judged as one. An RDMA_NOMSG of version one is known by its chunks: where these are not
// its receiver's memory, its sender may have meant a Call that lacks its Read list.
bool is_reply(const flow::Message& message) {
  return message.direction == Direction::reply && (!message.direction_guessed || assumed_reply(message));
}

Certainty surest(const flow::Message& message) {
  return message.direction_guessed ? Certainty::likely : Certainty::definite;
}

// A second Reply is XID-03; one that is owed to a retransmitted Call is in order.
Outcome check_reply_without_call(const flow::Message& message, Report& report) {
  if (!is_reply(message) || !conveys_rpc(message)) {
    return Outcome::not_applicable;
  }
  const flow::Standing& standing = *message.standing;
  if (standing.open != nullptr || standing.completed || standing.owed) {
    return Outcome::done;
  }
  if (standing.calls_forgotten || standing.extension != nullptr || terms_of_receiver(message).forgot) {
    return Outcome::undecided;
  }
  report("Reply to no open Call: the peer has sent none with XID {:#010x}", message.header->xid)
      .in(field::xid)
      .at_most(surest(message));
  return Outcome::done;
}

Outcome check_second_answer(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (!is_reply(message) || !(conveys_rpc(message) || h.is_error())) {
    return Outcome::not_applicable;
  }
  const flow::Standing& standing = *message.standing;
  if (standing.open != nullptr) {
    return Outcome::done;
  }
  // Only RDMA2_OPTIONAL is answered so, whatever else had its XID.
  const bool of_option = h.error_v2 && h.error_v2->code == rpcrdma::v2::ErrorCode::inval_option;
  if (!standing.completed || !standing.completed->call_seen || of_option) {
    return Outcome::not_applicable;
  }
  report("{} to a Call that a{} had already answered", h.is_error() ? "Error" : "Reply",
         standing.completed->error ? "n error" : " Reply")
      .in(field::xid)
      .at_most(surest(message))
      .with(standing.completed->call)
      .with(standing.completed->reply);
  return Outcome::done;
}

// Whether two Calls convey the same RPC message, whatever their credentials; unset where the inline bytes do
// not show it: one of them was cut, is in a chunk, or gets a new sequence number
// whenever it is sent (RFC 2203 §5.3.3.1).
std::optional<bool> same_rpc(const flow::Exchange& before, const flow::Message& message) {
  const flow::KeptMessage& call_message = before.call_message;
  const rpcrdma::TransportHeader& h = *message.header;
  const bool gss = (call_message.has_rpc && call_message.rpc.credential.flavor == rpcrdma::Flavor::gss) ||
                   (message.rpc != nullptr && message.rpc->credential.flavor == rpcrdma::Flavor::gss);
  if (!call_message.kept || !call_message.has_rpc || message.rpc == nullptr || gss ||
      call_message.decoded.stop || message.decoded.stop || call_message.rpc_decoded.stop ||
      message.rpc_decoded.stop || !h.carries_payload() || !call_message.header.carries_payload() ||
      call_message.header.chunks.reads.empty() != h.chunks.reads.empty()) {
    return std::nullopt;
  }
  if (before.call_inline_length - call_message.rpc_decoded.header_length !=
      message.payload_length - message.rpc_decoded.header_length) {
    return false;
  }
  if (!call_message.payload_whole || message.payload.size() != message.payload_length) {
    return std::nullopt;
  }
  return flow::body_digest(before) == flow::body_digest(message);
}

// version-two-02 §5.2.2: an RDMA2_OPTIONAL takes its XID from where Calls take theirs. Of an extension that
// is not known here: it may mean the Call that has the XID.
Outcome judge_xid_of_option(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Optional* body = xchar_of(message);
  if (body == nullptr || message.direction != Direction::call) {
    return Outcome::not_applicable;
  }
  const flow::Exchange* open = message.standing->open;
  const history::Asked* asked = body->opttype == xchar::Operation::reqxch
                                    ? terms_of_sender(message).find_asked(message.header->xid)
                                    : nullptr;
  if (open != nullptr && open->call) {
    report("{} has the XID of a Call that is still open", short_name(body->opttype))
        .in(field::xid)
        .with(*open->call);
  } else if (asked != nullptr && asked->certain) {
    report("REQXCH has the XID of another REQXCH that is still open").in(field::xid).with(asked->at);
  }
  return Outcome::done;
}

Outcome check_xid_in_use(const flow::Message& message, Report& report) {
  if (!conveys_rpc(message)) {
    return judge_xid_of_option(message, report);
  }
  if (message.direction != Direction::call) {
    return Outcome::not_applicable;
  }
  const flow::Exchange* before = message.standing->open;
  if (before == nullptr || !before->call) {
    return Outcome::done;
  }
  const std::optional<bool> same = same_rpc(*before, message);
  if (!same) {
    return Outcome::undecided;
  }
  if (*same) {
    report("Call is retransmitted while it is still open")
        .in(field::xid)
        .with(*before->call)
        .severity(Severity::note);
  } else {
    report("Call has the XID of another Call that is still open")
        .in(field::xid)
        .with(*before->call)
        .severity(report.strict() ? Severity::error : Severity::warning);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule reply_without_call = {
    .id = "XID-02",
    .name = "reply-without-call",
    .source = {"RFC 8167", "2.4"},
    .needs = prefers_setup | needs_both_ways | needs_no_loss,
    .about = kinds::replies | (kinds::unclear & kinds::version_one) | kinds::optionals,
    .message = check_reply_without_call,
    .plain_message = plain::kept,
};

constinit const Rule second_answer = {
    .id = "XID-03",
    .name = "second-answer",
    .source = {"RFC 8166", "4.5"},
    .also = "rfc8167",
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::replies | (kinds::unclear & kinds::version_one) | kinds::errors | kinds::optionals,
    .message = check_second_answer,
    .plain_message = plain::kept,
};

constinit const Rule xid_in_use = {
    .id = "XID-04",
    .name = "xid-in-use",
    .severity = Severity::warning,
    .source = {"RFC 8167", "2.4"},
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::calls | kinds::optionals,
    .message = check_xid_in_use,
    .plain_message = plain::kept,
};

}  // namespace steertag::rules
