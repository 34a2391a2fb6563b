#include <algorithm>
#include <array>
#include <string>

#include "base/counted.h"
#include "report/names.h"
#include "report/text.h"
#include "report/text_parts.h"
#include "report/units.h"
#include "rpcrdma/programs.h"

namespace steertag::report {
namespace {

using flow::ChunkKind;
using flow::Exchange;
using flow::SegmentFlow;
using flow::Status;

constexpr std::array kinds = {ChunkKind::read, ChunkKind::write, ChunkKind::reply, ChunkKind::result};

struct Total {
  uint64_t segments = 0, used = 0;
  uint64_t advertised = 0, moved = 0;  // bytes
};

Total total(const Exchange& exchange, ChunkKind kind) {
  Total sum;
  for (const SegmentFlow& flow : exchange.segments) {
    if (flow.kind == kind) {
      ++sum.segments;
      sum.used += flow.moved().total() != 0 ? 1 : 0;
      sum.advertised += flow.target.length;
      sum.moved += flow.moved().total();
    }
  }
  return sum;
}

// Bytes of the RPC messages themselves: what went inline and what RDMA moved.
uint64_t argument_bytes(const Exchange& exchange) {
  return exchange.call_inline_length + total(exchange, ChunkKind::read).moved;
}
uint64_t result_bytes(const Exchange& exchange) {
  return exchange.reply_inline_length + total(exchange, ChunkKind::write).moved +
         total(exchange, ChunkKind::reply).moved + total(exchange, ChunkKind::result).moved;
}

// "read 64K in 1  write unused  reply 112 in 2 of 3": bytes, and the segments
// they went through; then what is wrong.
void notes(Buffer& out, const Exchange& exchange, const TextStyle& style) {
  auto gap = [&, first = true]() mutable {
    put(out, first ? "" : "  ");
    first = false;
  };
  for (const ChunkKind kind : kinds) {
    const Total sum = total(exchange, kind);
    if (sum.segments == 0) {
      continue;
    }
    gap();
    if (sum.moved == 0) {
      print(out, "{} {}", name(kind), kind == ChunkKind::result ? "unread" : "unused");
      continue;
    }
    print(out, "{} {}", name(kind), size_text(sum.moved));
    if (flow::for_reading(kind) && sum.moved < sum.advertised) {
      print(out, " of {}", size_text(sum.advertised));
    }
    print(out, " in {}", sum.used);
    if (sum.used < sum.segments) {
      print(out, " of {}", sum.segments);
    }
  }
  const auto remark = [&](std::string_view colour, std::string_view words) {
    gap();
    paint(out, style.palette, colour, words);
  };
  switch (exchange.status) {
    case Status::complete:
      break;
    case Status::no_reply:
      remark(style.palette.warn, "no reply");
      break;
    case Status::no_call:
      remark(style.palette.warn, "no call");
      break;
    case Status::transport_error:
      remark(style.palette.bad, exchange.error ? error_name(exchange) : "transport error");
      break;
  }
  if (const std::string refusal = refusal_name(exchange); !refusal.empty()) {
    remark(style.palette.bad, refusal);
  }
  if (exchange.backward) {
    remark("", "backward");
  }
  if (!exchange.complete) {
    remark(style.palette.warn, fmt::format("[{}]", words(exchange.doubt)));
  }
}

// When the bytes went by, counted from the Call: " (+1.20 to +3.45 ms)".
std::string span_text(const Exchange& exchange, const SegmentFlow& flow) {
  if (!exchange.call) {
    return {};
  }
  const auto earlier = [](const Stamp& a, const Stamp& b) { return a.time_ns < b.time_ns; };
  const auto [first, last] = std::minmax_element(flow.frames().begin(), flow.frames().end(), earlier);
  if (first == flow.frames().end() || first->time_ns < exchange.call->time_ns) {
    return {};  // merged captures whose clocks disagree
  }
  const std::string begin = duration_text(first->time_ns - exchange.call->time_ns);
  const std::string end = duration_text(last->time_ns - exchange.call->time_ns);
  return begin == end ? fmt::format(" (+{})", begin) : fmt::format(" (+{} to +{})", begin, end);
}

// Why it took the time that it took, where the connection was disturbed.
void disturbance_row(Buffer& out, const Exchange& exchange, const TextStyle& style) {
  if (exchange.retransmissions == 0 && exchange.naks == 0) {
    return;
  }
  print(out, "{:24}", "");
  paint(out, style.palette, style.palette.warn,
        fmt::format("meanwhile on this connection: {} retransmitted, {}",
                    base::counted(exchange.retransmissions, "packet"), base::counted(exchange.naks, "NAK")));
  put(out, '\n');
}

void segment_row(Buffer& out, const Exchange& exchange, const SegmentFlow& flow, const TextStyle& style) {
  const std::string where = flow::for_reading(flow.kind)    ? fmt::format("at {}", flow.position)
                            : flow.kind == ChunkKind::write ? fmt::format("chunk {}", flow.chunk + 1)
                                                            : std::string();
  const uint64_t moved = flow.moved().total();
  print(out, "{:24}{:<6} {:<8}  {:<40}  moved {}", "", name(flow.kind), where, segment_text(flow.target),
        moved);
  if (flow.ops() != 0) {
    print(out, " in {}", base::counted(flow.ops(), "op"));
  }
  if (!flow.frames().empty()) {
    print(out, ", frames {}{}", frames_text(flow.frames(), style), span_text(exchange, flow));
  }
  if (flow.returned) {
    print(out, ", returned {}", *flow.returned);
  }
  const auto remark = [&](std::string_view colour, std::string_view words) {
    put(out, "  ");
    paint(out, style.palette, colour, words);
  };
  const uint64_t expected = flow::for_reading(flow.kind) ? flow.target.length : flow.returned.value_or(0);
  if (moved == 0 && expected == 0) {
    remark(style.palette.dim, "unused");
  } else if (moved < expected) {
    remark(style.palette.warn, "short");
  } else if (moved > expected && flow.returned) {
    remark(style.palette.warn, "more than returned");
  }
  if (flow.after_reply) {
    remark(style.palette.bad, flow.kind == ChunkKind::result ? "after RDMA_DONE" : "after the reply");
  }
  if (exchange.invalidated == flow.target.handle && flow.kind != ChunkKind::result) {
    remark(style.palette.dim, "invalidated");
  }
  put(out, '\n');
}

}  // namespace

void text_rpc_heading(Buffer& out, const TextStyle& style) {
  paint(out, style.palette, style.palette.dim,
        fmt::format("{:<4}  {:>8}  {:>8}  {:>12}  {:>8}  {:<10}  {:<17}  {:>7}  {:>7}  {}", "conn", "call",
                    "reply", "time", "latency", "xid", "procedure", "args", "results", "chunks"));
  put(out, '\n');
}

void text_rpc(Buffer& out, const Exchange& exchange, const TextStyle& style) {
  const auto& begin = exchange.call ? exchange.call : exchange.reply;
  const bool both = exchange.call && exchange.reply;
  std::string procedure = "?";
  if (exchange.procedure) {
    procedure = rpcrdma::name(exchange.procedure->program, exchange.procedure->version,
                              exchange.procedure->procedure);
  }
  const size_t start = out.size();
  print(out, "#{:<3}  {:>8}  {:>8}  {:>12}  {:>8}  {:#010x}  {:<17}  {:>7}  {:>7}  ",
        exchange.connection->number, exchange.call ? frame_text(*exchange.call, style) : "-",
        exchange.reply ? frame_text(*exchange.reply, style) : "-",
        begin ? seconds_text(begin->time_ns - style.origin_ns) : "",
        both ? duration_text(exchange.reply->time_ns - exchange.call->time_ns) : "-", exchange.xid, procedure,
        size_text(argument_bytes(exchange)), size_text(result_bytes(exchange)));
  notes(out, exchange, style);
  size_t size = out.size();
  while (size > start && out[size - 1] == ' ') {
    --size;
  }
  out.resize(size);
  put(out, '\n');
  if (style.chunks) {
    for (const SegmentFlow& flow : exchange.segments) {
      segment_row(out, exchange, flow, style);
    }
    if (exchange.done) {
      print(out, "{:24}RDMA_DONE in frame {}\n", "", frame_text(*exchange.done, style));
    }
    disturbance_row(out, exchange, style);
  }
}

void RpcSummary::add(const Exchange& exchange) {
  ++rpcs;
  no_reply += exchange.status == Status::no_reply ? 1 : 0;
  no_call += exchange.status == Status::no_call ? 1 : 0;
  transport_error += exchange.status == Status::transport_error ? 1 : 0;
  refused += refusal_name(exchange).empty() ? 0 : 1;
  incomplete += exchange.complete ? 0 : 1;
  arguments += argument_bytes(exchange);
  results += result_bytes(exchange);
  if (exchange.call && exchange.reply) {
    latencies.add(exchange.reply->time_ns - exchange.call->time_ns, *exchange.reply);
  }
}

void RpcSummary::add(const RpcSummary& other) {
  seen += other.seen;
  rpcs += other.rpcs;
  no_reply += other.no_reply;
  no_call += other.no_call;
  transport_error += other.transport_error;
  refused += other.refused;
  incomplete += other.incomplete;
  lost += other.lost;
  arguments += other.arguments;
  results += other.results;
  latencies.add(other.latencies);
}

void text_rpc_summary(Buffer& out, const RpcSummary& summary, const TextStyle& style) {
  const Palette& palette = style.palette;
  put(out, '\n');
  const std::string of = summary.rpcs < summary.seen ? fmt::format("{} of ", summary.rpcs) : "";
  const uint64_t count_of = std::max(summary.seen, summary.rpcs);
  paint(out, palette, palette.title, of + base::counted(count_of, "RPC"));
  print(out, ", {} of arguments, {} of results", size_text(summary.arguments), size_text(summary.results));
  const auto count = [&](uint64_t number, std::string_view colour, std::string_view words) {
    if (number != 0) {
      put(out, ", ");
      paint(out, palette, colour, fmt::format("{} {}", number, words));
    }
  };
  count(summary.transport_error, palette.bad, "answered by a transport error");
  count(summary.refused, palette.bad, "refused");
  count(summary.no_reply, palette.warn, "without a reply");
  count(summary.no_call, palette.warn, "without a call");
  count(summary.incomplete, palette.warn, "incomplete");
  count(summary.lost, palette.warn, summary.lost == 1 ? "packet not captured" : "packets not captured");
  count(summary.given_up, palette.warn, "dropped for lack of memory");
  put(out, '\n');
  const Latencies& latencies = summary.latencies;
  if (latencies.count() != 0) {
    print(out, "latency  min {}  median {}  p99 {}  max {}, reply in frame {}\n",
          duration_text(latencies.least()), duration_text(latencies.percentile(0.5)),
          duration_text(latencies.percentile(0.99)), duration_text(latencies.greatest()),
          frame_text(latencies.slowest(), style));
  }
}

}  // namespace steertag::report
