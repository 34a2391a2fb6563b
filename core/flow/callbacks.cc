#include "flow/callbacks.h"

#include <algorithm>

#include "wire/reader.h"

namespace steertag::flow {

void CallbackWatch::note_gap() {
  sizes_known_ = false;
  if (state_ != Callbacks::announced) {
    state_ = Callbacks::perhaps;
  }
}

void CallbackWatch::note(const Message& message, nfs::CallWalk& walk) {
  const track::Connection& connection = *message.connection;
  if (message.from != connection.client || message.direction == Direction::reply) {
    return;
  }
  if (!connection.setup_seen()) {
    note_gap();
    return;
  }
  // A Call in a Position-Zero Read chunk has not been read at this point.
  if (message.rpc == nullptr || message.rpc_decoded.stop) {
    if (message.payload_length != 0 || message.header->is_nomsg()) {
      note_gap();
    }
    return;
  }
  sizes_known_ &= message.payload.size() == message.payload_length;
  if (!nfs::is_compound(*message.rpc) || !worth_a_walk(message.payload)) {
    return;
  }
  nfs::walk_call({message.payload, nullptr, message.payload_length}, walk);
  if (walk.compound.session) {
    note_session(walk);
  } else if (!walk.operations_walked()) {
    note_gap();
  }
}

// Once callbacks are announced, only their sizes may change.
bool CallbackWatch::worth_a_walk(Bytes payload) const {
  if (state_ != Callbacks::announced) {
    return true;
  }
  for (size_t at = 0; at + 4 <= payload.size() && sizes_known_; at += 4) {
    const auto word = wire::big_endian<uint32_t>(payload.data() + at);
    if (word == nfs::op_create_session || word == nfs::op_bind_conn_to_session) {
      return true;
    }
  }
  return false;
}

void CallbackWatch::note_session(const nfs::CallWalk& walk) {
  state_ = Callbacks::announced;
  if (!walk.back_channel) {
    sizes_known_ = false;  // a session of another connection, or one whose sizes were not captured
    return;
  }
  const nfs::BackChannel before = sizes_.value_or(nfs::BackChannel{});
  sizes_ = nfs::BackChannel{std::max(before.most_request, walk.back_channel->most_request),
                            std::max(before.most_reply, walk.back_channel->most_reply)};
}

}  // namespace steertag::flow
