// SPDX-License-Identifier: GPL-2.0-or-later
#include "rpc_times.h"

#include "report/names.h"

namespace steertag::plugin {

namespace {

uint32_t later_copy(const std::optional<Stamp>& first, const std::optional<Stamp>& accepted) {
  return first && accepted && *accepted != *first ? number(accepted) : 0;
}

}  // namespace

void fill(RpcTimes& times, const flow::Exchange& exchange) {
  times.xid = exchange.xid;
  times.timing = exchange.timing;
  times.call_accepted = later_copy(exchange.call, exchange.timeline.call_accepted);
  times.reply_accepted = later_copy(exchange.reply, exchange.timeline.reply_accepted);
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
}

void note_acknowledged(Notebook& book, const flow::Exchange& exchange, size_t times) {
  if (exchange.connection->transport == rdma::Transport::iwarp) {
    return;
  }
  const auto add = [&](const std::optional<Stamp>& at, bool reply) {
    if (at) {
      book.acks.push_back({static_cast<uint32_t>(times), reply});
      book.of_frame.add(number(at), {Note::Kind::ack, static_cast<uint32_t>(book.acks.size() - 1)});
    }
  };
  add(exchange.timeline.call_acknowledged, false);
  add(exchange.timeline.reply_acknowledged, true);
}

}  // namespace steertag::plugin
