#include <array>
#include <optional>
#include <string>

#include "base/counted.h"
#include "base/printable.h"
#include "base/units.h"
#include "nfs/status.h"
#include "report/names.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text_parts.h"
#include "report/text_timing.h"

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

// Of an RPC message; "-" where there was none, or its length is not known.
std::string length_text(const std::optional<uint64_t>& length) {
  return length ? base::size_text(*length) : "-";
}

// "read 64K in 1", "write unused", "reply 112 in 2 of 3": bytes, and the segments they went through.
void chunk_note(Buffer& out, ChunkKind kind, const Total& sum, bool one_direction) {
  if (sum.moved == 0 && one_direction) {  // what the other end did is not in the capture
    print(out, "{} {} advertised", name(kind), base::size_text(sum.advertised));
    return;
  }
  if (sum.moved == 0) {
    print(out, "{} {}", name(kind), kind == ChunkKind::result ? "unread" : "unused");
    return;
  }
  print(out, "{} {}", name(kind), base::size_text(sum.moved));
  if (flow::for_reading(kind) && sum.moved < sum.advertised) {
    print(out, " of {}", base::size_text(sum.advertised));
  }
  print(out, " in {}", sum.used);
  if (sum.used < sum.segments) {
    print(out, " of {}", sum.segments);
  }
}

// What chunks were used for; then what is wrong.
void notes(Buffer& out, const Exchange& exchange, const TextStyle& style) {
  auto gap = [&, first = true]() mutable {
    put(out, first ? "" : "  ");
    first = false;
  };
  for (const ChunkKind kind : kinds) {
    const Total sum = total(exchange, kind);
    if (sum.segments != 0) {
      gap();
      chunk_note(out, kind, sum, exchange.connection->one_direction());
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
  if (const auto& status = exchange.subject.nfs_status; status.value_or(0) != 0) {
    const uint32_t program = exchange.procedure ? exchange.procedure->program : 0;
    remark(nfs::tells_of_trouble(program, *status) ? style.palette.bad : style.palette.warn,
           exchange.subject.nfs_status_name);
  }
  if (exchange.timing.retry_of) {
    remark(style.palette.warn, attempt_text(exchange, style));
  }
  if (flow::never_accepted(exchange)) {
    remark(style.palette.warn, "reply never accepted");
  }
  if (exchange.backward) {
    remark("", "backward");
  }
  if (!exchange.complete) {
    remark(style.palette.warn, fmt::format("[{}]", words(exchange.doubt)));
  }
}

// "SEQUENCE PUTFH READ GETATTR": the whole COMPOUND, or as much of it as could be read.
void operations_row(Buffer& out, const flow::Subject& subject) {
  if (subject.ops.empty()) {
    return;
  }
  print(out, "{:23}", "");
  for (const std::string& name : subject.ops) {
    put(out, ' ');
    put(out, name);
  }
  put(out, subject.ops_whole ? "\n" : " ...\n");
}

// "file /export/a  offset 4096  count 65536  user 1000": as much of it as is known.
void file_row(Buffer& out, const flow::Subject& subject) {
  std::string row;
  const auto add = [&](std::string_view what, const std::string& value) {
    row += fmt::format("{}{} {}", row.empty() ? "" : "  ", what, value);
  };
  if (!subject.file.empty()) {
    add("file", base::printable(subject.file));
  }
  if (subject.offset && subject.count) {
    add("offset", std::to_string(*subject.offset));
    add("count", std::to_string(*subject.count));
  }
  if (subject.user) {
    add("user", std::to_string(*subject.user));
  }
  if (!row.empty()) {
    print(out, "{:24}{}\n", "", row);
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
  const std::string begin = base::duration_text(first->time_ns - exchange.call->time_ns);
  const std::string end = base::duration_text(last->time_ns - exchange.call->time_ns);
  return begin == end ? fmt::format(" (+{})", begin) : fmt::format(" (+{} to +{})", begin, end);
}

// Why it took the time that it took, where the connection was disturbed.
void disturbance_row(Buffer& out, const Exchange& exchange, const TextStyle& style) {
  const flow::Slowdown& slow = exchange.slowdown;
  std::string text;
  const auto add = [&](uint32_t count, std::string_view what, std::string_view more = "") {
    if (count != 0) {
      text += fmt::format("{}{}{}", text.empty() ? "" : ", ", base::counted(count, what), more);
    }
  };
  add(exchange.retransmissions, "packet", " retransmitted");
  add(exchange.naks, "NAK", slow.rnr_naks == 0 ? "" : fmt::format(" ({} RNR)", slow.rnr_naks));
  add(slow.zero_windows, "TCP zero window");
  add(slow.ecn_ce, "packet", " marked (ECN)");
  add(slow.cnps, "CNP");
  add(slow.pauses, "pause frame", " on some link");
  if (text.empty()) {
    return;
  }
  Buffer lines;
  put_wrapped(lines, fmt::format("{:24}", ""), "meanwhile on this connection: " + text,
              narrow(style) ? style.width : SIZE_MAX);
  lines.resize(lines.size() - 1);
  paint(out, style.palette, style.palette.warn, view(lines));
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
  const std::string columns =
      narrow(style) ? fmt::format("{:<4}  {:>8}  {:>{}}  {:>8}  {:<10}  {}", "conn", "call", "time",
                                  time_width(style), "latency", "xid", "procedure")
                    : fmt::format("{:<4}  {:>8}  {:>8}  {:>{}}  {:>8}  {:<10}  {:<22}  {:>7}  {:>7}  {}",
                                  "conn", "call", "reply", "time", time_width(style), "latency", "xid",
                                  "procedure", "args", "results", "chunks");
  paint(out, style.palette, style.palette.dim, columns);
  put(out, '\n');
}

void text_rpc(Buffer& out, const Exchange& exchange, const TextStyle& style) {
  const size_t start = out.size();
  const std::string reply = exchange.reply ? frame_text(*exchange.reply, style) : "-";
  text_legs(out, exchange.connection->number, exchange.call, reply, time_text(exchange, style),
            waited_text(exchange), style);
  print(out, "{:#010x}  ", exchange.xid);
  const std::string arguments = length_text(exchange.subject.arguments_length);
  const std::string results = length_text(exchange.subject.results_length);
  if (narrow(style)) {
    print(out, "{}\n{:24}reply {}  args {}  results {}  ", rpc_name(exchange), "", reply, arguments, results);
  } else {
    left_cell(out, rpc_name(exchange), 22);
    right_cell(out, arguments, 7);
    right_cell(out, results, 7);
  }
  notes(out, exchange, style);
  size_t size = out.size();
  while (size > start && out[size - 1] == ' ') {
    --size;
  }
  out.resize(size);
  put(out, '\n');
  if (style.ops) {
    operations_row(out, exchange.subject);
  }
  if (style.subjects) {
    file_row(out, exchange.subject);
  }
  if (style.phases) {
    text_phases(out, exchange, style);
  }
  if (style.chunks) {
    for (const SegmentFlow& flow : exchange.segments) {
      if (out.size() > style.most) {
        break;
      }
      segment_row(out, exchange, flow, style);
    }
    if (exchange.done) {
      print(out, "{:24}RDMA_DONE in frame {}\n", "", frame_text(*exchange.done, style));
    }
  }
  if (style.chunks || style.phases) {
    disturbance_row(out, exchange, style);
  }
}

}  // namespace steertag::report
