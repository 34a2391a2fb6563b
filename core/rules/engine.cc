#include "rules/engine.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "rules/catalog.h"
#include "rules/precedence.h"
#include "rules/reading.h"

namespace steertag::rules {

namespace {

bool met_end(const flow::Exchange& exchange, int64_t settle_ns) {
  return exchange.reply || exchange.connection->ended ||
         (exchange.call && exchange.connection->last_frame.time_ns - exchange.call->time_ns >= settle_ns);
}

// The needs that no fact of the connection meets.
uint8_t unmet_by(const track::Connection& connection) {
  return (connection.setup_seen() ? 0 : needs_setup) | (connection.one_direction() ? needs_both_ways : 0);
}

// The first of needs that are not met.
Lack lack_of(unsigned unmet) {
  return (unmet & needs_setup) != 0       ? Lack::setup
         : (unmet & needs_both_ways) != 0 ? Lack::direction
         : (unmet & needs_no_loss) != 0   ? Lack::loss
                                          : Lack::end;
}

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

// It is judged by the Reply that did not come: one that is missing at the very end leaves no trace.
template <typename Fact>
bool judged_by_absence(const Fact& fact, uint8_t needs) {
  if constexpr (std::is_same_v<Fact, flow::Exchange>) {
    return (needs & needs_end) != 0 && !fact.reply;
  }
  return false;
}

// What a message answers may be a copy: something was sent before the capture began that nobody knows.
template <typename Fact>
bool call_may_be_a_copy(const Fact& fact, int64_t settle_ns) {
  if constexpr (std::is_same_v<Fact, flow::Message>) {
    const track::Connection& connection = *fact.connection;
    const flow::Exchange* open = fact.standing->open;
    return open != nullptr && open->call && !connection.seen_from_start && !connection.begins_in_capture() &&
           open->call->time_ns - connection.first_frame.time_ns < settle_ns;
  }
  return false;
}

// Memory of a Requester is the Responder's to use; only what a Reply offers (RFC 5666 §3.5) is the
// Requester's.
Blame blame_of(const flow::Access& access) {
  const flow::SegmentFlow* segment = access.segment;
  const bool result = access.retired ? access.retired->kind == flow::ChunkKind::result
                                     : segment != nullptr && segment->kind == flow::ChunkKind::result;
  return result ? Blame::requester : Blame::responder;
}

// Something is missing between a message and what it answers, which may have been sent again.
template <typename Fact>
bool broken_since_call(const Fact& fact) {
  if constexpr (std::is_same_v<Fact, flow::Message>) {
    const flow::Exchange* open = fact.standing->open;
    const flow::Aside* aside = fact.standing->aside;
    return (open != nullptr && open->call && gap_since(*fact.connection, *open->call)) ||
           (aside != nullptr && gap_since(*fact.connection, aside->at));
  }
  return false;
}

}  // namespace

Engine::Engine(Listener& listener, Settings settings, int64_t settle_ns)
    : listener_(listener), settings_(std::move(settings)), settle_ns_(settle_ns), tallies_(catalog().size()) {
  report_.profile_ = settings_.profile;
  for (size_t place = 0; place < catalog().size(); ++place) {
    const Rule* rule = catalog()[place];
    const auto enter = [&](auto& entries, auto check) {
      if (check != nullptr) {
        entries.push_back({check, rule, static_cast<uint32_t>(place), rule->needs});
      }
    };
    for (size_t kind = 0; kind < kKindCount; ++kind) {
      if ((rule->about >> kind & 1) != 0) {
        enter(on_message_[kind], rule->message);
      }
    }
    enter(on_exchange_, rule->exchange);
    enter(on_access_, rule->access);
    enter(on_incident_, rule->incident);
    enter(on_ending_, rule->ending);
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
  }
}

void Engine::finish() {
  while (!held_.empty()) {
    const track::Connection& connection = *held_.oldest().connection;
    held_.on_end(connection, releaser());
    tell_habits(connection);
  }
  for (size_t place = 0; place < catalog().size(); ++place) {
    if (!wanted(*catalog()[place])) {
      tallies_[place] = {};
    }
  }
}

// --- facts ---

void Engine::judge(const flow::Message& message) {
  if (message.unreceived) {
    return;  // an incident tells of it (NET-15)
  }
  const track::Connection& connection = *message.connection;
  held_.on_heard(connection, message.from, releaser());
  begin(connection, message.at);
  Finding& model = report_.model_;
  if (message.bytes.size() >= 4) {
    model.xid = message.header->xid;
  }
  model.by = message.from;
  model.blame = blame_of(message);
  const bool partial =
      !message.standing->known || knowledge(connection, message.at.time_ns) == Knowledge::partial;
  if (message.header->is_error()) {
    recall(connection);
  }
  run(on_message_[kind_of(message)], message, partial ? needs_no_loss : needs_nothing);
}

void Engine::judge(const flow::Exchange& exchange) {
  const track::Connection& connection = *exchange.connection;
  report_.upper_layer_.begin(exchange);
  begin(connection, exchange.reply ? *exchange.reply : exchange.call.value_or(Stamp{}));
  Finding& model = report_.model_;
  model.xid = exchange.xid;
  model.blame = Blame::responder;
  model.by = rdma::other(exchange.requester);
  if (exchange.call && exchange.reply) {
    model.related = {*exchange.call};
  }
  if (exchange.call && !exchange.reply && exchange.complete) {
    Ending& ending = past(connection).ending;
    ++ending.unanswered_count;
    if (ending.unanswered.size() < Ending::kMaxListed) {
      ending.unanswered.push_back({exchange.xid, *exchange.call});
    }
  }
  past(connection).ending.add_results_read(exchange);
  recall(connection);
  run(on_exchange_, exchange,
      (exchange.complete ? 0 : needs_no_loss) | (met_end(exchange, settle_ns_) ? 0 : needs_end));
}

void Engine::judge(const flow::Access& access) {
  const track::Connection& connection = *access.connection;
  begin(connection, access.op->frames.back());
  Finding& model = report_.model_;
  model.blame = blame_of(access);
  model.by = access.op->from;
  model.handle = access.op->memory.handle;
  if (access.exchange != nullptr) {
    model.xid = access.exchange->xid;
  } else if (access.retired) {
    model.xid = access.retired->xid;
  }
  const bool partial = knowledge(connection, model.at.time_ns) == Knowledge::partial;
  run(on_access_, access, partial ? needs_no_loss : needs_nothing);
}

void Engine::judge(const flow::Incident& incident) {
  const track::Connection& connection = *incident.connection;
  begin(connection, incident.at());
  recall(connection);
  if (incident.anomaly() != nullptr && connection.client) {
    report_.model_.by = incident.from();
    report_.model_.blame = *connection.client == incident.from() ? Blame::requester : Blame::responder;
  }
  run(on_incident_, incident, needs_nothing);
}

void Engine::judge(const ConnectionClosed& closed) {
  const track::Connection& connection = closed.connection;
  held_.on_end(connection, releaser());
  if (connection.rpcrdma) {
    Ending& ending = past(connection).ending;
    begin(connection, connection.last_frame);
    recall(connection);
    ending.connection = &connection;
    ending.history = closed.history;
    run(on_ending_, ending, needs_nothing);
  }
  tell_habits(connection);
  pasts_.erase(&connection);
  listener_.on_judged(connection);
}

// --- verdicts ---

void Engine::begin(const track::Connection& connection, const Stamp& at) {
  Finding& model = report_.model_;
  model.connection = &connection;
  model.at = at;
  model.xid.reset();
  model.handle.reset();
  model.blame = Blame::undecided;
  model.by.reset();
  model.related.clear();
}

// What others may refer to: what was told of the connection, and what is held back; no notes, which explain
// nothing.
void Engine::recall(const track::Connection& connection) {
  report_.earlier_.clear();
  for (const Finding& finding : past(connection).recent) {
    report_.earlier_.push_back(&finding);
  }
  held_.each(connection, [&](const Finding& finding) {
    if (finding.severity != Severity::note) {
      report_.earlier_.push_back(&finding);
    }
  });
}

// Asks every rule, and tells what is left once those that explain others have
// spoken. `unmet`: needs that the fact does not meet, besides those of its connection.
template <typename Check, typename Fact>
void Engine::run(const std::vector<Entry<Check>>& entries, const Fact& fact, unsigned unmet) {
  unmet |= unmet_by(*report_.model_.connection);
  for (const Entry<Check>& entry : entries) {
    report_.rule_ = entry.rule;
    const Outcome outcome = entry.check(fact, report_);
    const unsigned missing = entry.needs & unmet;
    if (report_.found_.empty()) [[likely]] {
      if (outcome == Outcome::not_applicable) {
        continue;
      }
      if (outcome == Outcome::done && missing == 0) {
        ++tallies_[entry.place].kept;
        continue;
      }
    }
    Tally& tally = tallies_[entry.place];
    if (missing != 0 || report_.found_.empty()) {
      ++tally.undecided;
      ++tally.lacks[static_cast<size_t>(missing != 0 ? lack_of(missing) : Lack::bytes)];
    } else {
      ++tally.broken;
      weigh(fact, entry.needs);
    }
    report_.found_.clear();
  }
  settle();
}

// How sure what was found of a fact is, and whether it must wait.
template <typename Fact>
void Engine::weigh(const Fact& fact, uint8_t needs) {
  constexpr bool live = std::is_same_v<Fact, flow::Message> || std::is_same_v<Fact, flow::Access>;
  const track::Connection& connection = *report_.model_.connection;
  const bool unsettled = live && knowledge(connection, report_.model_.at.time_ns) != Knowledge::whole;
  const bool doubtful = ((needs & prefers_setup) != 0 && !connection.seen_from_start) ||
                        ((needs & needs_unbroken) != 0 && broken_since_call(fact));
  const bool unsure = judged_by_absence(fact, needs) ||
                      ((needs & needs_unbroken) != 0 && call_may_be_a_copy(fact, settle_ns_));
  const Certainty most = doubtful ? Certainty::possible : unsure ? Certainty::likely : Certainty::definite;
  for (Finding& finding : report_.found_) {
    const bool lossy = (needs & needs_no_loss) != 0 || finding.loss_explains;
    const bool hold = live && (lossy || (needs & needs_unbroken) != 0);
    finding.certainty = std::min(finding.certainty, lossy && unsettled ? Certainty::possible : most);
    batch_.push_back({std::move(finding), hold});
  }
}

void Engine::settle() {
  if (batch_.empty()) {
    return;
  }
  for (Weighed& one : batch_) {
    const bool explained = std::any_of(batch_.begin(), batch_.end(), [&](const Weighed& other) {
      return explains(*other.finding.rule, *one.finding.rule);
    });
    if (explained) {
      continue;
    }
    if (one.hold && one.finding.certainty != Certainty::possible) {
      held_.add(std::move(one.finding), releaser());
    } else {
      release(one.finding);
    }
  }
  batch_.clear();
}

void Engine::release(Finding& finding) {
  std::deque<Finding>& recent = past(*finding.connection).recent;
  if (finding.rule->habit) {
    count_habit(finding);
  } else if (wanted(*finding.rule)) {
    listener_.on_finding(finding);
  }
  if (finding.severity == Severity::note) {
    return;  // explains nothing
  }
  recent.push_back(std::move(finding));
  if (recent.size() > kMaxRecent) {
    recent.pop_front();
  }
}

void Engine::count_habit(const Finding& finding) {
  for (Finding& habit : past(*finding.connection).habits) {
    if (habit.rule == finding.rule && habit.by == finding.by && habit.severity == finding.severity &&
        habit.certainty == finding.certainty) {
      ++habit.count;
      return;
    }
  }
  past(*finding.connection).habits.push_back(finding);
}

void Engine::tell_habits(const track::Connection& connection) {
  for (Finding& habit : std::exchange(past(connection).habits, {})) {
    if (!wanted(*habit.rule)) {
      continue;
    }
    if (habit.count > 1) {
      habit.text += fmt::format("; and {} more like it", habit.count - 1);
    }
    listener_.on_finding(habit);
  }
}

Engine::Knowledge Engine::knowledge(const track::Connection& connection, int64_t now_ns) const {
  std::optional<int64_t> doubtful = connection.last_doubt_ns;
  if (!doubtful && !connection.seen_from_start) {
    if (connection.begins_in_capture()) {
      return Knowledge::settled;  // no more than its very first packets can be missing
    }
    doubtful = connection.first_frame.time_ns;
  }
  if (!doubtful) {
    const bool skewed = settings_.skewed.value_or(connection.several_taps);
    return skewed ? Knowledge::settled : Knowledge::whole;
  }
  return now_ns - *doubtful >= settle_ns_ ? Knowledge::settled : Knowledge::partial;
}

}  // namespace steertag::rules
