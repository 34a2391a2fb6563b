#include "rules/engine.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/check.h"
#include "rules/catalog.h"

namespace steertag::rules {
namespace {

// Whose mistake a message is. Where it does not say which way it goes, the
// client is the Requester.
Blame blame_of(const flow::Message& message) {
  const std::optional<rdma::Side>& client = message.connection->client;
  switch (message.direction) {
    case flow::Direction::call:
      return Blame::requester;
    case flow::Direction::reply:
      return Blame::responder;
    case flow::Direction::unknown:
      break;
  }
  return !client ? Blame::undecided : *client == message.from ? Blame::requester : Blame::responder;
}

// Memory of a Requester is the Responder's to use; only what a Reply advertises (RFC 5666 §3.5) is the
// Requester's.
Blame blame_of(const flow::Access& access) {
  const flow::SegmentFlow* segment = access.segment;
  const bool result = access.retired ? access.retired->kind == flow::ChunkKind::result
                                     : segment != nullptr && segment->kind == flow::ChunkKind::result;
  return result ? Blame::requester : Blame::responder;
}

}  // namespace

Engine::Engine(Listener& listener, Settings settings, int64_t settle_ns)
    : weighing_{settle_ns, settings.skewed},
      tallies_(catalog().size()),
      docket_(listener, std::move(settings.wants)),
      report_(docket_, settings.profile, settings.answer_within_ns),
      describer_(settings.describer) {
  for (size_t place = 0; place < catalog().size(); ++place) {
    const Rule* rule = catalog()[place];
    const auto enter = [&](auto& rules, auto check, Kinds about, plain::Says says) {
      if (check != nullptr) {
        rules.enter(check, *rule, place, about, says);
      }
    };
    enter(on_message_, rule->message, rule->about, rule->plain_message);
    enter(on_exchange_, rule->exchange, kinds::any, rule->plain_exchange);
    enter(on_access_, rule->access, kinds::any, rule->plain_access);
    enter(on_incident_, rule->incident, kinds::any, {});
    enter(on_ending_, rule->ending, kinds::any, {});
    enter(on_attempt_, rule->attempt, kinds::any, {});
  }
}

void Engine::on(const Event& event) {
  if (const auto* seen = std::get_if<MessageSeen>(&event)) {
    judge(seen->message);
  } else if (const auto* access = std::get_if<AccessSeen>(&event)) {
    judge(access->access);
  } else if (const auto* done = std::get_if<ExchangeDone>(&event)) {
    judge(done->exchange);
  } else if (const auto* incident = std::get_if<IncidentSeen>(&event)) {
    judge(incident->incident);
  } else if (const auto* closed = std::get_if<ConnectionClosed>(&event)) {
    judge(*closed);
  } else if (const auto* attempt = std::get_if<AttemptSeen>(&event)) {
    judge(attempt->attempt);
  }
}

void Engine::finish() {
  docket_.finish();
  on_message_.count();
  on_exchange_.count();
  on_access_.count();
  for (size_t place = 0; place < catalog().size(); ++place) {
    if (!docket_.wanted(*catalog()[place])) {
      tallies_[place] = {};
    }
  }
}

void Engine::add(const std::vector<Tally>& others) {
  for (size_t place = 0; place < tallies_.size(); ++place) {
    tallies_[place].add(others[place]);
  }
}

// --- facts ---

void Engine::judge(const flow::Message& message) {
  if (message.unreceived) {
    return;  // an incident reports it (NET-15)
  }
  docket_.on_heard(*message.connection, message.from);
  Finding& model = begin(*message.connection, message.at);
  if (message.bytes.size() >= 4) {
    model.xid = message.header->xid;
  }
  model.by = message.from;
  model.blame = blame_of(message);
  model.version = message.header->version;
  run(on_message_, message, kind_of(message));
}

void Engine::judge(const flow::Exchange& exchange) {
  const track::Connection& connection = *exchange.connection;
  report_.upper_layer_.begin(exchange);
  Finding& model = begin(connection, exchange.reply ? *exchange.reply : exchange.call.value_or(Stamp{}));
  model.xid = exchange.xid;
  model.version = exchange.version;
  model.blame = Blame::responder;
  model.by = rdma::other(exchange.requester);
  if (exchange.call && exchange.reply) {
    model.related = {*exchange.call};
  }
  if (Ending::left_open(exchange)) {
    endings_[&connection].add(exchange);
  }
  run(on_exchange_, exchange);
}

void Engine::judge(const flow::Access& access) {
  Finding& model = begin(*access.connection, access.op->frames.back());
  model.blame = blame_of(access);
  model.by = access.op->from;
  model.handle = access.op->memory.handle;
  if (access.exchange != nullptr) {
    model.xid = access.exchange->xid;
  } else if (access.retired) {
    model.xid = access.retired->xid;
  }
  run(on_access_, access);
}

void Engine::judge(const flow::Incident& incident) {
  const track::Connection& connection = *incident.connection;
  Finding& model = begin(connection, incident.at());
  if (incident.anomaly() != nullptr && connection.client) {
    model.by = incident.from();
    model.blame = *connection.client == incident.from() ? Blame::requester : Blame::responder;
  }
  run(on_incident_, incident);
}

void Engine::judge(const ConnectionClosed& closed) {
  const track::Connection& connection = closed.connection;
  docket_.on_end(connection);
  if (connection.rpcrdma) {
    Ending& ending = endings_[&connection];
    ending.connection = &connection;
    ending.history = closed.history;
    begin(connection, connection.last_frame);
    run(on_ending_, ending);
  }
  endings_.erase(&connection);
  docket_.close(connection);
}

void Engine::judge(const attempt::Attempt& attempt) {
  const attempt::Try& like = attempt.like;
  const track::Connection& connection = like.connection;
  Finding& model = begin(connection, like.frames.front());
  for (const rdma::Side side : {rdma::Side::a, rdma::Side::b}) {
    if (connection.end(side).address == like.by) {
      model.by = side;
      model.blame = connection.client == side ? Blame::requester : Blame::responder;
    }
  }
  model.related.assign(like.frames.begin() + 1, like.frames.end());
  run(on_attempt_, attempt);
  docket_.close(connection);
}

// --- verdicts ---

// What every finding of the fact begins as.
Finding& Engine::begin(const track::Connection& connection, const Stamp& at) {
  Finding& model = report_.model_;
  model.connection = &connection;
  model.at = at;
  model.xid.reset();
  model.handle.reset();
  model.version = connection.version;
  model.blame = Blame::undecided;
  model.by.reset();
  model.related.clear();
  return model;
}

// Asks the rules, and reports what is left once those that explain others have spoken.
template <typename Check, typename Fact>
void Engine::run(Shortlists<Check>& rules, const Fact& fact, size_t kind) {
  const auto& list = rules.next(
      {static_cast<uint8_t>(kind), plain::traits_of(fact), static_cast<uint8_t>(weighing_.unmet(fact))});
  // cppcheck-suppress assertWithSideEffect ; a rule that finds nothing leaves nothing behind
  STEERTAG_CHECK(rightly_spared(list, fact));
  for (const auto& entry : list.asked) {
    report_.rule_ = entry.rule;
    report_.wordless_ = entry.rule->habit;
    const Outcome outcome = entry.check(fact, report_);
    Tally& tally = tallies_[entry.place];
    if (report_.found_.empty()) [[likely]] {
      if (outcome == Outcome::not_applicable) {
        continue;
      }
      if (outcome == Outcome::done && entry.missing == 0) {
        ++tally.kept;
        continue;
      }
    }
    if (entry.missing != 0 || report_.found_.empty()) {
      tally.give_up(entry.missing != 0 ? Weighing::lack_of(entry.missing) : Lack::bytes);
    } else {
      ++tally.broken;
      file(entry, fact);
    }
    report_.found_.clear();
  }
  docket_.settle();
}

// Whether the rules that are not asked would say what they have declared.
template <typename List, typename Fact>
bool Engine::rightly_spared(const List& list, const Fact& fact) {
  const auto says = [&](const auto& entry, Outcome declared) {
    report_.rule_ = entry.rule;
    return entry.check(fact, report_) == declared && report_.found_.empty();
  };
  return std::all_of(list.kept.begin(), list.kept.end(),
                     [&](const auto& entry) { return says(entry, Outcome::done); }) &&
         std::all_of(list.never.begin(), list.never.end(),
                     [&](const auto& entry) { return says(entry, Outcome::not_applicable); });
}

// Passes on what one rule has found of the fact.
template <typename Entry, typename Fact>
void Engine::file(const Entry& entry, const Fact& fact) {
  const uint8_t needs = entry.rule->needs;
  const Weighing::Weight weight = weighing_.weigh(fact, needs);
  const auto held = [&](const Finding& finding) {
    return weight.live && ((needs & (needs_no_loss | needs_unbroken)) != 0 || finding.loss_explains);
  };
  weigh(weight, needs);
  std::vector<Finding>& found = report_.found_;
  const bool counted =
      report_.wordless_ && std::all_of(found.begin(), found.end(), [&](const Finding& finding) {
        return !held(finding) && docket_.counts(finding);
      });
  if (report_.wordless_ && !counted) {
    report_.wordless_ = false;
    found.clear();
    entry.check(fact, report_);
    weigh(weight, needs);
  }
  for (Finding& finding : found) {
    if (!counted) {
      complete(finding, fact);
    }
    const bool hold = held(finding);
    docket_.add(std::move(finding), hold);
  }
}

// What is only asked where a violation is reported.
template <typename Fact>
void Engine::complete(Finding& finding, const Fact& fact) {
  finding.op = operations_.of(fact);
  if constexpr (requires { describer_->describe(finding, fact); }) {
    if (describer_ != nullptr) {
      finding.excerpt = describer_->describe(finding, fact);
    }
  }
}

// How sure what was found is.
void Engine::weigh(const Weighing::Weight& weight, uint8_t needs) {
  report_.join();
  for (Finding& finding : report_.found_) {
    const bool lossy = (needs & needs_no_loss) != 0 || finding.loss_explains;
    finding.certainty = std::min(finding.certainty, lossy ? weight.most_if_lossy : weight.most);
  }
}

const std::string& OperationFinder::of(const flow::Exchange& exchange) {
  reader_.read(exchange, subject_);
  return subject_.op;
}

const std::string& OperationFinder::of(const flow::Message& message) {
  if (message.rpc != nullptr && message.rpc->call()) {
    return of_call(message);
  }
  const flow::Exchange* call =
      message.standing->open != nullptr ? message.standing->open : message.standing->own;
  return call != nullptr ? of(*call) : none();
}

const std::string& OperationFinder::of(const flow::Access& access) {
  return access.exchange != nullptr ? of(*access.exchange) : none();
}

// Read as that of the Exchange that it may open: its inline bytes, with room for what its Read chunks bring.
const std::string& OperationFinder::of_call(const flow::Message& message) {
  made_.reset();
  made_.call = message.at;
  made_.call_inline.assign(message.payload.begin(), message.payload.end());
  made_.call_inline_length = message.payload_length;
  made_.procedure = {message.rpc->program, message.rpc->version, message.rpc->procedure};
  for (const rpcrdma::ReadSegment& read : message.header->chunks.reads) {
    flow::SegmentFlow& segment = made_.segments.add();
    segment = {};
    segment.position = read.position;
    segment.target = read.target;
  }
  return of(made_);
}

}  // namespace steertag::rules
