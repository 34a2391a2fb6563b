#include "incident/recalls.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/saturating.h"
#include "stats/outcome.h"

namespace steertag::incident {
namespace {

// Their handle is that of a directory, so that it says little of the file.
bool names_a_file(std::string_view operation) {
  constexpr std::array<std::string_view, 4> kNaming = {"OPEN", "REMOVE", "RENAME", "LINK"};
  return std::find(kNaming.begin(), kNaming.end(), operation) != kNaming.end();
}

bool asks_back(std::string_view operation) {
  return operation == "CB_RECALL" || operation == "CB_LAYOUTRECALL";
}

}  // namespace

void Recalls::note(const flow::Exchange& exchange) {
  // What frames that are missing may hide is nobody's fault.
  if (!exchange.backward || !exchange.call || !asks_back(exchange.subject.op) || all_.size() == kMost ||
      exchange.doubt == flow::Doubt::frames_missing) {
    return;
  }
  const int64_t waited_ns = exchange.reply
                                ? base::saturating_subtract(exchange.reply->time_ns, exchange.call->time_ns)
                                : exchange.timing.unanswered_ns.value_or(0);
  if (waited_ns < kLateNs) {
    return;
  }
  const rdma::Side client = stats::client_of(exchange);
  all_.push_back({.client = exchange.connection->end(client).address,
                  .server = exchange.connection->end(rdma::other(client)).address,
                  .connection = exchange.connection->number,
                  .operation = stats::operation_of(exchange),
                  .call = *exchange.call,
                  .reply = exchange.reply,
                  .until_ns = base::saturating_add(exchange.call->time_ns, waited_ns),
                  .handle = reader_.read(exchange).handle});
}

void Recalls::take_over(const Recalls& share, const Renumber& number) {
  for (Recall recall : share.all_) {
    if (all_.size() < kMost) {
      recall.connection = number(recall.connection);
      all_.push_back(std::move(recall));
    }
  }
}

std::optional<WaitedFor> Recalls::behind(const Repetition& row) const {
  std::optional<WaitedFor> best;
  const auto rank = [](const WaitedFor& one) {
    return std::tuple(!one.same_file, one.recall.call.time_ns, one.recall.call.file, one.recall.call.number);
  };
  for (const Recall& recall : all_) {
    const bool meanwhile = recall.call.time_ns <= row.last.time_ns && recall.until_ns >= row.first.time_ns;
    if (!meanwhile || recall.server != row.server || recall.client == row.client) {
      continue;
    }
    const WaitedFor one{.recall = recall,
                        .same_file = recall.handle != 0 && recall.handle == row.target.handle};
    if ((one.same_file || names_a_file(row.operation.op)) && (!best || rank(one) < rank(*best))) {
      best = one;
    }
  }
  return best;
}

}  // namespace steertag::incident
