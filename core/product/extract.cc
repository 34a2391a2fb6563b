#include "product/extract.h"

#include <fmt/core.h>

#include <algorithm>

#include "attempt/words.h"
#include "rules/catalog.h"

namespace steertag::product {

ExtractProduct::ExtractProduct(Context& context, const ExtractOptions& options, extract::Chosen& chosen,
                               Pass pass)
    : Product(context),
      options_(options),
      chosen_(chosen),
      pass_(pass),
      audit_(*this, *this, context.analyzer_for_reports(), options.policy.settings(context.settings)),
      found_(options.findings.size()) {}

void ExtractProduct::named(const track::Connection& connection) {
  if (options_.whole_connections() && options_.filter.wants_connection(connection.number)) {
    chosen_.connection(connection).whole = true;
  }
}

// What was known of it when it was chosen was not all.
void ExtractProduct::closed(const track::Connection& connection) {
  if (const auto found = chosen_.connections.find(connection.number);
      connection.number != 0 && found != chosen_.connections.end()) {
    found->second.facts = connection;
    add_setup(connection);
  }
}

void ExtractProduct::attempted(const attempt::Attempt& attempt) {
  if (!options_.attempts.empty()) {
    attempts_.push_back(attempt);
  }
}

// What is missing, if anything is.
std::optional<std::string> ExtractProduct::choose_attempts() {
  for (const uint32_t number : options_.attempts) {
    if (number > attempts_.size()) {
      return fmt::format("--conn: there is no attempt a{}; see steertag connections", number);
    }
    const attempt::Attempt& attempt = attempts_[number - 1];
    const attempt::Try& like = attempt.like;
    extract::ChosenAttempt chosen{.client = attempt::client_of(attempt).address,
                                  .server = attempt::server_of(attempt).address,
                                  .port = {},
                                  .begin_ns = like.first.time_ns,
                                  .end_ns = like.last.time_ns};
    if (like.connection.transport == rdma::Transport::iwarp) {
      chosen.port = attempt::server_of(attempt).port;
    }
    chosen_.attempts.push_back(chosen);
    for (const Stamp& at : like.frames) {
      chosen_.frames.lower(at, 0);
    }
  }
  return std::nullopt;
}

void ExtractProduct::on_judged(const track::Connection& connection) {
  closed(connection);
}

void ExtractProduct::add_setup(const track::Connection& connection) {
  for (const track::End& end : connection.ends) {
    if (end.setup_seen) {
      chosen_.setups.lower(end.setup_at, 0);
    }
  }
}

void ExtractProduct::message(const flow::Message& message) {
  if (message.frames.size() > 1) {
    several_in_order_.push_back(place(message.at));
    several_[several_in_order_.back()] = {message.frames.begin(), message.frames.end()};
    if (several_in_order_.size() > kMostMessages) {
      several_.erase(several_in_order_.front());
      several_in_order_.pop_front();
    }
  }
  if (std::any_of(message.frames.begin(), message.frames.end(),
                  [this](const Stamp& at) { return around(at); })) {
    add_frames(chosen_.connection(*message.connection), message.at);
  }
}

void ExtractProduct::add_frames(extract::ChosenConnection& connection, const Stamp& last_of_message) {
  chosen_.add(connection, last_of_message);
  if (const auto found = several_.find(place(last_of_message)); found != several_.end()) {
    for (const Stamp& at : found->second) {
      chosen_.add(connection, at);
    }
  }
}

bool ExtractProduct::around(const Stamp& at) const {
  return std::find(options_.around.begin(), options_.around.end(), at.number) != options_.around.end();
}

// Calls what(stamp) for each frame that is known to carry something of it.
void ExtractProduct::each_frame(const flow::Exchange& exchange, const auto& what) {
  for (const std::optional<Stamp>& at : {exchange.call, exchange.reply, exchange.done}) {
    if (at) {
      what(*at);
    }
  }
  for (const flow::SegmentFlow& segment : exchange.segments) {
    for (const Stamp& at : segment.frames()) {
      what(at);
    }
  }
}

bool ExtractProduct::around(const flow::Exchange& exchange) const {
  bool any = false;
  if (!options_.around.empty()) {
    each_frame(exchange, [&](const Stamp& last) {
      any |= around(last);
      if (const auto found = several_.find(place(last)); found != several_.end()) {
        any |= std::any_of(found->second.begin(), found->second.end(),
                           [this](const Stamp& at) { return around(at); });
      }
    });
  }
  return any;
}

// A finding may name the XID of several.
bool ExtractProduct::named_by_finding(const flow::Exchange& exchange) const {
  const auto of = [&](const extract::ChosenFinding& chosen) {
    bool any = false;
    const rules::Finding& finding = chosen.finding;
    if (chosen.connection == exchange.connection->number && (!finding.xid || *finding.xid == exchange.xid)) {
      each_frame(exchange, [&](const Stamp& at) {
        any |= at == finding.at || std::any_of(finding.related.begin(), finding.related.end(),
                                               [&](const Stamp& related) { return at == related; });
      });
    }
    return any;
  };
  return std::any_of(chosen_.findings.begin(), chosen_.findings.end(), of);
}

bool ExtractProduct::wanted(const flow::Exchange& exchange) const {
  if (pass_ == Pass::second) {
    return named_by_finding(exchange);
  }
  const bool asked = options_.chooses_rpcs() && options_.filter.wants_xid(exchange.xid) &&
                     options_.filter.wants_connection(exchange.connection->number) &&
                     options_.choice.wants(exchange);
  return asked || around(exchange);
}

void ExtractProduct::timed(const flow::Exchange& exchange) {
  if (wanted(exchange)) {
    choose(exchange);
  }
}

void ExtractProduct::choose(const flow::Exchange& exchange) {
  const extract::ChosenRpc rpc{.connection = exchange.connection->number,
                               .xid = exchange.xid,
                               .status = exchange.status,
                               .complete = exchange.complete,
                               .call = exchange.call,
                               .reply = exchange.reply,
                               .delivered_ns = exchange.timing.delivered_ns,
                               .phases_ns = exchange.timing.phases_ns};
  using Proven = extract::Chosen::Proven;
  if (!chosen_.add(rpc, pass_ == Pass::first ? Proven::yes : Proven::no)) {
    return;
  }
  extract::ChosenConnection& connection = chosen_.connection(*exchange.connection);
  add_setup(*exchange.connection);
  extract::ChosenMemory memory{INT64_MAX, INT64_MIN, {}};
  each_frame(exchange, [&](const Stamp& at) {
    add_frames(connection, at);
    memory.begin_ns = std::min(memory.begin_ns, at.time_ns);
    memory.end_ns = std::max(memory.end_ns, at.time_ns);
  });
  for (const flow::SegmentFlow& segment : exchange.segments) {
    if (flow::for_reading(segment.kind)) {
      memory.handles.push_back(segment.target.handle);
    }
  }
  if (!memory.handles.empty()) {
    connection.memory.push_back(std::move(memory));
  }
}

void ExtractProduct::on_finding(const rules::Finding& finding) {
  if (pass_ == Pass::second) {
    return;
  }
  bool wanted = false;
  for (size_t i = 0; i < options_.findings.size(); ++i) {
    const ExtractOptions::OfRule& asked = options_.findings[i];
    const bool meant = rules::meant(*finding.rule, asked.rule) &&
                       (asked.frame ? *asked.frame == finding.at.number : !found_[i]);
    found_[i] = found_[i] || meant;
    wanted |= meant;
  }
  if (wanted) {
    choose(finding);
  }
}

void ExtractProduct::choose(const rules::Finding& finding) {
  extract::ChosenFinding chosen{finding, finding.connection->number, {}};
  chosen.finding.connection = nullptr;
  if (finding.by) {
    chosen.by = finding.connection->end(*finding.by).address;
  }
  if (!chosen_.add(std::move(chosen))) {
    return;
  }
  extract::ChosenConnection& connection = chosen_.connection(*finding.connection);
  add_setup(*finding.connection);
  add_frames(connection, finding.at);
  for (const Stamp& at : finding.related) {
    add_frames(connection, at);
  }
}

void ExtractProduct::finish(const Ended&) {
  if (chosen_.too_many_rpcs()) {
    return fail(fmt::format("more than {} RPCs are chosen; choose fewer, or a whole connection by --conn",
                            extract::Chosen::kMostRpcs));
  }
  if (pass_ == Pass::second) {
    return;
  }
  for (size_t i = 0; i < found_.size(); ++i) {
    if (!found_[i]) {
      return fail("--finding: " + options_.findings[i].text +
                  ": there is no such finding; see steertag audit");
    }
  }
  if (const std::optional<std::string> why = missing(options_.filter)) {
    return fail(*why);
  }
  if (const std::optional<std::string> why = choose_attempts()) {
    return fail(*why);
  }
  if (options_.chooses_rpcs() && chosen_.rpcs.empty()) {
    return fail("no RPC is what --xid, --op and --conn choose; see steertag flows");
  }
}

}  // namespace steertag::product
