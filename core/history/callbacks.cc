#include "history/callbacks.h"

#include <absl/container/inlined_vector.h>

#include <algorithm>

#include "base/digest.h"
#include "nfs/back_channel.h"
#include "wire/reader.h"

namespace steertag::history {
namespace {

template <typename T>
bool keep(std::vector<T>& list, const T& item) {
  const bool full = list.size() == CallbackWatch::kMaxKept;
  if (full) {
    list.erase(list.begin());
  }
  list.push_back(item);
  return !full;
}

// Walks the operations of a Call in its inline bytes, past the data that its Read chunks hold.
void walk_inline(Bytes payload, uint32_t length, const rpcrdma::ChunkLists& lists, nfs::CallWalk& walk) {
  absl::InlinedVector<nfs::PlacedChunk, 4> chunks;
  for (const rpcrdma::ReadSegment& read : lists.reads) {
    if (!chunks.empty() && chunks.back().at == read.position) {
      chunks.back().length += read.target.length;
    } else if (read.position != 0) {
      chunks.push_back({read.position, read.target.length});
    }
  }
  nfs::Stream stream(payload, nullptr, length);
  stream.chunks = chunks;
  stream.apart = true;
  nfs::walk_call(stream, walk);
}

// Its result; null where it failed, or was not executed.
const nfs::SessionStep* result_of(const nfs::SessionStep& step, const nfs::ReplyWalk& results) {
  const auto found = std::find_if(
      results.sessions.begin(), results.sessions.end(),
      [&](const nfs::SessionStep& s) { return s.operation == step.operation && s.opcode == step.opcode; });
  return found == results.sessions.end() ? nullptr : found;
}

}  // namespace

void CallbackWatch::note_gap() {
  sizes_known_ = false;
  doubt_ = true;
}

bool CallbackWatch::announced() const {
  return !bound_.empty() || std::any_of(asked_.begin(), asked_.end(), [](const Asked& a) { return a.back; });
}

Callbacks CallbackWatch::state(const track::Connection& connection) const {
  return announced()                                 ? Callbacks::announced
         : doubt_ || !connection.begins_in_capture() ? Callbacks::perhaps
                                                     : Callbacks::unannounced;
}

void CallbackWatch::note(const Message& message, nfs::CallWalk& walk) {
  const track::Connection& connection = *message.connection;
  if (message.direction == Direction::reply) {
    if (!asked_.empty() && connection.client && message.from != *connection.client) [[unlikely]] {
      note_reply(message, walk);
    }
    return;
  }
  if (message.from != connection.client) {
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
  const bool whole = message.payload.size() == message.payload_length;
  sizes_known_ &= whole;
  if (!nfs::is_compound(*message.rpc)) {
    return;
  }
  doubt_ |= !whole;
  if (!worth_a_walk(message.payload)) {
    return;
  }
  walk_inline(message.payload, message.payload_length, message.header->chunks, walk);
  note_call(message, walk);
}

// Whether these bytes may name a session that has a back channel.
bool CallbackWatch::names_bound(Bytes session) const {
  return std::any_of(bound_.begin(), bound_.end(), [&](const std::optional<uint64_t>& bound) {
    return !bound || *bound == base::digest(session);
  });
}

// Once callbacks are announced, only their sizes may change, or they end.
bool CallbackWatch::worth_a_walk(Bytes payload) const {
  if (!announced()) {
    return true;
  }
  for (size_t at = 0; at + 4 <= payload.size(); at += 4) {
    const auto word = wire::big_endian<uint32_t>(payload.data() + at);
    if (word - nfs::op_bind_conn_to_session > nfs::op_destroy_session - nfs::op_bind_conn_to_session)
        [[likely]] {
      continue;
    }
    if (word == nfs::op_create_session || word == nfs::op_bind_conn_to_session ||
        (word == nfs::op_destroy_session && names_bound(slice(payload, at + 4, nfs::session_id_length)))) {
      return true;
    }
  }
  return false;
}

void CallbackWatch::note_call(const Message& call, const nfs::CallWalk& walk) {
  if (walk.compound.session) {
    note_sizes(walk);
  } else if (!walk.operations_walked()) {
    note_gap();
  }
  doubt_ |= !walk.operations_walked();
  if (walk.sessions.empty()) {
    return;
  }
  Asked asked{.xid = call.header->xid};
  for (const nfs::SessionStep& step : walk.sessions) {
    const bool begins = step.opcode != nfs::op_destroy_session;
    asked.back |= begins && nfs::says_back_channel(step);
    doubt_ |= begins && !step.said;
    if (begins && step.said && !nfs::says_back_channel(step)) {
      none_ = NoBackChannel{NoBackChannel::Why::not_requested, call.at};
    }
  }
  if (walk.sessions.size() == 1 && walk.sessions[0].opcode == nfs::op_destroy_session) {
    asked.only_ends = true;
    asked.ended = walk.sessions[0].session;
  }
  std::erase_if(asked_, [&](const Asked& a) { return a.xid == asked.xid; });
  doubt_ |= !keep(asked_, asked);
}

void CallbackWatch::note_sizes(const nfs::CallWalk& walk) {
  if (!walk.back_channel) {
    sizes_known_ = false;  // a session of another connection, or one whose sizes were not captured
    return;
  }
  const nfs::BackChannel before = sizes_.value_or(nfs::BackChannel{});
  sizes_ = nfs::BackChannel{std::max(before.most_request, walk.back_channel->most_request),
                            std::max(before.most_reply, walk.back_channel->most_reply)};
}

// What cannot be read of it may have granted anything; so may an earlier copy of the Call.
void CallbackWatch::note_reply(const Message& reply, nfs::CallWalk& walk) {
  const auto found =
      std::find_if(asked_.begin(), asked_.end(), [&](const Asked& a) { return a.xid == reply.header->xid; });
  if (found == asked_.end()) {
    return;
  }
  const Asked asked = *found;
  asked_.erase(found);
  const Exchange* call = reply.standing->known ? reply.standing->open : nullptr;
  if (call == nullptr || call->resent != 0 || reply.direction_guessed || reply.rpc == nullptr ||
      reply.rpc_decoded.stop) {
    doubt_ = true;
    return;
  }
  if (asked.only_ends) {
    const Bytes status = slice(reply.payload, reply.rpc_decoded.header_length, 4);
    if (reply.rpc->succeeded() && status.size() == 4 && wire::big_endian<uint32_t>(status.data()) == 0) {
      end(asked.ended, reply.at);  // every operation of the COMPOUND succeeded
    }
    return;
  }
  walk_inline(call->call_inline, call->call_inline_length, call->call_message.header.chunks, walk);
  nfs::ReplyWalk results;
  nfs::walk_reply({reply.payload, nullptr, reply.payload_length}, walk, {}, results);
  note_granted(walk, results, reply.at);
}

void CallbackWatch::note_granted(const nfs::CallWalk& call, const nfs::ReplyWalk& results, const Stamp& at) {
  for (const nfs::SessionStep& step : call.sessions) {
    const nfs::SessionStep* result = result_of(step, results);
    if (step.opcode == nfs::op_destroy_session) {
      if (result != nullptr) {
        end(step.session, at);
      }
    } else if (nfs::says_back_channel(step)) {
      if (result == nullptr ? !results.operations_walked() : !result->said) {
        doubt_ = true;
      } else if (result != nullptr && nfs::says_back_channel(*result)) {
        bind(result->session);
      } else {
        none_ = NoBackChannel{NoBackChannel::Why::not_granted, at};
      }
    }
  }
}

void CallbackWatch::bind(std::optional<uint64_t> session) {
  if (!session || std::find(bound_.begin(), bound_.end(), session) == bound_.end()) {
    doubt_ |= !keep(bound_, session);
  }
}

void CallbackWatch::end(std::optional<uint64_t> session, const Stamp& at) {
  const auto found = std::find(bound_.begin(), bound_.end(), session);
  if (session && found != bound_.end()) {
    bound_.erase(found);
  } else if (!session || std::find(bound_.begin(), bound_.end(), std::nullopt) != bound_.end()) {
    bound_.clear();  // whether it was any of these is not known
    doubt_ = true;
  }
  if (bound_.empty()) {
    none_ = NoBackChannel{NoBackChannel::Why::destroyed, at};
  }
}

}  // namespace steertag::history
