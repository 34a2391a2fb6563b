// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/names.h"
#include "scribe.h"

namespace steertag::plugin {
namespace {

uint32_t frame_of(const std::optional<Stamp>& at) {
  return at ? static_cast<uint32_t>(at->number) : 0;
}

}  // namespace

// Which copy of its Reply arrived may show long after the Reply itself.
void Scribe::note_times(const flow::Exchange& exchange) {
  const uint32_t on = exchange.connection->number;
  MessageNote* const call = find(frame_of(exchange.call), on, exchange.xid, exchange.requester);
  MessageNote* const reply =
      find(frame_of(exchange.reply), on, exchange.xid, rdma::other(exchange.requester));
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
  for (MessageNote* const message : {call, reply}) {
    if (message != nullptr) {
      message->times = index;
    }
  }
}

}  // namespace steertag::plugin
