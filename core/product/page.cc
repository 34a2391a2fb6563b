#include "product/page.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "product/version.h"
#include "report/attempt.h"
#include "report/incident.h"
#include "report/json.h"
#include "report/json_writer.h"
#include "report/losses.h"
#include "report/record/json_teller.h"
#include "report/record/rpc.h"
#include "report/record/stream.h"
#include "report/rpc_times.h"
#include "report/sequences.h"
#include "report/stats.h"
#include "report/stream.h"
#include "rules/catalog.h"
#include "stats/judge.h"
#include "stats/outcome.h"
#include "stats/rpc.h"

namespace steertag::product {
namespace {

constexpr uint64_t kLongestWait = std::numeric_limits<int64_t>::max();  // ns
constexpr size_t kMostBlamed = 1024;    // RPCs of a connection with findings that are sure to be kept
constexpr uint32_t kMostDescribed = 5;  // findings of a rule on a connection

// The page tells of files, and draws sequence numbers; half of the memory is for what it holds.
Options beside_records(Options options) {
  options.for_files = true;
  options.for_sequences = true;
  options.memory /= 2;
  return options;
}

}  // namespace

PageProduct::PageProduct(Context& context, const PageOptions& options, PageRecords& records)
    : Product(context),
      options_(options),
      excerpts_(context.style),
      audit_(*this, *this, beside_records(context.analyzer_for_reports()), settings()),
      known_(options.policy, true),
      records_(records) {
  if (known_.any()) {
    verdict_.emplace();
  }
}

rules::Settings PageProduct::settings() {
  rules::Settings settings = options_.policy.settings(context_.settings);
  settings.describer = &excerpts_;
  return settings;
}

void PageProduct::begin() {
  if (options_.wrapping != nullptr) {
    options_.wrapping->begin(context_.out());
    report::json_stream(scratch_, version(), context_.settings.told_by);
    put();
  }
}

void PageProduct::on_finding(const rules::Finding& finding) {
  options_.policy.weighed(finding, [this](const rules::Finding& weighed) { take(weighed); });
}

void PageProduct::take(const rules::Finding& finding) {
  const report::Known* const known =
      known_.take(finding, options_.policy.fails(finding.severity, finding.certainty));
  if (known != nullptr) {
    verdict_->add(finding, context_.course.now, known);
  } else {
    found_.add(finding.severity);
    collection_.note(finding);
  }
  rules_.insert(finding.rule->id);
  const bool describes = ++described_[finding.connection->number][finding.rule->id] <= kMostDescribed;
  report::json_finding(scratch_, finding, context_.style.files, known,
                       describes ? report::FindingDetail::report : report::FindingDetail::times);
  keep(records_.findings, {{rank_of(finding, known != nullptr), Kept::kNot, Kept::kNot},
                           Kept::chance_of(finding.at, finding.xid.value_or(0)),
                           finding.at,
                           1024 + finding.text.size() + (describes ? finding.excerpt.weight : 0),
                           {}});
  if (finding.severity != rules::Severity::note && finding.xid) {
    std::set<uint32_t>& xids = blamed_[finding.connection->number];
    if (xids.size() < kMostBlamed) {
      xids.insert(*finding.xid);
    }
  }
}

void PageProduct::on_judged(const track::Connection& connection) {
  described_.erase(connection.number);
}

bool PageProduct::blamed(const flow::Exchange& exchange) const {
  const auto found = blamed_.find(exchange.connection->number);
  return found != blamed_.end() && found->second.contains(exchange.xid);
}

void PageProduct::passed(const track::Connection& connection, const timing::Transit& transit) {
  sums_.loads.note(connection, transit);
  if (const timing::Sequences* const sequences = transit.sequences.get(); sequences && connection.rpcrdma) {
    const uint64_t troubles = sequences->troubles();
    report::json_sequences(scratch_, connection, *sequences);
    const uint64_t first = static_cast<uint64_t>(connection.first_frame.time_ns);
    keep(records_.sequences, {{troubles != 0 ? Kept::kNot - 1 - troubles : Kept::kNot, first, Kept::kNot},
                              Kept::chance_of(connection.first_frame, 0),
                              connection.first_frame,
                              512 + report::view(scratch_).size(),
                              {}});
  }
}

void PageProduct::established(const track::Connection& connection, const history::Ground& ground) {
  if (connection.rpcrdma) {
    const history::InForce in_force = history::in_force(ground);
    report::json_connection(scratch_, connection, connection.number, report::Stage::ended,
                            context_.style.files, &in_force);
    keep(records_.connections,
         {{static_cast<uint64_t>(connection.first_frame.time_ns), Kept::kNot, Kept::kNot},
          Kept::chance_of(connection.first_frame, 0),
          connection.first_frame,
          512,
          {}});
    note_frame(connection.last_frame);
  }
}

void PageProduct::closed(const track::Connection& connection) {
  sums_.loads.close(connection);
  collection_.close(connection);
  for (stats::Disturbances& disturbances : disturbances_) {
    disturbances.close(connection, stats::Disturbances::Wanted::yes);
  }
  blamed_.erase(connection.number);
  losses_.close(connection);
  setbacks_.close(connection);
  note_frame(connection.first_frame);
}

void PageProduct::congested(const track::Connection& connection, const track::Congestion& congestion) {
  sums_.loads.note(connection, congestion);
  for (stats::Disturbances& disturbances : disturbances_) {
    disturbances.note(connection, congestion);
  }
}

void PageProduct::disturbed(const track::Connection& connection, const flow::Disturbance& disturbance) {
  setbacks_.note(connection, disturbance);
  for (stats::Disturbances& disturbances : disturbances_) {
    disturbances.note(connection, disturbance);
  }
}

void PageProduct::paused(const link::Pause& pause, const Stamp& at) {
  if (pause.stops()) {
    for (stats::Disturbances& disturbances : disturbances_) {
      disturbances.note_pause(at);
    }
  }
}

void PageProduct::timed(const flow::Exchange& exchange) {
  collection_.note(exchange);
  losses_.note(exchange);
  sums_.add(exchange);
  paces_.note(exchange);
  const Stamp at = stats::began(exchange);
  note_frame(at);
  const uint64_t chance = Kept::chance_of(at, exchange.xid);
  const std::optional<int64_t> waited_ns = flow::waited_ns(exchange);
  const report::RpcTimes times = report::times_of(exchange);
  const stats::Setbacks::Some setbacks =
      setbacks_.between(*exchange.connection, times.begin_ns, times.end_ns, report::kMostReportSetbacks);
  report::json_rpc(scratch_, exchange, context_.style.files, setbacks);
  // The longest wait first. A wait is less than 0 where the capture's times go back.
  const uint64_t quickness = waited_ns ? kLongestWait - static_cast<uint64_t>(*waited_ns) : Kept::kNot;
  keep(records_.rpcs, {{chance, is_notable(exchange) || blamed(exchange) ? chance : Kept::kNot, quickness},
                       chance,
                       at,
                       weight_of(exchange) + setbacks.told.size() * 70,
                       {}});
}

// Holds back what was written into the scratch.
void PageProduct::keep(Kept& kept, Kept::Record&& record) {
  record.text = report::view(scratch_);
  record.teller = this;
  scratch_.clear();
  kept.add(std::move(record));
}

void PageProduct::merge(const Share& share) {
  Product::merge(share);
  auto& other = static_cast<PageProduct&>(share.product);
  const auto number = [&](track::ConnectionNumber theirs) {
    return share.merger.number(share.place, theirs);
  };
  sums_.take_over(other.sums_, number);
  const auto fill_in = [&](std::string& text) {
    share.merger.fill_in(share.place, text, scratch_);
    text = report::view(scratch_);
    scratch_.clear();
  };
  collection_.take_over(other.collection_, number, fill_in);
  losses_.take_over(other.losses_, number);
  paces_.take_over(other.paces_, number);
  for (size_t i = 0; i < disturbances_.size(); ++i) {
    disturbances_[i].take_over(other.disturbances_[i], number);
  }
  found_.add(other.found_);
  rules_.insert(other.rules_.begin(), other.rules_.end());
  last_ns_ = std::max(last_ns_, other.last_ns_);
  audit_.add_share(other.audit_);
  known_.merge(other.known_);
  if (verdict_) {
    verdict_->take_over(*other.verdict_, share.place, share.merger);
  }
  for (Kept* kept : records_.all()) {
    for (Kept::Record& record : kept->records()) {
      if (record.teller == &other) {
        fill_in(record.text);
      }
    }
  }
}

void PageProduct::finish(const Ended& ended) {
  sums_.finish();
  if (known_.any()) {
    known_.settle(found_, *verdict_, ended.complete());
  }
  print_kept();
  print_rules();
  print_stats();
  print_incidents();
  print_course();
}

void PageProduct::sum_up(const report::Summary& summary) {
  if (options_.wrapping != nullptr) {
    report::json_summary(scratch_, summary);
    put();
    options_.wrapping->finish(context_.out());
    context_.records.record_done();
  }
}

void PageProduct::print_kept() {
  for (Kept* kept : records_.all()) {
    kept->finish();
  }
  const std::vector<loss::Entry> losses = losses_.longest(PageRecords::kMostLosses);
  print_report(losses.size());
  for (Kept* kept : records_.all()) {
    for (const Kept::Record& record : kept->records()) {
      report::put(scratch_, record.text);
      put();
    }
  }
  for (const loss::Entry& loss : losses) {
    report::json_loss(scratch_, loss, context_.style.files);
    put();
  }
}

// What the page shows, and of how much.
void PageProduct::print_report(size_t losses) {
  const auto part = [](Kept& kept) {
    return report::record::Extent::Part{kept.seen(), kept.records().size()};
  };
  const auto used = static_cast<size_t>(&disturbances() - disturbances_.data());
  const report::record::Extent extent{
      context_.style.origin_ns,   std::max(last_ns_, context_.style.origin_ns),
      context_.style.files.names, part(records_.rpcs),
      part(records_.findings),    part(records_.connections),
      {losses_.losses(), losses}, kIntervalsNs[used],
      options_.policy.config};
  report::record::print(scratch_, extent);
  put();
}

// All of them, since they say what was not judged, too; with their pages where something was found.
void PageProduct::print_rules() {
  for (size_t i = 0; i < rules::catalog().size(); ++i) {
    const rules::Rule& rule = *rules::catalog()[i];
    report::json_rule(scratch_, rule, rules_.contains(rule.id));
    report::json_tally(scratch_, rule, audit_.tallies()[i]);
    put();
  }
  known_.put_records(scratch_);
  put();
}

void PageProduct::print_stats() {
  for (const stats::Group* group : sums_.groups.dearest_first()) {
    report::json_stat(scratch_, {sums_.groups.by(), &group->key, std::nullopt, group->totals, true});
  }
  if (sums_.groups.rest().count != 0) {
    report::json_stat(scratch_, {sums_.groups.by(), nullptr, std::nullopt, sums_.groups.rest(), true});
  }
  for (const stats::Load* load : sums_.loads.in_order()) {
    report::json_load(scratch_, *load);
  }
  if (sums_.loads.rest() != nullptr) {
    report::json_load(scratch_, *sums_.loads.rest());
  }
  for (const stats::Remark& remark : stats::judge(sums_.counted())) {
    report::json_note(scratch_, remark, context_.style);
  }
  put();
}

void PageProduct::print_incidents() {
  for (const attempt::Attempt& attempt : collection_.attempts()) {
    report::json_attempt(scratch_, attempt, context_.style.files);
  }
  const int64_t answer_within_ns = options_.policy.settings(context_.settings).answer_within_ns;
  for (const incident::Incident& one : collection_.incidents(sums_.counted(), answer_within_ns)) {
    report::json_incident(scratch_, one, context_.style);
  }
  put();
}

const stats::Disturbances& PageProduct::disturbances() const {
  for (const stats::Disturbances& disturbances : disturbances_) {
    if (!disturbances.rest().any()) {
      return disturbances;
    }
  }
  return disturbances_.back();
}

// When something happened; where RPCs are left out, also what can no longer be told from them.
void PageProduct::print_course() {
  const stats::Disturbances& disturbances = this->disturbances();
  for (const auto& [place, counted] : disturbances.intervals()) {
    report::json_disturbances(scratch_, place.first, place.second, counted);
    put();
  }
  if (disturbances.rest().any()) {
    report::json_disturbances(scratch_, 0, std::nullopt, {true, disturbances.rest()});
  }
  if (records_.rpcs.records().size() < records_.rpcs.seen()) {
    for (const auto& [number, pace] : paces_.by_number()) {
      report::json_pace(scratch_, number, pace);
      put();
    }
  }
  put();
}

// Writes the records in the scratch, into the page as its own.
void PageProduct::put() {
  if (options_.wrapping == nullptr) {
    report::put(context_.out(), report::view(scratch_));
  } else {
    options_.wrapping->add(report::view(scratch_), context_.out());
  }
  scratch_.clear();
  context_.records.record_done();
}

}  // namespace steertag::product
