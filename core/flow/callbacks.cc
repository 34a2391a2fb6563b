#include "flow/callbacks.h"

namespace steertag::flow {

void CallbackWatch::note_gap() {
  if (state_ != Callbacks::announced) {
    state_ = Callbacks::perhaps;
  }
}

void CallbackWatch::note(const Message& message) {
  const track::Connection& connection = *message.connection;
  if (state_ == Callbacks::announced || message.from != connection.client) {
    return;
  }
  if (!connection.setup_seen()) {
    state_ = Callbacks::perhaps;
    return;
  }
  if (message.direction == Direction::reply) {
    return;
  }
  // A Call in a Position-Zero Read chunk has not been read at this point.
  if (message.rpc == nullptr || message.rpc_decoded.stop) {
    state_ = message.payload_length != 0 || message.header->is_nomsg() ? Callbacks::perhaps : state_;
    return;
  }
  if (!nfs::is_compound(*message.rpc)) {
    return;
  }
  nfs::walk_call({message.payload, nullptr, message.payload_length}, walk_);
  if (walk_.compound.session) {
    state_ = Callbacks::announced;
  } else if (!walk_.operations_walked()) {
    state_ = Callbacks::perhaps;
  }
}

}  // namespace steertag::flow
