#include "incident/recalls.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/saturating.h"
#include "stats/outcome.h"

namespace steertag::incident {

bool asks_back(std::string_view operation) {
  return operation.ends_with("CB_RECALL") || operation.ends_with("CB_LAYOUTRECALL");
}

bool names_a_file(std::string_view operation) {
  constexpr std::array<std::string_view, 4> kNaming = {"OPEN", "REMOVE", "RENAME", "LINK"};
  return std::find(kNaming.begin(), kNaming.end(), operation) != kNaming.end();
}

bool at_once(const Stamp& callback, const Stamp& call) {
  constexpr int64_t kAtOnceNs = 1'000'000'000;
  const int64_t later_ns = base::saturating_subtract(callback.time_ns, call.time_ns);
  return later_ns >= 0 && later_ns <= kAtOnceNs;
}

void Recalls::note(const flow::Exchange& exchange) {
  if (!exchange.call) {
    return;
  }
  if (exchange.backward && asks_back(exchange.subject.op)) {
    note_recall(exchange);
  } else if (!exchange.backward && exchange.subject.op == "DELEGRETURN") {
    note_return(exchange);
  } else if (!exchange.backward && exchange.reply &&
             base::saturating_subtract(exchange.reply->time_ns, exchange.call->time_ns) >= kLateNs &&
             names_a_file(exchange.subject.op)) {
    note_held_up(exchange);
  }
}

void Recalls::note_held_up(const flow::Exchange& exchange) {
  if (held_up_.size() < kMostHeldUp) {
    const rdma::Side client = stats::client_of(exchange);
    held_up_.push_back({.client = exchange.connection->end(client).address,
                        .server = exchange.connection->end(rdma::other(client)).address,
                        .connection = exchange.connection->number,
                        .operation = stats::operation_of(exchange),
                        .call = *exchange.call,
                        .reply_ns = exchange.reply->time_ns});
  }
}

void Recalls::note_recall(const flow::Exchange& exchange) {
  // What frames that are missing may hide is nobody's fault.
  if (exchange.doubt == flow::Doubt::frames_missing) {
    return;
  }
  const int64_t waited_ns = exchange.reply
                                ? base::saturating_subtract(exchange.reply->time_ns, exchange.call->time_ns)
                                : exchange.timing.unanswered_ns.value_or(0);
  const bool late = waited_ns >= kLateNs;
  const bool agreed = exchange.reply && !stats::failed(exchange) && exchange.subject.op == "CB_RECALL";
  if (late ? all_.size() == kMost : !agreed) {
    return;
  }
  const rdma::Side client = stats::client_of(exchange);
  Recall recall{.client = exchange.connection->end(client).address,
                .server = exchange.connection->end(rdma::other(client)).address,
                .connection = exchange.connection->number,
                .operation = stats::operation_of(exchange),
                .call = *exchange.call,
                .reply = exchange.reply,
                .answered_in_time = !late,
                .returned = {},
                .until_ns = base::saturating_add(exchange.call->time_ns, waited_ns),
                .handle = reader_.read(exchange).handle};
  if (late) {
    all_.push_back(std::move(recall));
  } else if (recall.handle != 0) {
    hold(std::move(recall));
  }
}

// The delegation may be on its way already.
void Recalls::hold(Recall&& recall) {
  const FileKey key(recall.client, recall.server, recall.handle);
  const auto returned = returned_.find(key);
  const bool crossed = returned != returned_.end() && returned->second >= recall.call.time_ns;
  if (++answered_ <= kMostAnswered && !crossed) {
    recall.until_ns = INT64_MAX;
    held_.emplace(key, std::move(recall));
  }
}

void Recalls::note_return(const flow::Exchange& exchange) {
  const rdma::Side client = stats::client_of(exchange);
  const FileKey key(exchange.connection->end(client).address,
                    exchange.connection->end(rdma::other(client)).address, reader_.read(exchange).handle);
  const Stamp at = exchange.reply.value_or(*exchange.call);
  unclear_ |= std::get<uint64_t>(key) == 0;
  if (returned_.size() <= kMostReturned) {
    returned_[key] = at.time_ns;
  }
  const auto found = held_.find(key);
  if (found == held_.end() || at.time_ns < found->second.call.time_ns) {
    return;
  }
  if (base::saturating_subtract(at.time_ns, found->second.call.time_ns) >= kLateNs && all_.size() < kMost) {
    Recall& late = all_.emplace_back(std::move(found->second));
    late.returned = at;
    late.until_ns = at.time_ns;
  }
  held_.erase(found);
}

void Recalls::close(const track::Connection& connection) {
  const auto patchy = [&](rdma::Side side) { return connection.end(side).gaps != 0; };
  if (!connection.rpcrdma || !connection.client || patchy_.size() > kMostPatchy ||
      !(connection.one_direction() || patchy(rdma::Side::a) || patchy(rdma::Side::b))) {
    return;
  }
  patchy_.emplace(connection.end(*connection.client).address,
                  connection.end(rdma::other(*connection.client)).address);
}

void Recalls::take_over(const Recalls& share, const Renumber& number) {
  for (Recall recall : share.all_) {
    if (all_.size() < kMost) {
      recall.connection = number(recall.connection);
      all_.push_back(std::move(recall));
    }
  }
  for (HeldUp call : share.held_up_) {
    if (held_up_.size() < kMostHeldUp) {
      call.connection = number(call.connection);
      held_up_.push_back(std::move(call));
    }
  }
  for (auto [key, recall] : share.held_) {
    recall.connection = number(recall.connection);
    held_.emplace(key, std::move(recall));
  }
  answered_ += share.answered_;
  returned_.insert(share.returned_.begin(), share.returned_.end());
  unclear_ |= share.unclear_;
  patchy_.insert(share.patchy_.begin(), share.patchy_.end());
}

bool Recalls::kept_waiting(const Recall& recall, const Repetition& row) const {
  if (recall.answered_in_time &&
      (!tells_of_delegations() || patchy_.contains({recall.client, recall.server}) ||
       base::saturating_subtract(row.last.time_ns, recall.call.time_ns) < kLateNs)) {
    return false;
  }
  return recall.server == row.server && recall.client != row.client &&
         recall.call.time_ns <= row.last.time_ns && recall.until_ns >= row.first.time_ns;
}

Recalls::Pairs Recalls::held_up(const base::Address& server, const stats::Operation& operation) const {
  constexpr int64_t kSoonNs = 1'000'000'000;
  std::vector<const HeldUp*> calls;
  for (const HeldUp& call : held_up_) {
    if (call.server == server && call.operation == operation) {
      calls.push_back(&call);
    }
  }
  std::vector<const Recall*> recalls;
  for (const Recall& recall : all_) {
    if (recall.server == server) {
      recalls.push_back(&recall);
    }
  }
  // Whoever heard of them.
  const auto earlier = [](const auto* x, const auto* y) {
    const auto key = [](const Stamp& at) { return std::tuple(at.time_ns, at.file, at.number); };
    return key(x->call) < key(y->call);
  };
  std::sort(calls.begin(), calls.end(), earlier);
  std::sort(recalls.begin(), recalls.end(), earlier);
  Pairs found;
  const auto take = [&](const Recall& recall, const auto& waited) {
    int64_t latest_ns = INT64_MIN;
    std::erase_if(calls, [&](const HeldUp* call) {
      const bool fits = waited(*call);
      if (fits) {
        found.emplace_back(call, &recall);
        latest_ns = std::max(latest_ns, call->reply_ns);
      }
      return fits;
    });
    return latest_ns;
  };
  for (const Recall* const one : recalls) {
    const Recall& recall = *one;
    const bool over = recall.reply || recall.returned;
    const int64_t end_ns = over ? recall.until_ns : INT64_MAX;
    const int64_t gone_on_ns = take(recall, [&](const HeldUp& call) {
      return at_once(recall.call, call.call) && call.reply_ns >= recall.call.time_ns &&
             base::saturating_subtract(call.reply_ns, end_ns) <= kSoonNs;
    });
    const int64_t stop_ns = over ? end_ns : gone_on_ns;
    take(recall, [&](const HeldUp& call) {
      return call.call.time_ns >= recall.call.time_ns && call.call.time_ns <= stop_ns &&
             std::abs(base::saturating_subtract(call.reply_ns, stop_ns)) <= kSoonNs;
    });
  }
  return found;
}

std::optional<WaitedFor> Recalls::behind(const Repetition& row) const {
  std::optional<WaitedFor> best;
  const auto rank = [](const WaitedFor& one) {
    return std::tuple(!one.same_file, one.recall.call.time_ns, one.recall.call.file, one.recall.call.number);
  };
  const auto weigh = [&](const Recall& recall) {
    if (kept_waiting(recall, row)) {
      const WaitedFor one{.recall = recall,
                          .same_file = recall.handle != 0 && recall.handle == row.target.handle};
      if ((one.same_file || names_a_file(row.operation.op)) && (!best || rank(one) < rank(*best))) {
        best = one;
      }
    }
  };
  std::for_each(all_.begin(), all_.end(), weigh);
  for (const auto& [key, recall] : held_) {
    weigh(recall);
  }
  return best;
}

}  // namespace steertag::incident
