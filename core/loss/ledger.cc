#include "loss/ledger.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/saturating.h"

namespace steertag::loss {
namespace {

// Waits that are looked at for one loss.
constexpr size_t kMostLookedAt = 1024;

void add(Sums& to, const Sums& more) {
  for (size_t i = 0; i < to.packets.size(); ++i) {
    to.packets[i] += more.packets[i];
    to.bytes[i] += more.bytes[i];
  }
  for (size_t i = 0; i < to.noticed.size(); ++i) {
    to.noticed[i] += more.noticed[i];
  }
  to.acknowledgments += more.acknowledgments;
  to.setups += more.setups;
  to.losses += more.losses;
  to.sent_again += more.sent_again;
}

}  // namespace

Sums* Ledger::sums(const track::Connection& connection, rdma::Side from) {
  if (sums_.size() == kMostConnections && !sums_.contains(connection.number)) {
    return nullptr;
  }
  std::array<Sums, 2>& both = sums_[connection.number];
  for (const rdma::Side side : {rdma::Side::a, rdma::Side::b}) {
    both[rdma::index(side)].from = connection.end(side).address;
    both[rdma::index(side)].to = connection.end(rdma::other(side)).address;
  }
  return &both[rdma::index(from)];
}

void Ledger::note(const track::Connection& connection, const flow::Loss& loss) {
  if (Sums* const of = sums(connection, loss.from)) {
    const auto where = static_cast<size_t>(loss.where);
    const bool data = loss.what == flow::Loss::What::data;
    of->packets[where] += data ? loss.packets : 0;
    of->bytes[where] += data ? loss.bytes : 0;
    of->acknowledgments += loss.what == flow::Loss::What::ack ? loss.packets : 0;
    of->setups += loss.what == flow::Loss::What::setup ? 1 : 0;
    if (loss.noticed_by) {
      ++of->noticed[static_cast<size_t>(*loss.noticed_by)];
    }
    ++of->losses;
  }
  add({.connection = connection.number,
       .tcp = connection.transport == rdma::Transport::iwarp,
       .from = connection.end(loss.from).address,
       .to = connection.end(rdma::other(loss.from)).address,
       .loss = loss,
       .rpcs = {}});
  ++losses_;
}

void Ledger::add(Entry entry) {
  if (entries_.size() < kMostLosses) {
    entries_.push_back(std::move(entry));
  }
}

void Ledger::note(const flow::Exchange& exchange) {
  const flow::Timing& timing = exchange.timing;
  const bool recovered = timing.delivered_ns && timing.recovery_ns > 0;
  // With one direction captured nobody knows whether an answer came.
  const bool in_vain =
      !exchange.connection->one_direction() && (timing.unanswered_ns || flow::never_accepted(exchange));
  if (!exchange.call || !(recovered || in_vain) || waits_.size() == kMostWaits) {
    return;
  }
  const int64_t begin_ns = exchange.call->time_ns;
  const int64_t end_ns =
      recovered ? base::saturating_add(begin_ns, *timing.delivered_ns) : exchange.connection->until_ns();
  waits_.push_back({{exchange.connection->number, exchange.xid}, begin_ns, end_ns});
}

void Ledger::close(const track::Connection& connection) {
  if (!connection.rpcrdma) {
    return;
  }
  one_direction_ |= connection.one_direction();
  for (const rdma::Side side : {rdma::Side::a, rdma::Side::b}) {
    const uint64_t again = connection.end(side).retransmissions;
    Sums* const of = again != 0 ? sums(connection, side) : nullptr;
    if (of != nullptr) {
      of->sent_again = again;
    }
  }
}

void Ledger::take_over(Ledger& share, const Renumber& number) {
  for (Entry& entry : share.entries_) {
    entry.connection = number(entry.connection);
    add(std::move(entry));
  }
  for (Wait& wait : share.waits_) {
    wait.rpc.connection = number(wait.rpc.connection);
    waits_.push_back(wait);
  }
  waits_.resize(std::min(waits_.size(), kMostWaits));
  for (const auto& [connection, theirs] : share.sums_) {
    std::array<Sums, 2>& both = sums_[number(connection)];
    for (size_t side = 0; side < both.size(); ++side) {
      both[side].from = theirs[side].from;
      both[side].to = theirs[side].to;
      loss::add(both[side], theirs[side]);
    }
  }
  losses_ += share.losses_;
  one_direction_ |= share.one_direction_;
}

std::vector<Entry> Ledger::entries() const {
  std::vector<Entry> all = entries_;
  const auto place = [](const Entry& one) {
    const Stamp& at = one.loss.since;
    const uint64_t resent = one.loss.resent ? one.loss.resent->number : UINT64_MAX;
    return std::tuple(at.time_ns, at.file, at.number, uint32_t{one.connection}, resent);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Entry& x, const Entry& y) { return place(x) < place(y); });
  std::vector<Wait> waits = waits_;
  const auto begins = [](const Wait& one) {
    return std::tuple(uint32_t{one.rpc.connection}, one.begin_ns, one.rpc.xid);
  };
  std::sort(waits.begin(), waits.end(), [&](const Wait& x, const Wait& y) { return begins(x) < begins(y); });
  for (Entry& entry : all) {
    const uint32_t connection = entry.connection;
    const int64_t begin_ns = entry.loss.since.time_ns;
    const flow::Loss& loss = entry.loss;
    const Stamp& last = loss.accepted ? *loss.accepted : loss.resent ? *loss.resent : loss.since;
    const int64_t end_ns = std::max(begin_ns, last.time_ns);
    // From the last that began by then back.
    auto wait = std::upper_bound(waits.begin(), waits.end(), std::tuple(connection, end_ns, UINT32_MAX),
                                 [&](const auto& until, const Wait& one) { return until < begins(one); });
    for (size_t looked = 0; wait != waits.begin() && looked < kMostLookedAt; ++looked) {
      --wait;
      if (uint32_t{wait->rpc.connection} != connection || entry.rpcs.size() == Entry::kMostRpcs) {
        break;
      }
      if (wait->end_ns >= begin_ns) {
        entry.rpcs.push_back(wait->rpc);
      }
    }
    std::reverse(entry.rpcs.begin(), entry.rpcs.end());
  }
  return all;
}

std::vector<Entry> Ledger::longest(size_t most) const {
  std::vector<Entry> all = entries();
  if (all.size() <= most) {
    return all;
  }
  const auto delay_ns = [](const Entry& one) { return one.loss.delay_ns().value_or(INT64_MAX); };
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t x, size_t y) { return delay_ns(all[x]) > delay_ns(all[y]); });
  order.resize(most);
  std::sort(order.begin(), order.end());
  std::vector<Entry> longest;
  longest.reserve(most);
  for (const size_t i : order) {
    longest.push_back(std::move(all[i]));
  }
  return longest;
}

}  // namespace steertag::loss
