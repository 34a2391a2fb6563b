// Where the time of an RPC went, and which frames acknowledged its Call and its Reply, once that is known.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/names.h"
#include "scribe.h"

namespace steertag::plugin {

// Which copy of its Reply arrived may show long after the Reply itself.
void Scribe::note_times(const flow::Exchange& exchange) {
  const uint32_t on = exchange.connection->number;
  MessageNote* const call = find(number(exchange.call), on, exchange.xid, exchange.requester);
  MessageNote* const reply = find(number(exchange.reply), on, exchange.xid, rdma::other(exchange.requester));
  const MessageNote* const home = reply != nullptr ? reply : call;
  if (home == nullptr) {
    return;
  }
  const auto index = static_cast<int64_t>(book_.times.size());
  RpcTimes& times = book_.times.emplace_back();
  times.frame = home->frame;
  times.known_from = frame_;
  times.connection = home->connection;
  times.xid = exchange.xid;
  times.timing = exchange.timing;
  if (exchange.procedure) {
    times.name = report::rpc_name(exchange);
  }
  times.operation = exchange.subject.op;
  for (const std::string& name : exchange.subject.ops) {
    times.operations.append(name).append(" ");
  }
  if (exchange.subject.nfs_status.value_or(0) != 0) {
    times.nfs_status = exchange.subject.nfs_status_name;
  }
  if (home->frame != frame_ && home->known_from != frame_) {
    book_.add_late(Note::Kind::times, static_cast<size_t>(index), frame_);
  }
  note_acknowledged(exchange, static_cast<size_t>(index));
  for (MessageNote* const message : {call, reply}) {
    if (message != nullptr) {
      message->times = index;
    }
  }
}

void Scribe::note_acknowledged(const flow::Exchange& exchange, size_t times) {
  if (exchange.connection->transport == rdma::Transport::iwarp) {
    return;
  }
  const auto add = [&](const std::optional<Stamp>& at, bool reply) {
    if (at) {
      book_.acks.push_back({static_cast<uint32_t>(times), reply});
      book_.of_frame.add(number(at), {Note::Kind::ack, static_cast<uint32_t>(book_.acks.size() - 1)});
    }
  };
  add(exchange.timeline.call_acknowledged, false);
  add(exchange.timeline.reply_acknowledged, true);
}

}  // namespace steertag::plugin
