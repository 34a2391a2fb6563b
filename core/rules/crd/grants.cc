// Grants that a Responder is free to make, and that hold its Requester back: advice for who wonders
// why RPCs waited before they were sent.

#include "base/counted.h"
#include "rules/ending.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

// So many Calls took the last credit that it was no accident.
constexpr uint64_t kOften = 16;
constexpr uint64_t kOftenPerCent = 5;

bool took_last_often(const history::CreditUse::Calls& calls) {
  return calls.took_last >= kOften && calls.took_last * 100 >= calls.all * kOftenPerCent;
}

// The client's side of the connection: its callbacks' grants are few by design.
const history::History::End* client_of(const Ending& ending) {
  const std::optional<rdma::Side>& client = ending.connection->client;
  return client && ending.history != nullptr ? &ending.history->of(*client) : nullptr;
}

uint32_t requested_by(const history::History::End& client) {
  return client.use.requested() ? client.use.requested()->value : 0;
}

// The grant was reduced and has not been raised since, while its Requester goes on and wants more.
bool still_reduced(const history::History::End& client) {
  const std::optional<history::GrantTrend::Reduced>& reduced = client.grants.trend().reduced();
  return reduced && requested_by(client) > reduced->now && client.use.under(*reduced) &&
         client.use.since_reduced().all >= kOften;
}

Outcome check_grant_below_demand(const Ending& ending, Report& report) {
  const history::History::End* client = client_of(ending);
  if (client == nullptr || client->use.calls().all < kOften || still_reduced(*client)) {
    return Outcome::not_applicable;
  }
  const history::CreditUse::Calls& calls = client->use.calls();
  const uint32_t granted = client->grants.trend().largest(), requested = requested_by(*client);
  if (requested > granted && took_last_often(calls)) {
    report("{} {} granted at most, {} are requested: {} of {} took the last one, and RPCs may have waited",
           base::counted(granted, "credit"), granted == 1 ? "is" : "are", requested, calls.took_last,
           base::counted(calls.all, "Call"))
        .at(calls.first_of_last)
        .blame(Blame::responder, rdma::other(*ending.connection->client));
  }
  return Outcome::done;
}

Outcome check_reduced_grant(const Ending& ending, Report& report) {
  const history::History::End* client = client_of(ending);
  if (client == nullptr || !still_reduced(*client)) {
    return Outcome::not_applicable;
  }
  const history::GrantTrend::Reduced& reduced = *client->grants.trend().reduced();
  const history::CreditUse::Calls& calls = client->use.since_reduced();
  if (took_last_often(calls)) {
    report(
        "{} {} granted since this Reply, {} before, and the grant was never raised again: {} of {} took the "
        "last one, and RPCs may have waited",
        base::counted(reduced.now, "credit"), reduced.now == 1 ? "is" : "are", reduced.before,
        calls.took_last, base::counted(calls.all, "Call"))
        .at(reduced.at)
        .with(calls.first_of_last)
        .blame(Blame::responder, rdma::other(*ending.connection->client));
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule grant_below_demand = {
    .id = "CRD-07",
    .name = "grant-below-demand",
    .severity = Severity::note,
    .source = {"RFC 8166", "3.3.1"},
    .needs = needs_both_ways,
    .ending = check_grant_below_demand,
};

constinit const Rule reduced_grant = {
    .id = "CRD-08",
    .name = "grant-never-recovers",
    .severity = Severity::note,
    .source = {"RFC 8166", "3.3.1"},
    .needs = needs_both_ways,
    .ending = check_reduced_grant,
};

}  // namespace steertag::rules
