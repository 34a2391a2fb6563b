#include "product/stats.h"

#include <algorithm>

#include "base/counted.h"
#include "report/text_stats.h"
#include "stats/judge.h"

namespace steertag::product {

stats::Grouping StatsOptions::grouping() const {
  const auto asked = [&](std::string_view what) { return std::find(by.begin(), by.end(), what) != by.end(); };
  return {.op = asked("op"),
          .connection = asked("conn"),
          .client = asked("client"),
          .server = asked("server"),
          .interval_ns = interval_ns};
}

StatsProduct::StatsProduct(Context& context, const StatsOptions& options)
    : Product(context), options_(options), groups_(options.grouping()), disturbances_(options.interval_ns) {}

void StatsProduct::finish(const Ended&) {
  if (const std::optional<std::string> why = options_.selection.filter.missing(announced_)) {
    complain(*why);
    all_exist_ = false;
  }
  attempts_.finish();
  if (csv()) {
    report::csv_heading(context_.out(), groups_.by());
    context_.records.record_done();
    print_stats(report::csv_stat);
  } else if (context_.settings.jsonl()) {
    print_stats(report::json_stat);
    print_disturbances();
    print_loads();
    if (!context_.settings.quiet) {
      print_notes();
    }
  } else if (groups_.all().count != 0) {
    print_text();
  } else if (seen_ != 0) {
    report::print(context_.out(), "Of {} none matches what was asked for\n", base::counted(seen_, "RPC"));
    context_.records.record_done();
  }
}

void StatsProduct::named(const track::Connection& connection) {
  announced_.push_back(connection.number);
  if (context_.settings.jsonl() && options_.selection.wants(connection)) {
    announce(connection);
  }
}

void StatsProduct::passed(const track::Connection& connection, const timing::Transit& transit) {
  loads_.note(connection, transit);
}

void StatsProduct::closed(const track::Connection& connection) {
  const bool wanted = options_.selection.wants(connection);
  if (wanted) {
    loads_.close(connection);
  }
  disturbances_.close(connection,
                      wanted ? stats::Disturbances::Wanted::yes : stats::Disturbances::Wanted::no);
}

void StatsProduct::congested(const track::Connection& connection, const track::Congestion& congestion) {
  loads_.note(connection, congestion);
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
  if (options_.selection.wants(exchange, context_.style.origin_ns)) {
    attempts_.add(stats::rpc_of(exchange));
    loads_.note(exchange);
  }
}

void StatsProduct::merge(const Share& share) {
  Product::merge(share);
  auto& other = static_cast<StatsProduct&>(share.product);
  other.attempts_.finish();
  const auto number = [&](track::ConnectionNumber theirs) {
    return share.merger.number(share.place, theirs);
  };
  groups_.take_over(other.groups_, number);
  topics_.take_over(other.topics_, number);
  loads_.take_over(other.loads_, number);
  disturbances_.take_over(other.disturbances_, number);
  seen_ += other.seen_;
  announced_.insert(announced_.end(), other.announced_.begin(), other.announced_.end());
}

// With intervals there is a line also for those without an RPC, unless that would be more lines than there
// may be groups and intervals.
void StatsProduct::print_stats(void (*line)(report::Buffer&, const report::Stat&)) {
  const auto one = [&](const stats::Key* key, std::optional<int64_t> start_ns, const stats::Totals& totals) {
    line(context_.out(), {groups_.by(), key, start_ns, totals});
    context_.records.record_done();
  };
  const std::vector<const stats::Group*> groups = groups_.dearest_first();
  const stats::Groups::Span span = groups_.span();
  const stats::Totals none;
  const bool all = span.intervals <= stats::Groups::kMaxStats / std::max<size_t>(groups.size(), 1);
  for (const stats::Group* group : groups) {
    for (uint64_t i = 0; all && i < span.intervals; ++i) {
      const int64_t start_ns = span.first_ns + static_cast<int64_t>(i) * groups_.by().interval_ns;
      const auto found = group->intervals.find(start_ns);
      one(&group->key, start_ns, found != group->intervals.end() ? found->second : none);
    }
    if (!all) {
      for (const auto& [start_ns, totals] : group->intervals) {
        one(&group->key, start_ns, totals);
      }
    }
    if (groups_.by().interval_ns == 0) {
      one(&group->key, std::nullopt, group->totals);
    }
  }
  if (groups_.rest().count != 0) {
    one(nullptr, std::nullopt, groups_.rest());
  }
}

void StatsProduct::print_text() {
  report::Buffer& out = context_.out();
  report::text_files(out, context_.style);
  report::text_stats(out, groups_, context_.style, &disturbances_);
  if (!context_.settings.quiet) {
    report::put(out, '\n');
    report::text_loads(out, loads_, context_.style);
    report::put(out, '\n');
    report::text_remarks(out, {topics_, loads_, groups_.all()}, context_.style);
  }
  context_.records.record_done();
}

void StatsProduct::print_notes() {
  for (const stats::Remark& remark : stats::judge({topics_, loads_, groups_.all()})) {
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
  for (const stats::Load* load : loads_.in_order()) {
    one(*load);
  }
  if (loads_.rest() != nullptr) {
    one(*loads_.rest());
  }
}

}  // namespace steertag::product
