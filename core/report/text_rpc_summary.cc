#include <algorithm>
#include <string>
#include <tuple>

#include "base/counted.h"
#include "base/units.h"
#include "report/names.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text_parts.h"

namespace steertag::report {

void RpcSummary::add(const flow::Exchange& exchange) {
  ++rpcs;
  no_reply += exchange.status == flow::Status::no_reply ? 1 : 0;
  no_call += exchange.status == flow::Status::no_call ? 1 : 0;
  transport_error += exchange.status == flow::Status::transport_error ? 1 : 0;
  refused += refusal_name(exchange).empty() ? 0 : 1;
  failed += exchange.subject.nfs_status.value_or(0) != 0 ? 1 : 0;
  repeats += exchange.timing.retry_of ? 1 : 0;
  incomplete += exchange.complete ? 0 : 1;
  arguments += exchange.subject.arguments_length.value_or(0);
  results += exchange.subject.results_length.value_or(0);
  const std::optional<int64_t> waited_ns = flow::waited_ns(exchange);
  if (waited_ns && exchange.call && exchange.reply) {
    latencies.add(*waited_ns, *exchange.reply);
  }
}

void RpcSummary::add(const RpcSummary& other) {
  seen += other.seen;
  rpcs += other.rpcs;
  no_reply += other.no_reply;
  no_call += other.no_call;
  transport_error += other.transport_error;
  refused += other.refused;
  failed += other.failed;
  repeats += other.repeats;
  incomplete += other.incomplete;
  lost += other.lost;
  arguments += other.arguments;
  results += other.results;
  latencies.add(other.latencies);
  at_least.add(other.at_least);
}

void LowerBounds::add(const LowerBounds& others) {
  const auto place = [](const Stamp& at) { return std::tuple(at.time_ns, at.file, at.number); };
  const uint64_t all = connections + others.connections;
  if (connections == 0 || (others.connections != 0 && place(others.first) < place(first))) {
    *this = others;
  }
  connections = all;
}

LowerBounds lower_bounds(const track::Connection& connection, const timing::Transit& transit) {
  const rdma::Side client = connection.client.value_or(rdma::Side::a);
  const timing::Passage& passage = transit.passage(client);
  if (!connection.rpcrdma || passage.unseen == 0) {
    return {};
  }
  return {.connections = 1,
          .connection = connection.number,
          .client = connection.end(client).address,
          .packets = passage.unseen,
          .first = passage.first_unseen};
}

std::string lower_bounds_text(const LowerBounds& bounds, const TextStyle& style) {
  std::string text = fmt::format(
      "Times are at least what they seem: on connection #{} {} of {} {} lost or held up before the tap, as "
      "frame "
      "{} was the first to show; a Call that was lost there counts from when it was sent again",
      bounds.connection, base::counted(bounds.packets, "packet"), bounds.client.text(),
      bounds.packets == 1 ? "was" : "were", frame_text(bounds.first, style));
  if (bounds.connections > 1) {
    text +=
        fmt::format("; the same is true of {}", base::counted(bounds.connections - 1, "other connection"));
  }
  return text;
}

void text_rpc_summary(Buffer& out, const RpcSummary& summary, const TextStyle& style) {
  const Palette& palette = style.palette;
  put(out, '\n');
  const std::string of = summary.rpcs < summary.seen ? fmt::format("{} of ", summary.rpcs) : "";
  const uint64_t count_of = std::max(summary.seen, summary.rpcs);
  paint(out, palette, palette.title, of + base::counted(count_of, "RPC"));
  print(out, ", {} of arguments, {} of results", base::size_text(summary.arguments),
        base::size_text(summary.results));
  const auto count = [&](uint64_t number, std::string_view colour, std::string_view words) {
    if (number != 0) {
      put(out, ", ");
      paint(out, palette, colour, fmt::format("{} {}", number, words));
    }
  };
  count(summary.transport_error, palette.bad, "answered by a transport error");
  count(summary.refused, palette.bad, "refused");
  count(summary.failed, palette.warn, "answered by an NFS error");
  count(summary.no_reply, palette.warn, "without a reply");
  count(summary.no_call, palette.warn, "without a call");
  count(summary.repeats, palette.warn,
        summary.repeats == 1 ? "repeats an earlier Call" : "repeat earlier Calls");
  count(summary.incomplete, palette.warn, "incomplete");
  count(summary.lost, palette.warn, summary.lost == 1 ? "packet not captured" : "packets not captured");
  count(summary.dropped, palette.warn,
        summary.dropped == 1 ? "frame lost while capturing" : "frames lost while capturing");
  count(summary.given_up, palette.warn, "dropped for lack of memory");
  put(out, '\n');
  const stats::Durations& latencies = summary.latencies;
  if (latencies.count() != 0) {
    print(out, "latency  min {}  median {}  p99 {}  max {}, frame {}\n",
          base::duration_text(latencies.least()), base::duration_text(latencies.percentile(0.5)),
          base::duration_text(latencies.percentile(0.99)), base::duration_text(latencies.greatest()),
          frame_text(latencies.longest(), style));
  }
  if (summary.at_least.connections != 0) {
    put_wrapped(out, "", lower_bounds_text(summary.at_least, style) + ".",
                style.width == 0 ? SIZE_MAX : style.width);
  }
}

}  // namespace steertag::report
