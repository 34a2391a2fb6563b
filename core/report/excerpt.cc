#include "report/excerpt.h"

#include <string>

#include "report/text_parts.h"
#include "report/units.h"

namespace steertag::report {

namespace {

std::string text_of(const Buffer& buffer) {
  return std::string(view(buffer));
}

// The Call or the Reply of an Exchange, whose frame is gone.
void put_leg(Buffer& out, const flow::Exchange& exchange, const flow::KeptMessage& leg, const Stamp& at,
             flow::Direction direction, const TextStyle& style) {
  if (!leg.kept) {
    return;
  }
  flow::Message message;
  message.connection = exchange.connection;
  message.from = direction == flow::Direction::call ? exchange.requester : rdma::other(exchange.requester);
  message.at = at;
  message.send_invalidate = leg.send_invalidate;
  message.invalidated = leg.invalidated;
  message.length = leg.length;
  message.decoded = leg.decoded;
  message.header = &leg.header;
  message.direction = direction;
  if (leg.has_rpc) {
    message.rpc = &leg.rpc;
    message.rpc_decoded = leg.rpc_decoded;
  }
  text_message(out, message, style);
}

void put_call(Buffer& out, const flow::Exchange& exchange, const TextStyle& style) {
  if (exchange.call) {
    put_leg(out, exchange, exchange.call_message, *exchange.call, flow::Direction::call, style);
  }
}
void put_reply(Buffer& out, const flow::Exchange& exchange, const TextStyle& style) {
  if (exchange.reply) {
    put_leg(out, exchange, exchange.reply_message, *exchange.reply, flow::Direction::reply, style);
  }
}

}  // namespace

TextStyle ExcerptWriter::plain() const {
  TextStyle style;
  style.files = style_.files;
  style.origin_ns = style_.origin_ns;
  style.chunks = true;
  return style;
}

rules::Excerpt ExcerptWriter::describe(const rules::Finding& /*finding*/, const flow::Message& message) {
  TextStyle style = plain();
  rules::Excerpt made;
  Buffer out;
  style.verbose = true;
  text_message(out, message, style);
  made.header = text_of(out);
  style.verbose = false;
  out.clear();
  if (message.standing->open != nullptr && message.direction == flow::Direction::reply) {
    put_call(out, *message.standing->open, style);
  }
  made.context = text_of(out) + made.header;
  return made;
}

rules::Excerpt ExcerptWriter::describe(const rules::Finding& finding, const flow::Exchange& exchange) {
  const TextStyle style = plain();
  rules::Excerpt made;
  Buffer out;
  exchange.call == finding.at ? put_call(out, exchange, style) : put_reply(out, exchange, style);
  made.header = text_of(out);
  out.clear();
  put_call(out, exchange, style);
  put_reply(out, exchange, style);
  text_rpc(out, exchange, style);
  made.context = text_of(out);
  return made;
}

rules::Excerpt ExcerptWriter::describe(const rules::Finding& /*finding*/, const flow::Access& access) {
  const TextStyle style = plain();
  rules::Excerpt made;
  Buffer out;
  print(out, "{} of {} bytes at {:#018x}, handle {:#010x}\n", access.reading ? "RDMA Read" : "RDMA Write",
        access.range.length, access.range.offset, access.range.handle);
  made.header = text_of(out);
  if (access.exchange != nullptr) {
    out.clear();
    put_call(out, *access.exchange, style);
    made.context = text_of(out) + made.header;
  }
  return made;
}

}  // namespace steertag::report
