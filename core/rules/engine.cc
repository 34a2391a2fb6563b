#include "rules/engine.h"

#include <algorithm>
#include <optional>
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

std::optional<Lack> lacks(const track::Connection& connection, uint8_t needs) {
  if ((needs & needs_setup) != 0 && !connection.setup_seen()) {
    return Lack::setup;
  }
  if ((needs & needs_both_ways) != 0 && connection.pairing == track::Pairing::one_sided) {
    return Lack::direction;
  }
  return std::nullopt;
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

// Something is missing between a message and the Call that it answers: that Call may have been sent again.
template <typename Fact>
bool broken_since_call(const Fact& fact) {
  if constexpr (std::is_same_v<Fact, flow::Message>) {
    const flow::Exchange* open = fact.standing->open;
    return open != nullptr && open->call && gap_since(*fact.connection, *open->call);
  }
  return false;
}

uint32_t gaps(const track::Connection& connection) {
  return connection.ends[0].gaps + connection.ends[1].gaps;
}

}  // namespace

Engine::Engine(Listener& listener, Settings settings)
    : listener_(listener), settings_(std::move(settings)), tallies_(catalog().size()) {
  report_.profile_ = settings_.profile;
  for (size_t place = 0; place < catalog().size(); ++place) {
    const Rule* rule = catalog()[place];
    if (settings_.wants && !settings_.wants(*rule)) {
      continue;
    }
    const auto enter = [&](auto& entries, auto check) {
      if (check != nullptr) {
        entries.push_back({rule, place, check});
      }
    };
    enter(on_message_, rule->message);
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
    let_go(*held_.front().finding.connection);
  }
}

// --- facts ---

void Engine::judge(const flow::Message& message) {
  const track::Connection& connection = *message.connection;
  heard(connection, message.from);
  begin(connection, message.at);
  Finding& model = report_.model_;
  if (message.bytes.size() >= 4) {
    model.xid = message.header->xid;
  }
  model.by = message.from;
  model.blame = blame_of(message);
  const Knowledge known =
      message.standing->known ? knowledge(connection, message.at.time_ns) : Knowledge::partial;
  run(on_message_, message, [known](const Rule& rule) { return lacks_past(rule, known); });
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
  run(on_exchange_, exchange, [&](const Rule& rule) -> std::optional<Lack> {
    if ((rule.needs & needs_no_loss) != 0 && !exchange.complete) {
      return Lack::loss;
    }
    if ((rule.needs & needs_end) != 0 && !met_end(exchange, settings_.settle_ns)) {
      return Lack::end;
    }
    return std::nullopt;
  });
}

void Engine::judge(const flow::Access& access) {
  const track::Connection& connection = *access.connection;
  begin(connection, access.op->frames.back());
  Finding& model = report_.model_;
  model.blame = Blame::responder;
  model.by = access.op->from;
  if (access.exchange != nullptr) {
    model.xid = access.exchange->xid;
  } else if (access.retired) {
    model.xid = access.retired->xid;
  }
  const Knowledge known = knowledge(connection, model.at.time_ns);
  run(on_access_, access, [known](const Rule& rule) { return lacks_past(rule, known); });
}

void Engine::judge(const flow::Incident& incident) {
  const track::Connection& connection = *incident.connection;
  begin(connection, incident.at());
  recall(connection);
  if (incident.anomaly() != nullptr && connection.client) {
    report_.model_.by = incident.from();
    report_.model_.blame = *connection.client == incident.from() ? Blame::requester : Blame::responder;
  }
  run(on_incident_, incident, [](const Rule&) { return std::optional<Lack>(); });
}

void Engine::judge(const ConnectionClosed& closed) {
  const track::Connection& connection = closed.connection;
  let_go(connection);
  if (connection.rpcrdma) {
    Ending& ending = past(connection).ending;
    begin(connection, connection.last_frame);
    recall(connection);
    ending.connection = &connection;
    ending.history = closed.history;
    run(on_ending_, ending, [](const Rule&) { return std::optional<Lack>(); });
  }
  pasts_.erase(&connection);
}

// --- verdicts ---

void Engine::begin(const track::Connection& connection, const Stamp& at) {
  Finding& model = report_.model_;
  model.connection = &connection;
  model.at = at;
  model.xid.reset();
  model.blame = Blame::undecided;
  model.by.reset();
  model.related.clear();
}

// What an incident or an ending may refer to: what was told of the connection, and what is held back.
void Engine::recall(const track::Connection& connection) {
  report_.earlier_.clear();
  for (const Finding& finding : past(connection).recent) {
    report_.earlier_.push_back(&finding);
  }
  for (const Held& held : held_) {
    if (held.finding.connection == &connection) {
      report_.earlier_.push_back(&held.finding);
    }
  }
}

// Asks every rule, and tells what is left once those that explain others have spoken.
template <typename Check, typename Fact, typename Lacking>
void Engine::run(const std::vector<Entry<Check>>& entries, const Fact& fact, const Lacking& lacking) {
  const track::Connection& connection = *report_.model_.connection;
  for (const Entry<Check>& entry : entries) {
    const Rule& rule = *entry.rule;
    report_.found_.clear();
    report_.model_.rule = &rule;
    report_.model_.severity = rule.severity;
    const Outcome outcome = entry.check(fact, report_);
    if (outcome == Outcome::not_applicable) {
      continue;
    }
    Tally& tally = tallies_[entry.place];
    std::optional<Lack> lack = lacks(connection, rule.needs);
    if (!lack) {
      lack = lacking(rule);
    }
    if (!lack && outcome == Outcome::undecided && report_.found_.empty()) {
      lack = Lack::bytes;
    }
    if (lack) {
      ++tally.undecided;
      ++tally.lacks[static_cast<size_t>(*lack)];
      continue;
    }
    if (report_.found_.empty()) {
      ++tally.kept;
      continue;
    }
    ++tally.broken;
    const bool doubtful = (rule.needs & prefers_setup) != 0 && !connection.seen_from_start;
    const bool lossy = (rule.needs & needs_no_loss) != 0 &&
                       knowledge(connection, report_.model_.at.time_ns) != Knowledge::whole;
    const bool broken = (rule.needs & needs_unbroken) != 0 && broken_since_call(fact);
    constexpr bool live = std::is_same_v<Fact, flow::Message> || std::is_same_v<Fact, flow::Access>;
    const bool hold = live && (rule.needs & (needs_no_loss | needs_unbroken)) != 0;
    for (Finding& finding : report_.found_) {
      if (doubtful || (live && lossy) || broken) {
        finding.certainty = std::min(finding.certainty, Certainty::possible);
      }
      batch_.push_back({std::move(finding), hold});
    }
  }
  settle();
}

void Engine::settle() {
  if (batch_.empty()) {
    return;
  }
  for (Weighed& one : batch_) {
    const bool explained = std::any_of(batch_.begin(), batch_.end(), [&](const Weighed& other) {
      return explains(*other.finding.rule, *one.finding.rule);
    });
    if (!explained) {
      tell(one.finding, one.hold && one.finding.certainty != Certainty::possible);
    }
  }
  batch_.clear();
}

void Engine::tell(Finding& finding, bool hold) {
  if (!hold) {
    return release(finding);
  }
  if (held_.size() == kMaxHeld) {
    held_.front().finding.certainty = Certainty::possible;
    release(held_.front().finding);
    held_.pop_front();
  }
  const uint32_t now = gaps(*finding.connection);
  held_.push_back({std::move(finding), now, {}});
}

void Engine::release(Finding& finding) {
  std::deque<Finding>& recent = past(*finding.connection).recent;
  listener_.on_finding(finding);
  recent.push_back(std::move(finding));
  if (recent.size() > kMaxRecent) {
    recent.pop_front();
  }
}

// Tells what is held back of `connection` and is `ready`: that says how sure it is at most, unset where
// it has to wait on.
template <typename Ready>
void Engine::release_held(const track::Connection& connection, const Ready& ready) {
  for (size_t i = 0; i < held_.size();) {
    Held& held = held_[i];
    const bool ours = held.finding.connection == &connection;
    const std::optional<Certainty> most = ours ? ready(held) : std::nullopt;
    if (!most) {
      ++i;
      continue;
    }
    held.finding.certainty = std::min(held.finding.certainty, *most);
    release(held.finding);
    held_.erase(held_.begin() + static_cast<ptrdiff_t>(i));
  }
}

// A side that speaks proves that nothing it sent before is missing: otherwise a
// gap would have been told by now.
void Engine::heard(const track::Connection& connection, rdma::Side from) {
  release_held(connection, [&](Held& held) -> std::optional<Certainty> {
    held.heard[rdma::index(from)] = true;
    if (held.gaps != gaps(connection)) {
      return Certainty::possible;
    }
    return held.heard[0] && held.heard[1] ? std::optional(Certainty::definite) : std::nullopt;
  });
}

// Nothing more will be heard: a last packet and its acknowledgement may both be missing.
void Engine::let_go(const track::Connection& connection) {
  release_held(connection, [&](const Held& held) {
    return std::optional(held.gaps != gaps(connection) ? Certainty::possible : Certainty::likely);
  });
}

std::optional<Lack> Engine::lacks_past(const Rule& rule, Knowledge known) {
  return (rule.needs & needs_no_loss) != 0 && known == Knowledge::partial ? std::optional(Lack::loss)
                                                                          : std::nullopt;
}

Engine::Knowledge Engine::knowledge(const track::Connection& connection, int64_t now_ns) const {
  std::optional<int64_t> doubtful = connection.last_gap_ns;
  if (!doubtful && !connection.seen_from_start) {
    doubtful = connection.first_frame.time_ns;
  }
  if (!doubtful) {
    return settings_.skewed ? Knowledge::settled : Knowledge::whole;
  }
  return now_ns - *doubtful >= settings_.settle_ns ? Knowledge::settled : Knowledge::partial;
}

}  // namespace steertag::rules
