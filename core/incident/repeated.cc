#include "incident/repeated.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/saturating.h"
#include "rpcrdma/programs.h"
#include "stats/outcome.h"

namespace steertag::incident {
namespace {

constexpr uint32_t kNlmGrace = 4;
constexpr uint32_t kDelay = 10008, kExpired = 10011, kGrace = 10013, kStaleClient = 10022,
                   kStaleState = 10023, kBadSession = 10052, kDeadSession = 10078;

// Whoever begins anew sends these: that they succeed proves nothing. CREATE_SESSION and SETCLIENTID_CONFIRM
// are the last of them: the server knows the client then.
bool sets_up(std::string_view operation) {
  constexpr std::array<std::string_view, 7> kSetUp = {
      "NULL",        "EXCHANGE_ID", "DESTROY_SESSION", "BIND_CONN_TO_SESSION",
      "SETCLIENTID", "PUTROOTFH",   "DESTROY_CLIENTID"};
  return std::find(kSetUp.begin(), kSetUp.end(), operation) != kSetUp.end();
}
bool begins_anew(std::string_view operation) {
  return operation == "CREATE_SESSION" || operation == "SETCLIENTID_CONFIRM";
}

// Each is kept, since only those of all clients together show how long it took.
bool worth_a_word(const Repetition& row) {
  return row.why != Refusal::later ||
         (row.answers >= Repeated::kLeast && row.span_ns() >= Repeated::kLeastNs);
}

bool before(const Repetition& x, const Repetition& y) {
  const auto key = [](const Repetition& row) {
    return std::tuple(row.first.time_ns, row.first.file, row.first.number, row.client, row.server, row.why);
  };
  return key(x) < key(y);
}

}  // namespace

std::optional<Refusal> refusal_of(uint32_t program, uint32_t version, uint32_t status) {
  if (program == rpcrdma::program_nlm) {
    return status == kNlmGrace ? std::optional(Refusal::grace) : std::nullopt;
  }
  if (status < kDelay || (program != rpcrdma::program_nfs && program != rpcrdma::program_nfsacl)) {
    return std::nullopt;
  }
  if (status == kDelay) {
    return Refusal::later;
  }
  if (program != rpcrdma::program_nfs || version != 4) {
    return std::nullopt;
  }
  switch (status) {
    case kGrace:
      return Refusal::grace;
    case kExpired:
    case kStaleClient:
    case kStaleState:
    case kBadSession:
    case kDeadSession:
      return Refusal::session;
    default:
      return std::nullopt;
  }
}

int64_t Repetition::span_ns() const {
  return base::saturating_subtract(last.time_ns, first.time_ns);
}

void Repeated::note(const flow::Exchange& exchange) {
  if (exchange.backward || !exchange.call || !exchange.reply || !exchange.procedure ||
      !exchange.subject.nfs_status) {
    return;
  }
  const auto& [program, version, procedure] = *exchange.procedure;
  const std::optional<Refusal> why = refusal_of(program, version, *exchange.subject.nfs_status);
  if (!why && open_.empty()) {
    return;
  }
  target_.reset();
  const rdma::Side client = stats::client_of(exchange);
  Place place;
  place.client = exchange.connection->end(client).address;
  place.server = exchange.connection->end(rdma::other(client)).address;
  answered(exchange, place, why);
  if (why) {
    place.why = *why;
    refused(exchange, std::move(place));
  }
}

const Target& Repeated::target(const flow::Exchange& exchange) {
  if (!target_) {
    target_ = reader_.read(exchange);
  }
  return *target_;
}

void Repeated::refused(const flow::Exchange& exchange, Place&& place) {
  stats::Operation operation = stats::operation_of(exchange);
  if (place.why == Refusal::later) {
    place.operation = operation;
    place.request = target(exchange).request;
  }
  const Stamp& at = *exchange.reply;
  auto known = open_.find(place);
  if (known != open_.end() && base::saturating_subtract(at.time_ns, known->second.last.time_ns) > kApartNs) {
    keep(std::move(known->second));
    known->second = {};
  } else if (known == open_.end()) {
    if (!make_room(at.time_ns)) {
      return;
    }
    known = open_.emplace(std::move(place), Repetition()).first;
  }
  Repetition& row = known->second;
  if (row.answers == 0) {
    row.why = known->first.why;
    row.client = known->first.client;
    row.server = known->first.server;
    row.call = *exchange.call;
    row.first = row.last = at;
    row.connection = exchange.connection->number;
  }
  ++row.answers;
  if (std::find(row.statuses.begin(), row.statuses.end(), exchange.subject.nfs_status_name) ==
      row.statuses.end()) {
    row.statuses.push_back(exchange.subject.nfs_status_name);
  }
  if (at.time_ns < row.last.time_ns) {
    return;
  }
  row.last = at;
  row.operation = std::move(operation);
  row.target = target(exchange);
  row.then.reset();
}

void Repeated::answered(const flow::Exchange& exchange, const Place& place, std::optional<Refusal> why) {
  const Repetition::Then then{.at = *exchange.reply, .failure = exchange.subject.nfs_status_name};
  const auto follows = [&](const Repetition& row) {
    return row.why != why && !row.then && then.at.time_ns >= row.last.time_ns;
  };
  const stats::Operation operation = stats::operation_of(exchange);
  Place from = place;
  for (const Refusal kind : {Refusal::grace, Refusal::session}) {
    from.why = kind;
    const auto row = open_.find(from);
    if (row != open_.end() && follows(row->second) && takes(exchange, operation, row->second, why)) {
      row->second.then = then;
    }
  }
  from.why = Refusal::later;
  from.operation = operation;
  const auto any = open_.lower_bound(from);
  if (any == open_.end() || any->first.client != from.client || any->first.server != from.server ||
      any->first.why != from.why || any->first.operation != from.operation) {
    return;
  }
  const uint64_t requests[] = {0, target(exchange).request};
  for (const uint64_t request : requests) {  // 0: it may have been this one
    from.request = request;
    const auto row = open_.find(from);
    if (row != open_.end() && follows(row->second)) {
      row->second.then = then;
      keep(std::move(row->second));
      open_.erase(row);
    }
  }
}

// Whether that answer shows that it refuses no more. A request that needs no session may get through
// meanwhile.
bool Repeated::takes(const flow::Exchange& exchange, const stats::Operation& operation, const Repetition& row,
                     std::optional<Refusal> why) {
  const bool same = row.operation == operation;
  if (row.why == Refusal::grace) {
    return !why && same && row.target.request == target(exchange).request;
  }
  const bool of_session = row.statuses.front().ends_with("SESSION"), anew = begins_anew(operation.op);
  if (sets_up(operation.op)) {
    return false;
  }
  // SEQUENCE comes first: a server that is in its grace period, and says so, knows the session.
  return why == Refusal::grace ? of_session && !anew
                               : exchange.subject.nfs_status == 0u && (same || of_session || anew);
}

void Repeated::keep(Repetition&& row) {
  if (over_.size() < kMost && worth_a_word(row)) {
    over_.push_back(std::move(row));
  }
}

// Requests that were not asked again for long give way. They are looked for once a second at most, so that
// each costs little.
bool Repeated::make_room(int64_t now_ns) {
  constexpr int64_t kSweepNs = 1'000'000'000;
  if (open_.size() < kMostOpen) {
    return true;
  }
  if (now_ns < base::saturating_add(swept_ns_, kSweepNs)) {
    return false;
  }
  swept_ns_ = now_ns;
  for (auto row = open_.begin(); row != open_.end();) {
    if (base::saturating_subtract(now_ns, row->second.last.time_ns) > kApartNs) {
      keep(std::move(row->second));
      row = open_.erase(row);
    } else {
      ++row;
    }
  }
  return open_.size() < kMostOpen;
}

void Repeated::take_over(const Repeated& share, const Renumber& number) {
  for (Repetition& row : share.all()) {
    row.connection = number(row.connection);
    keep(std::move(row));
  }
}

std::vector<Repetition> Repeated::all() const {
  std::vector<Repetition> rows = over_;
  for (const auto& [place, row] : open_) {
    if (worth_a_word(row)) {
      rows.push_back(row);
    }
  }
  std::sort(rows.begin(), rows.end(), before);
  return rows;
}

}  // namespace steertag::incident
