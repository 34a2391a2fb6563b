#include "witness.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>

#include "input.h"
#include "json_check.h"
#include "loss/ledger.h"
#include "report/json.h"
#include "report/losses.h"
#include "report/select.h"
#include "report/stream.h"
#include "rules/catalog.h"
#include "stats/outcome.h"

namespace steertag::fuzz {
namespace {

void check(const PlacementSeen& placed) {
  require(uint64_t{placed.offset} + placed.length <= placed.segment.target.length,
          "a placement lies inside its segment");
}

void check(const flow::Timing& timing) {
  const int64_t sum_ns = std::accumulate(timing.phases_ns.begin(), timing.phases_ns.end(), int64_t{0});
  require(sum_ns == timing.delivered_ns.value_or(0), "phases add up to what was delivered");
  require(*std::min_element(timing.phases_ns.begin(), timing.phases_ns.end()) >= 0, "no phase is negative");
  require(timing.recovery_ns >= 0 && timing.recovery_ns <= sum_ns, "what was recovered is part of it");
  require(timing.unanswered_ns.value_or(0) >= 0 && timing.at_credit_limit_ns.value_or(0) >= 0 &&
              timing.total_ns.value_or(0) >= 0,
          "no time is negative");
  require(!timing.unanswered_ns || !timing.delivered_ns, "what was delivered was answered");
  require((timing.attempts > 1) == timing.retry_of.has_value(),
          "an attempt that is not the first follows one");
  require(!timing.total_ns || timing.retry_of, "all attempts together are more than one");
}

// Everything that any command asks for.
Options all_of(Options options) {
  options.for_reports = options.for_placements = true;
  return options;
}

}  // namespace

Witness::Witness(const Options& options, rules::Settings settings)
    : audit_(*this, *this, all_of(options), std::move(settings)) {
  style_.ops = style_.chunks = true;
  style_.verbose = options.verify_checksums;  // now this, now that
  report::text_message_heading(text_, style_);
  report::text_rpc_heading(text_, style_);
}

void Witness::feed(const Frame& frame) {
  ++frames_;
  audit_.feed(frame);
}

void Witness::feed(std::span<const Frame> frames) {
  frames_ += frames.size();
  audit_.feed(frames);
}

void Witness::finish() {
  audit_.finish();
  const Counters& counters = audit_.counters();
  require(counters.frames == frames_, "every frame is counted");
  require(counters.messages == messages_, "messages reported = messages counted");
  require(counters.exchanges == exchanges_, "exchanges reported = exchanges counted");
  require(timed_ == exchanges_, "each exchange is reported as timed once");
  for (size_t i = 0; i < rules::catalog().size(); ++i) {
    if (audit_.tallies()[i].checked() != 0) {
      report::json_tally(records_, *rules::catalog()[i], audit_.tallies()[i]);
      record_done();
    }
  }
  report::json_summary(records_, {.files = 1, .counters = counters, .findings = &found_, .seen = &seen_});
  record_done();
  report::text_audit_summary(text_, counters, found_, audit_.tallies(), style_);
  report::text_rpc_summary(text_, rpcs_, style_);
  for (const std::string& line : seen_.text(counters)) {
    report::put(text_, line);
  }
  text_done();
}

void Witness::on(const Event& event) {
  std::visit(
      [this](const auto& what) {
        using What = std::decay_t<decltype(what)>;
        if constexpr (std::is_same_v<What, ConnectionNamed>) {
          named(what.connection);
        } else if constexpr (std::is_same_v<What, ConnectionClosed>) {
          closed(what.connection, what.ground);
        } else if constexpr (std::is_same_v<What, MessageSeen>) {
          message(what.message);
        } else if constexpr (std::is_same_v<What, ExchangeDone>) {
          ++exchanges_;
        } else if constexpr (std::is_same_v<What, ExchangeTimed>) {
          exchange(what.exchange);
        } else if constexpr (std::is_same_v<What, NegotiationDone>) {
          negotiation(what.negotiation);
        } else if constexpr (std::is_same_v<What, LossSeen>) {
          loss(what.connection, what.loss);
        } else if constexpr (std::is_same_v<What, PlacementSeen>) {
          check(what);
        }
      },
      event);
}

void Witness::loss(const track::Connection& connection, const flow::Loss& loss) {
  const bool sent_again = loss.resent && loss.resent->number != 0 && loss.packets <= loss.resent_packets;
  const bool refused = !loss.resent && loss.where == flow::Loss::Where::receiver && loss.resent_packets == 0;
  require(connection.rpcrdma && (sent_again || refused),
          "a loss is of a connection that is known, and no more than was sent again, or was refused");
  loss::Ledger ledger;
  ledger.note(connection, loss);
  report::json_loss(records_, ledger.entries().front(), {});
  record_done();
  report::text_losses(text_, ledger.entries(), style_);
  text_done();
}

void Witness::named(const track::Connection& connection) {
  report::json_connection(records_, connection, connection.number, report::Stage::named, {});
  record_done();
  report::text_connection_line(text_, connection, style_);
}

void Witness::closed(const track::Connection& connection, const history::Ground* ground) {
  if (!connection.rpcrdma) {
    seen_.note(connection);
  }
  const history::InForce in_force =
      ground != nullptr ? history::in_force(*ground) : history::in_force(connection);
  report::json_connection(records_, connection, connection.number, report::Stage::ended, {}, &in_force);
  record_done();
  report::text_connection(text_, connection, connection.number, style_, &in_force);
  text_done();
}

void Witness::negotiation(const flow::Negotiation& negotiation) {
  report::json_negotiation(records_, negotiation, {});
  record_done();
  report::text_negotiation(text_, negotiation, style_);
  text_done();
}

void Witness::message(const flow::Message& message) {
  ++messages_;
  require(message.bytes.size() <= message.length, "captured bytes are a prefix of the message");
  report::json_message(records_, message, {});
  record_done();
  report::text_message(text_, message, style_);
  text_done();
}

void Witness::exchange(const flow::Exchange& exchange) {
  ++timed_;
  for (const flow::SegmentFlow& segment : exchange.segments) {
    require(segment.moved().total() <= segment.target.length, "no more bytes moved than the segment has");
  }
  check(exchange.timing);
  rpcs_.add(exchange);
  const flow::Subject& subject = exchange.subject;
  require(subject.nfs_status.value_or(0) != 0 || subject.nfs_status_name.empty(), "OK has no name");
  require(subject.nfs_status_name.empty() || stats::failed(exchange), "what NFS refused has failed");
  require(!subject.ops_whole || subject.op.empty() == subject.ops.empty(),
          "a whole COMPOUND is for one of its operations");
  report::has_procedure(exchange, "READ");
  report::has_operation(exchange, "READ");
  report::json_rpc(records_, exchange, {});
  record_done();
  report::text_rpc(text_, exchange, style_);
  text_done();
}

void Witness::on_finding(const rules::Finding& finding) {
  require(finding.rule != nullptr && finding.connection != nullptr,
          "a finding is of a rule and a connection");
  require(finding.count != 0 && !finding.text.empty(), "a finding says what was found");
  found_.add(finding.severity);
  if (finding.severity == rules::Severity::error && finding.certainty == rules::Certainty::definite) {
    accusations_ += fmt::format("frame {}: {} [{}]\n", finding.at.number, finding.text, finding.rule->id);
  }
  report::json_finding(records_, finding, {});
  record_done();
  report::text_finding(text_, finding, style_);
  text_done();
}

void Witness::record_done() {
  const std::string_view line = records().substr(checked_);
  require(line.ends_with('\n'), "a record is a line");
  require_sound(check_json(line.substr(0, line.size() - 1)), line);
  checked_ = records_.size();
}

void Witness::text_done() {
  require_sound(check_text(report::view(text_)), report::view(text_));
  text_.clear();
}

}  // namespace steertag::fuzz
