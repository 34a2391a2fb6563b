#include "product/stats.h"

#include <algorithm>

#include "base/counted.h"
#include "report/incident.h"
#include "report/policy_file.h"
#include "report/text_stats.h"
#include "stats/judge.h"

namespace steertag::product {

stats::Grouping StatsOptions::grouping() const {
  const auto asked = [&](std::string_view what) { return std::find(by.begin(), by.end(), what) != by.end(); };
  return {.op = asked("op"),
          .connection = asked("conn"),
          .client = asked("client"),
          .server = asked("server"),
          .file = asked("file"),
          .user = asked("user"),
          .interval_ns = interval_ns};
}

StatsProduct::StatsProduct(Context& context, const StatsOptions& options)
    : Product(context),
      options_(options),
      sums_(options.grouping(), [this](const stats::Rpc& rpc) { collection_.note(rpc); }),
      disturbances_(options.interval_ns) {
  if (tells_incidents()) {
    Options analyzer = context.analyzer_for_reports();
    analyzer.for_files = for_files();
    audit_.emplace(*this, *this, analyzer, options.policy.settings(context.settings));
  }
}

void StatsProduct::on_finding(const rules::Finding& finding) {
  options_.policy.weighed(finding, [this](const rules::Finding& weighed) { collection_.note(weighed); });
}

void StatsProduct::finish(const Ended&) {
  check(options_.selection.filter);
  sums_.finish();
  for (std::string& line : exceeded(options_.budgets, sums_.counted())) {
    complain(std::move(line));
    failed_ = true;
  }
  if (csv()) {
    report::csv_heading(context_.out(), sums_.groups.by());
    context_.records.record_done();
    print_stats(report::csv_stat);
  } else if (context_.settings.jsonl()) {
    print_stats(report::json_stat);
    print_disturbances();
    print_loads();
    if (!context_.settings.quiet) {
      print_incidents();
      print_notes();
    }
  } else if (sums_.groups.all().count != 0) {
    print_text();
  } else if (seen_ != 0) {
    report::print(context_.out(), "Of {} none matches what was asked for\n", base::counted(seen_, "RPC"));
    context_.records.record_done();
  }
}

void StatsProduct::named(const track::Connection& connection) {
  if (context_.settings.jsonl() && options_.selection.wants(connection)) {
    announce(connection);
  }
  collection_.name(connection);
}

void StatsProduct::passed(const track::Connection& connection, const timing::Transit& transit) {
  sums_.loads.note(connection, transit);
}

void StatsProduct::closed(const track::Connection& connection) {
  collection_.close(connection);
  const bool wanted = options_.selection.wants(connection);
  if (wanted) {
    sums_.loads.close(connection);
  }
  disturbances_.close(connection,
                      wanted ? stats::Disturbances::Wanted::yes : stats::Disturbances::Wanted::no);
}

void StatsProduct::congested(const track::Connection& connection, const track::Congestion& congestion) {
  sums_.loads.note(connection, congestion);
  if (within(congestion.at)) {
    disturbances_.note(connection, congestion);
  }
}

void StatsProduct::disturbed(const track::Connection& connection, const flow::Disturbance& disturbance) {
  if (within(disturbance.at)) {
    disturbances_.note(connection, disturbance);
  }
}

void StatsProduct::paused(const link::Pause& pause, const Stamp& at) {
  if (pause.stops() && within(at)) {
    disturbances_.note_pause(at);
  }
}

bool StatsProduct::within(const Stamp& at) const {
  return options_.selection.bounds.within(at.time_ns, context_.style.origin_ns);
}

void StatsProduct::timed(const flow::Exchange& exchange) {
  ++seen_;
  collection_.note(exchange);
  if (options_.selection.wants(exchange, context_.style.origin_ns)) {
    sums_.add(exchange);
  }
}

void StatsProduct::merge(const Share& share) {
  Product::merge(share);
  auto& other = static_cast<StatsProduct&>(share.product);
  const auto number = [&](track::ConnectionNumber theirs) {
    return share.merger.number(share.place, theirs);
  };
  report::Buffer scratch;
  const auto fill_in = [&](std::string& text) {
    scratch.clear();
    share.merger.fill_in(share.place, text, scratch);
    text = report::view(scratch);
  };
  sums_.take_over(other.sums_, number);  // the last RPCs come to the share's Collection by it
  collection_.take_over(other.collection_, number, fill_in);
  if (audit_) {
    audit_->add_share(*other.audit_);
  }
  disturbances_.take_over(other.disturbances_, number);
  seen_ += other.seen_;
}

// With intervals there is a line also for those without an RPC, unless that would be more lines than there
// may be groups and intervals.
void StatsProduct::print_stats(void (*line)(report::Buffer&, const report::Stat&)) {
  const auto one = [&](const stats::Key* key, std::optional<int64_t> start_ns, const stats::Totals& totals) {
    line(context_.out(), {sums_.groups.by(), key, start_ns, totals});
    context_.records.record_done();
  };
  const std::vector<const stats::Group*> groups = sums_.groups.dearest_first();
  const stats::Groups::Span span = sums_.groups.span();
  const stats::Totals none;
  const bool all = span.intervals <= stats::Groups::kMaxStats / std::max<size_t>(groups.size(), 1);
  for (const stats::Group* group : groups) {
    for (uint64_t i = 0; all && i < span.intervals; ++i) {
      const int64_t start_ns = span.first_ns + static_cast<int64_t>(i) * sums_.groups.by().interval_ns;
      const auto found = group->intervals.find(start_ns);
      one(&group->key, start_ns, found != group->intervals.end() ? found->second : none);
    }
    if (!all) {
      for (const auto& [start_ns, totals] : group->intervals) {
        one(&group->key, start_ns, totals);
      }
    }
    if (sums_.groups.by().interval_ns == 0) {
      one(&group->key, std::nullopt, group->totals);
    }
  }
  if (sums_.groups.rest().count != 0) {
    one(nullptr, std::nullopt, sums_.groups.rest());
  }
}

void StatsProduct::print_text() {
  report::Buffer& out = context_.out();
  report::text_files(out, context_.style);
  report::text_stats(out, sums_.groups, context_.style, &disturbances_);
  if (!context_.settings.quiet) {
    report::put(out, '\n');
    report::text_loads(out, sums_.loads, context_.style);
    report::put(out, '\n');
    report::text_remarks(out, sums_.counted(), context_.style, happened());
  }
  report::text_policies(out, context_.settings.told_by);
  context_.records.record_done();
}

// What stands out in the statistics alone is a remark, and told as one.
std::vector<incident::Incident> StatsProduct::happened() const {
  if (!tells_incidents()) {
    return {};
  }
  std::vector<incident::Incident> all =
      collection_.incidents(sums_.counted(), options_.policy.settings(context_.settings).answer_within_ns);
  std::erase_if(
      all, [](const incident::Incident& one) { return std::holds_alternative<stats::Remark>(one.what); });
  return all;
}

void StatsProduct::print_incidents() {
  for (const incident::Incident& one : happened()) {
    report::json_incident(context_.out(), one, context_.style);
    context_.records.record_done();
  }
}

void StatsProduct::print_notes() {
  for (const stats::Remark& remark : stats::judge(sums_.counted())) {
    report::json_note(context_.out(), remark, context_.style);
    context_.records.record_done();
  }
}

void StatsProduct::print_disturbances() {
  for (const auto& [place, counted] : disturbances_.intervals()) {
    report::json_disturbances(context_.out(), place.first, place.second, counted);
    context_.records.record_done();
  }
  if (disturbances_.rest().any()) {
    report::json_disturbances(context_.out(), 0, std::nullopt, {true, disturbances_.rest()});
    context_.records.record_done();
  }
}

void StatsProduct::print_loads() {
  const auto one = [&](const stats::Load& load) {
    report::json_load(context_.out(), load);
    context_.records.record_done();
  };
  for (const stats::Load* load : sums_.loads.in_order()) {
    one(*load);
  }
  if (sums_.loads.rest() != nullptr) {
    one(*sums_.loads.rest());
  }
}

}  // namespace steertag::product
