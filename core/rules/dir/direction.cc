// The direction field of version two, held against what the message conveys.
// Version one has none.

#include "flow/payload.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

namespace v2 = rpcrdma::v2;
using flow::Direction;
using rpcrdma::MsgType;
using rpcrdma::xchar::Operation;

// The direction field, if it has one of its two values.
std::optional<MsgType> said(const rpcrdma::TransportHeader& h) {
  return h.direction && !text(*h.direction).empty() ? h.direction : std::nullopt;
}

Blame sender_of(MsgType type) {
  return type == MsgType::call ? Blame::requester : Blame::responder;
}

Outcome check_msg_direction(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (!h.is(v2::Proc::msg)) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = whole(message.decoded); outcome != Outcome::done) {
    return outcome;
  }
  const auto direction = said(h);
  const std::optional<uint32_t> mtype = payload_word(message, 1);
  if (!direction || message.payload_length < 8 || (mtype && *mtype > 1)) {
    return Outcome::not_applicable;
  }
  if (!mtype) {
    return Outcome::undecided;
  }
  const auto conveyed = static_cast<MsgType>(*mtype);
  if (conveyed != *direction) {
    report("rdma_direction {}, but the RPC message is a {}", text(*direction), text(conveyed))
        .in(field::direction)
        .blame(sender_of(conveyed), message.from);
  }
  return Outcome::done;
}

// What the chunks and the open Calls say. A Reply's chunk does not show before
// it is filled; Message::direction is by them where they contradict the field.
Outcome judge_nomsg_direction(const flow::Message& message, Report& report) {
  const auto direction = said(*message.header);
  if (!direction) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = whole(message.decoded); outcome != Outcome::done) {
    return outcome;
  }
  if (*direction == MsgType::reply && message.direction == Direction::call) {
    report("rdma_direction REPLY, but there is a Position-Zero Read chunk and no open Call with this XID")
        .in(field::direction)
        .at_most(Certainty::likely)
        .blame(Blame::requester, message.from);
  } else if (*direction == MsgType::call && message.direction == Direction::reply) {
    auto entry = report("rdma_direction CALL, but there is no Read list, and a Call with this XID is open");
    entry.in(field::direction).at_most(Certainty::likely).blame(Blame::responder, message.from);
    if (message.standing->open != nullptr && message.standing->open->call) {
      entry.with(*message.standing->open->call);
    }
  }
  return Outcome::done;
}

Outcome judge_optional_direction(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  const auto direction = said(h);
  if (!direction || h.optional.empty()) {
    return header_cut(message) ? Outcome::undecided : Outcome::not_applicable;
  }
  const Operation operation = h.optional[0].opttype;
  if (operation == Operation::reqxch || operation == Operation::respxch) {
    const MsgType due = operation == Operation::reqxch ? MsgType::call : MsgType::reply;
    if (*direction != due) {
      report("rdma_optdir {}, but {} is a {}", text(*direction), text(operation), text(due))
          .in(field::direction)
          .blame(sender_of(due), message.from);
    }
    return Outcome::done;
  }
  // Another extension may put parts of a message here: only what opens as one is.
  if (!text(operation).empty() || message.decoded.stop || message.rpc == nullptr ||
      message.rpc->xid != h.xid || text(message.rpc->type).empty()) {
    return Outcome::not_applicable;
  }
  if (message.rpc->type != *direction) {
    report("rdma_optdir {}, but the RPC message is a {}", text(*direction), text(message.rpc->type))
        .in(field::direction)
        .blame(sender_of(message.rpc->type), message.from);
  }
  return Outcome::done;
}

Outcome check_other_direction(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  return h.is(v2::Proc::nomsg)      ? judge_nomsg_direction(message, report)
         : h.is(v2::Proc::optional) ? judge_optional_direction(message, report)
                                    : Outcome::not_applicable;
}

// What was moved through the chunk of an RDMA2_NOMSG.
Outcome judge_moved(const flow::Exchange& exchange, MsgType type, Report& report) {
  const bool call = type == MsgType::call;
  const flow::KeptMessage& leg = call ? exchange.call_message : exchange.reply_message;
  const std::optional<Stamp>& at = call ? exchange.call : exchange.reply;
  if (!at || !leg.kept || !leg.header.is(v2::Proc::nomsg) || said(leg.header) != type) {
    return Outcome::not_applicable;
  }
  flow::PayloadStream stream;
  const bool built = call ? flow::call_payload(exchange, stream, flow::kFront)
                          : flow::reply_payload(exchange, stream, flow::kFront);
  if (!built || stream.front().size() < 8) {
    return Outcome::undecided;
  }
  const auto mtype = wire::big_endian<uint32_t>(stream.bytes.data() + 4);
  if (mtype > 1) {
    return Outcome::not_applicable;
  }
  if (mtype != static_cast<uint32_t>(type)) {
    report("rdma_direction {}, but the RPC message in the {} is a {}", text(type),
           call ? "Position-Zero Read chunk" : "Reply chunk", text(static_cast<MsgType>(mtype)))
        .in(field::direction)
        .at(*at)
        .blame(sender_of(type), call ? exchange.requester : rdma::other(exchange.requester));
  }
  return Outcome::done;
}

Outcome check_moved_direction(const flow::Exchange& exchange, Report& report) {
  const Outcome asked = judge_moved(exchange, MsgType::call, report);
  return of_both_legs(asked, judge_moved(exchange, MsgType::reply, report));
}

}  // namespace

constinit const Rule msg_direction = {
    .id = "DIR-01",
    .name = "msg-direction",
    .source = {"version-two-02", "5.2.2"},
    .also = "rfc8167",
    .about = kinds::rpcs & kinds::version_two,
    .message = check_msg_direction,
};

constinit const Rule other_direction = {
    .id = "DIR-02",
    .name = "chunk-or-option-direction",
    .source = {"version-two-02", "5.2.2"},
    .also = "rfc8167,xcharext-02",
    .needs = needs_both_ways,
    .about = kinds::version_two,
    .message = check_other_direction,
    .exchange = check_moved_direction,
    .plain_exchange = plain::never,
};

}  // namespace steertag::rules
