#include "report/facts.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "report/names.h"

namespace steertag::report {
namespace {

class Teller {
 public:
  explicit Teller(const Files& files) : files_(files) {}

  void number(std::string_view key, uint64_t value) { facts_.push_back({key, value}); }
  // Where there is something to say.
  void count(std::string_view key, uint64_t value) {
    if (value != 0) {
      number(key, value);
    }
  }
  void microseconds(std::string_view key, const std::optional<int64_t>& ns) {
    if (ns) {
      number(key, static_cast<uint64_t>(*ns) / 1000);
    }
  }
  void text(std::string_view key, std::string_view value) {
    if (!value.empty()) {
      facts_.push_back({key, std::string(value)});
    }
  }
  void hex(std::string_view key, uint32_t value) { text(key, fmt::format("{:#010x}", value)); }
  void frame(std::string_view key, std::string_view file_key, const std::optional<Stamp>& at) {
    if (at) {
      number(key, at->number);
      text(file_key, files_.several() ? files_.name(at->file) : std::string_view());
    }
  }
  Facts facts() { return std::move(facts_); }

 private:
  const Files& files_;
  Facts facts_;
};

std::string joined_names(const base::List<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += text.empty() ? name : ", " + name;
  }
  return text;
}

void tell_subject(Teller& tell, const flow::Exchange& exchange) {
  if (exchange.procedure) {
    const auto& [program, version, procedure] = *exchange.procedure;
    tell.text("name", rpcrdma::name(program, version, procedure));
  }
  tell.text("op", exchange.subject.op);
  tell.text("ops", joined_names(exchange.subject.ops));
  if (exchange.subject.arguments_length) {
    tell.number("args_length", *exchange.subject.arguments_length);
  }
  if (exchange.subject.results_length) {
    tell.number("results_length", *exchange.subject.results_length);
  }
  uint64_t moved = 0;
  for (const flow::SegmentFlow& segment : exchange.segments) {
    moved += segment.moved().total();
  }
  tell.count("moved", moved);
}

void tell_end(Teller& tell, const flow::Exchange& exchange) {
  tell.text("status", name(exchange.status));
  if (exchange.error) {
    tell.text("error", error_name(exchange));
  }
  tell.text("rpc_status", refusal_name(exchange));
  if (exchange.subject.nfs_status.value_or(0) != 0) {
    tell.text("nfs_status", exchange.subject.nfs_status_name.empty()
                                ? fmt::format("status {}", *exchange.subject.nfs_status)
                                : exchange.subject.nfs_status_name);
  }
  tell.text("incomplete_because", name(exchange.doubt));
}

void tell_timing(Teller& tell, const flow::Timing& timing) {
  if (timing.delivered_ns) {
    tell.text("waited_on", flow::waited_on_names[static_cast<size_t>(timing.waited_on)]);
    tell.count("recovery_us", static_cast<uint64_t>(timing.recovery_ns) / 1000);
  }
  tell.microseconds("unanswered_us", timing.unanswered_ns);
  tell.microseconds("at_credit_limit_us", timing.at_credit_limit_ns);
  if (timing.attempts > 1) {
    tell.number("attempts", timing.attempts);
  }
  if (timing.retry_of) {
    tell.number("retry_of_conn", timing.retry_of->connection);
    tell.frame("retry_of_frame", "retry_of_file", timing.retry_of->call);
  }
  tell.microseconds("total_us", timing.total_ns);
}

void tell_disturbances(Teller& tell, const flow::Exchange& exchange) {
  tell.count("repeats", exchange.retransmissions);
  tell.count("naks", exchange.naks);
  tell.count("rnr_naks", exchange.slowdown.rnr_naks);
  tell.count("zero_windows", exchange.slowdown.zero_windows);
  tell.count("ecn_ce", exchange.slowdown.ecn_ce);
  tell.count("cnps", exchange.slowdown.cnps);
  tell.count("pauses", exchange.slowdown.pauses);
}

}  // namespace

Facts rpc_facts(const flow::Exchange& exchange, const Files& files) {
  Teller tell(files);
  tell.hex("xid", exchange.xid);
  tell.number("conn", exchange.connection->number);
  tell.text("direction", exchange.backward ? "backward" : "forward");
  tell.frame("call_frame", "call_file", exchange.call);
  tell.frame("reply_frame", "reply_file", exchange.reply);
  tell_subject(tell, exchange);
  tell_end(tell, exchange);
  tell_timing(tell, exchange.timing);
  tell_disturbances(tell, exchange);
  tell.frame("done_frame", "done_file", exchange.done);
  if (exchange.invalidated) {
    tell.hex("invalidated", *exchange.invalidated);
  }
  return tell.facts();
}

Facts segment_facts(const flow::Exchange& exchange, const flow::SegmentFlow& segment, const Files& files) {
  Teller tell(files);
  tell.hex("xid", exchange.xid);
  tell.text("chunk", name(segment.kind));
  tell.hex("handle", segment.target.handle);
  tell.text("offset", fmt::format("{:#018x}", segment.target.offset));
  tell.number("length", segment.target.length);
  tell.number("moved", segment.moved().total());
  tell.number("ops", segment.ops());
  const auto [first, last] =
      std::minmax_element(segment.frames().begin(), segment.frames().end(), captured_before);
  if (first != segment.frames().end()) {
    tell.frame("first_frame", "first_file", *first);
    tell.frame("last_frame", "last_file", *last);
    tell.number("frames", segment.frames().size());
  }
  if (segment.returned) {
    tell.number("returned", *segment.returned);
  }
  return tell.facts();
}

Facts finding_facts(const rules::Finding& finding, const Files& files) {
  Teller tell(files);
  tell.text("rule", finding.rule->id);
  tell.text("severity", name(finding.severity));
  tell.text("certainty", name(finding.certainty));
  tell.frame("frame", "file", finding.at);
  tell.number("conn", finding.connection->number);
  if (finding.xid) {
    tell.hex("xid", *finding.xid);
  }
  tell.text("message", finding.text);
  tell.text("blame", name(finding.blame));
  if (finding.by && finding.blame != rules::Blame::undecided) {
    tell.text("by", finding.connection->end(*finding.by).address.text());
  }
  tell.text("op", finding.op);
  tell.text("source", fmt::format("{} {}", finding.source.document, finding.source.section));
  if (finding.rule->habit || finding.count > 1) {
    tell.number("count", finding.count);
  }
  return tell.facts();
}

RpcTimes times_of(const flow::Exchange& exchange) {
  const flow::Timing& timing = exchange.timing;
  if (timing.delivered_ns && exchange.timeline.reply_accepted) {
    const int64_t end_ns = exchange.timeline.reply_accepted->time_ns;
    return {.begin_ns = end_ns - *timing.delivered_ns, .end_ns = end_ns};
  }
  if (!exchange.call) {
    const int64_t at_ns = exchange.reply.value_or(Stamp()).time_ns;
    return {.begin_ns = at_ns, .end_ns = at_ns};
  }
  const int64_t begin_ns = exchange.call->time_ns;
  if (exchange.reply) {
    return {.begin_ns = begin_ns, .end_ns = std::max(begin_ns, exchange.reply->time_ns)};
  }
  return {.begin_ns = begin_ns,
          .end_ns = std::max(begin_ns, exchange.connection->last_frame.time_ns),
          .ended = exchange.connection->ended.has_value()};
}

}  // namespace steertag::report
