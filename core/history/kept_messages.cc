#include "history/kept_messages.h"

namespace steertag::history {
namespace {

void keep_message(KeptMessage& leg, const Message& message) {
  leg.kept = true;
  leg.header = *message.header;
  leg.decoded = message.decoded;
  leg.length = message.length;
  leg.send_invalidate = message.send_invalidate;
  leg.invalidated = message.invalidated;
  leg.has_rpc = message.rpc != nullptr;
  if (leg.has_rpc) {
    leg.rpc = *message.rpc;
    leg.rpc_decoded = message.rpc_decoded;
  }
  leg.payload_whole = message.payload.size() == message.payload_length;
  leg.send_limit = message.standing->send_limit;
  leg.back_channel = message.standing->back_channel;
}

}  // namespace

void KeptMessages::on_call(rpc::Slot& slot, const Message& call) {
  Exchange& x = slot.exchange;
  keep_message(x.call_message, call);
  x.call_message.body_digest.reset();
  if (x.call_inline.size() < call.payload.size()) {
    x.call_message.body_digest = body_digest(call);
  }
}

void KeptMessages::on_reply(rpc::Slot& slot, const Message& reply) {
  keep_message(slot.exchange.reply_message, reply);
}

}  // namespace steertag::history
