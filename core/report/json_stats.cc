#include <algorithm>
#include <string_view>

#include "report/json_parts.h"
#include "report/json_writer.h"
#include "report/stats.h"
#include "report/text_stats.h"
#include "stats/operation.h"

namespace steertag::report {
namespace {

using stats::Totals;

void key_members(JsonWriter& json, const stats::Grouping& by, const stats::Key& key) {
  if (by.op && key.operation.known()) {
    json.text("op", key.operation.op);
    json.text("protocol", stats::protocol(key.operation));
  }
  if (by.connection) {
    json.connection("conn", key.connection);
  }
  if (by.client) {
    json.text("client", key.client.text());
  }
  if (by.server) {
    json.text("server", key.server.text());
  }
}

void times(JsonWriter& json, const Totals& totals) {
  const stats::Durations& delivered = totals.delivered;
  json.number("timed", delivered.count());
  if (delivered.count() == 0) {
    return;
  }
  json.object("delivered_us");
  json.number("min", whole_us(delivered.least()));
  json.number("mean", whole_us(delivered.mean()));
  json.number("p50", whole_us(delivered.percentile(0.5)));
  json.number("p90", whole_us(delivered.percentile(0.9)));
  json.number("p99", whole_us(delivered.percentile(0.99)));
  json.number("p999", whole_us(delivered.percentile(0.999)));
  json.number("max", whole_us(delivered.greatest()));
  json.end_object();
  json.object("phases");
  if (totals.earlier_ns != 0) {
    json.number(flow::earlier_name, whole_us(static_cast<int64_t>(totals.earlier_ns / delivered.count())));
  }
  for (size_t i = 0; i < flow::kPhases; ++i) {
    if (totals.phases_ns[i] != 0) {
      json.number(flow::phase_names[i], whole_us(totals.mean_ns(static_cast<flow::Phase>(i))));
    }
  }
  json.end_object();
  if (totals.recovery_ns != 0) {
    json.number("recovery_us", whole_us(static_cast<int64_t>(totals.recovery_ns / delivered.count())));
  }
  json.object("waited_on");
  for (size_t i = 0; i < flow::kWaitedOns; ++i) {
    if (totals.waited_on[i] != 0) {
      json.number(flow::waited_on_names[i], totals.waited_on[i]);
    }
  }
  json.end_object();
}

void round_trips(JsonWriter& json, const stats::Load& load) {
  if (!load.client.rtt_ns && !load.server.rtt_ns) {
    return;
  }
  json.object("rtt_us");
  if (load.client.rtt_ns) {
    json.number(load.roles_known ? "client" : "a", whole_us(*load.client.rtt_ns));
  }
  if (load.server.rtt_ns) {
    json.number(load.roles_known ? "server" : "b", whole_us(*load.server.rtt_ns));
  }
  json.end_object();
}

void credit_members(JsonWriter& json, const stats::Load& load) {
  json.number("in_flight_max", load.credits.in_flight_max);
  if (load.credits.granted_min) {
    json.number("granted_min", *load.credits.granted_min);
    json.number("granted_max", *load.credits.granted_max);
  }
  if (load.requested_max != 0) {
    json.number("requested_max", load.requested_max);
  }
  if (load.credits.at_limit_ns) {
    json.number("at_credit_limit_us", whole_us(*load.credits.at_limit_ns));
  }
  json.number("busy_us", whole_us(load.busy_ns));
  json.object("spent_us");
  for (size_t i = 0; i < load.spent_ns.size(); ++i) {
    json.number(flow::waited_on_names[i], whole_us(static_cast<int64_t>(load.spent_ns[i])));
  }
  json.end_object();
}

}  // namespace

void json_stat(Buffer& out, const Stat& stat) {
  JsonWriter json(out);
  json.object();
  json.text("type", "stat");
  if (stat.key != nullptr) {
    key_members(json, stat.by, *stat.key);
  } else {
    json.boolean("rest", true);
  }
  if (stat.interval_ns) {
    json.seconds("interval", *stat.interval_ns);
  }
  json.number("count", stat.totals.count);
  json.number("failed", stat.totals.failed);
  json.number("unanswered", stat.totals.unanswered);
  json.number("retries", stat.totals.retries);
  json.number("args_bytes", stat.totals.arguments);
  json.number("results_bytes", stat.totals.results);
  times(json, stat.totals);
  json.end_object();
  json.end_line();
}

void json_note(Buffer& out, const stats::Remark& remark, const TextStyle& style) {
  JsonWriter json(out);
  json.object();
  json.text("type", "note");
  json.text("kind", stats::standout_names[static_cast<size_t>(remark.kind)]);
  if (remark.load != nullptr && remark.load->number != 0) {
    json.connection("conn", remark.load->number);
  }
  if (remark.topic != nullptr && remark.topic->operation.known()) {
    json.text("op", remark.topic->operation.op);
    json.text("protocol", stats::protocol(remark.topic->operation));
  }
  if (remark.evidence.any()) {
    json_frame(json, "frame", "file", remark.evidence.at, style.files);
  }
  if (!remark.dearest.empty()) {
    json.list("dearest");
    for (const stats::Remark::Dear& dear : remark.dearest) {
      json.object();
      json_frame(json, "frame", "file", dear.evidence.at, style.files);
      json.number(remark.kind == stats::Standout::loss ? "recovery_us" : "delivered_us",
                  whole_us(dear.evidence.weight));
      json.end_object();
    }
    json.end_list();
  }
  json.text("message", sentence(remark, style));
  json.end_object();
  json.end_line();
}

void json_disturbances(Buffer& out, track::ConnectionNumber number, std::optional<int64_t> start_ns,
                       const stats::Disturbances::Interval& interval) {
  const stats::Disturbed& disturbed = interval.disturbed;
  JsonWriter json(out);
  json.object();
  json.text("type", "disturbances");
  if (number != 0) {
    json.connection("conn", number);
  }
  if (start_ns) {
    json.seconds("interval", *start_ns);
  } else {
    json.boolean("rest", true);
  }
  const auto some = [&](std::string_view key, uint64_t value) {
    if (value != 0) {
      json.number(key, value);
    }
  };
  some(interval.roles_known ? "retransmitted_by_client" : "retransmitted_by_a", disturbed.again[0]);
  some(interval.roles_known ? "retransmitted_by_server" : "retransmitted_by_b", disturbed.again[1]);
  some("naks", disturbed.naks);
  some("rnr_naks", disturbed.rnr_naks);
  some("zero_windows", disturbed.zero_windows);
  some("ecn_ce", disturbed.ecn_ce);
  some("cnps", disturbed.cnps);
  some("pauses", disturbed.pauses);
  json.end_object();
  json.end_line();
}

void json_pace(Buffer& out, track::ConnectionNumber number, const stats::Pace& pace) {
  for (const auto& [place, interval] : pace.intervals()) {
    const auto length_ns = static_cast<uint64_t>(pace.length_ns());
    JsonWriter json(out);
    json.object();
    json.text("type", "pace");
    json.connection("conn", number);
    json.seconds("interval", pace.start_ns(place));
    json.number("interval_ns", length_ns);
    json.number("outstanding_us", interval.outstanding_ns / 1000);
    if (interval.at_limit_ns != 0) {
      json.number("at_credit_limit_us", std::min(interval.at_limit_ns, length_ns) / 1000);
    }
    if (interval.granted_min) {
      json.number("granted_min", *interval.granted_min);
    }
    json.number("bytes_to_server", interval.to_server);
    json.number("bytes_to_client", interval.to_client);
    json.end_object();
    json.end_line();
  }
}

void json_load(Buffer& out, const stats::Load& load) {
  const bool one = load.number != 0;
  const auto both = [&](uint64_t stats::EndLoad::*what) { return load.client.*what + load.server.*what; };
  JsonWriter json(out);
  json.object();
  json.text("type", "load");
  if (one) {
    json.connection("conn", load.number);
    if (load.roles_known) {
      credit_members(json, load);
    }
    round_trips(json, load);
  } else {
    json.boolean("rest", true);
    json.number("connections", load.connections);
  }
  json.number("retransmitted", both(&stats::EndLoad::retransmitted));
  json.number("naks", both(&stats::EndLoad::naks));
  json.number("rnr_naks", both(&stats::EndLoad::rnr_naks));
  if (const uint64_t times = both(&stats::EndLoad::zero_windows); times != 0) {
    json.number("zero_windows", times);
  }
  json.number("cnps", both(&stats::EndLoad::cnps));
  json.number("ecn_ce", both(&stats::EndLoad::ecn_ce));
  const auto some = [&](std::string_view key, uint64_t value) {
    if (value != 0) {
      json.number(key, value);
    }
  };
  some("pauses", load.pauses);
  some("congested_rpcs", load.congested);
  some("reordered", load.client.passage.reordered + load.server.passage.reordered);
  some("lost_before_tap", load.client.passage.unseen + load.server.passage.unseen);
  some("outage_us", load.cut_off() == nullptr ? 0 : whole_us(load.cut_off()->outage.length_ns));
  some("taken_over", load.taken_over);
  if (load.roles_known) {
    json.number("bytes_to_server", load.client.bytes);
    json.number("bytes_to_client", load.server.bytes);
  }
  json.end_object();
  json.end_line();
}

}  // namespace steertag::report
