#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "report/json.h"
#include "report/json_parts.h"
#include "report/names.h"
#include "rpcrdma/programs.h"

namespace steertag::report {
namespace {

using flow::ChunkKind;
using flow::Exchange;
using flow::SegmentFlow;

// What its parts are printed with.
struct Manner {
  const Exchange& exchange;
  uint32_t home;  // file of most frames
  const Files& files;
  const stats::Setbacks::Some* setbacks;  // for a report; null: for others
};

// When it was first and last touched, in microseconds since the Call.
void span(JsonWriter& json, std::span<const Stamp> frames, const Exchange& exchange) {
  if (frames.empty() || !exchange.call) {
    return;
  }
  const auto since = [&](const Stamp& at) {
    return static_cast<uint64_t>(std::max<int64_t>(at.time_ns - exchange.call->time_ns, 0)) / 1000;
  };
  const auto earlier = [](const Stamp& a, const Stamp& b) { return a.time_ns < b.time_ns; };
  const auto [first, last] = std::minmax_element(frames.begin(), frames.end(), earlier);
  json.number("first_us", since(*first));
  json.number("last_us", since(*last));
  if (frames.size() > kMostReportFrames) {
    json.number("frames_in_all", frames.size());
  }
}

void segment(JsonWriter& json, const SegmentFlow& flow, const Manner& manner) {
  json.object();
  json_segment(json, flow.target);
  if (flow::for_reading(flow.kind)) {
    json.number("position", flow.position);
  }
  json.number("moved", flow.moved().total());
  json.number("ops", flow.ops());
  std::span<const Stamp> frames = flow.frames();
  if (manner.setbacks != nullptr) {
    span(json, frames, manner.exchange);
    frames = frames.first(std::min(frames.size(), kMostReportFrames));
  }
  json_frames(json, frames, manner.home, manner.files);
  if (flow.returned) {
    json.number("returned", *flow.returned);
  }
  if (flow.after_reply) {
    json.boolean(flow.kind == ChunkKind::result ? "after_done" : "after_reply", true);
  }
  json.end_object();
}

void list(JsonWriter& json, std::string_view key, ChunkKind kind, const Manner& manner) {
  json.list(key);
  for (const SegmentFlow& flow : manner.exchange.segments) {
    if (flow.kind == kind) {
      segment(json, flow, manner);
    }
  }
  json.end_list();
}

// One list per chunk, also for a chunk without segments that precedes another.
void write_list(JsonWriter& json, const Manner& manner) {
  json.list("writes");
  uint32_t chunks = 0;  // opened so far
  for (const SegmentFlow& flow : manner.exchange.segments) {
    if (flow.kind != ChunkKind::write) {
      continue;
    }
    for (; chunks <= flow.chunk; ++chunks) {
      if (chunks > 0) {
        json.end_list();
      }
      json.list();
    }
    segment(json, flow, manner);
  }
  if (chunks > 0) {
    json.end_list();
  }
  json.end_list();
}

bool has(const Exchange& exchange, ChunkKind kind) {
  for (const SegmentFlow& flow : exchange.segments) {
    if (flow.kind == kind) {
      return true;
    }
  }
  return false;
}

void subject(JsonWriter& json, const flow::Subject& known) {
  if (!known.op.empty()) {
    json.text("op", known.op);
  }
  if (!known.ops.empty()) {
    json.list("ops");
    for (const std::string& name : known.ops) {
      json.text(name);
    }
    json.end_list();
    if (!known.ops_whole) {
      json.boolean("ops_whole", false);
    }
  }
  if (known.arguments_length) {
    json.number("args_length", *known.arguments_length);
  }
  if (known.results_length) {
    json.number("results_length", *known.results_length);
  }
}

// Whole ones. Precondition: not negative.
uint64_t microseconds(int64_t ns) {
  return static_cast<uint64_t>(ns) / 1000;
}

// Where its time went.
void spent(JsonWriter& json, const flow::Timing& timing, const Files& files) {
  if (timing.delivered_ns) {
    json.number("delivered_us", microseconds(*timing.delivered_ns));
    json.object("phases");
    int64_t end_ns = 0;  // of the phase; whole microseconds between ends add up
    for (size_t phase = 0; phase < flow::kPhases; ++phase) {
      const int64_t begin_ns = end_ns;
      end_ns += timing.phases_ns[phase];
      if (timing.phases_ns[phase] != 0) {
        json.number(flow::phase_names[phase], microseconds(end_ns) - microseconds(begin_ns));
      }
    }
    json.end_object();
    if (timing.recovery_ns != 0) {
      json.number("recovery_us", microseconds(timing.recovery_ns));
    }
    json.text("waited_on", flow::waited_on_names[static_cast<size_t>(timing.waited_on)]);
  }
  if (timing.unanswered_ns) {
    json.number("unanswered_us", microseconds(*timing.unanswered_ns));
  }
  if (timing.at_credit_limit_ns) {
    json.number("at_credit_limit_us", microseconds(*timing.at_credit_limit_ns));
  }
  if (timing.attempts > 1) {
    json.number("attempts", timing.attempts);
  }
  if (timing.retry_of) {
    json.object("retry_of");
    json.connection("conn", timing.retry_of->connection);
    json_frame(json, "call_frame", "call_file", timing.retry_of->call, files);
    json.end_object();
  }
  if (timing.total_ns) {
    json.number("total_us", microseconds(*timing.total_ns));
  }
}

// What the Call asked for, and what the Reply granted.
void credits(JsonWriter& json, const Exchange& exchange) {
  if (exchange.call_message.kept) {
    json.number("requested", exchange.call_message.header.credit);
  }
  if (exchange.reply_message.kept && !exchange.error) {
    json.number("granted", exchange.reply_message.header.credit);
  }
}

void slowdown(JsonWriter& json, const flow::Slowdown& slowdown) {
  for (const auto& [key, count] :
       {std::pair{"rnr_naks", slowdown.rnr_naks}, std::pair{"zero_windows", slowdown.zero_windows},
        std::pair{"ecn_ce", slowdown.ecn_ce}, std::pair{"cnps", slowdown.cnps},
        std::pair{"pauses", slowdown.pauses}}) {
    if (count != 0) {
      json.number(key, count);
    }
  }
}

// What it was answered, where that was no success.
void answer(JsonWriter& json, const Exchange& exchange) {
  if (exchange.error) {
    json.text("error", error_name(exchange));
  }
  if (const std::string refusal = refusal_name(exchange); !refusal.empty()) {
    json.text("rpc_status", refusal);
    if (refusal == "AUTH_ERROR") {
      json.number("auth_stat", exchange.answer->auth_stat);
    }
  }
  if (exchange.subject.nfs_status.value_or(0) != 0) {
    json.text("nfs_status", exchange.subject.nfs_status_name);
  }
}

void record(Buffer& out, const Exchange& exchange, const Files& files,
            const stats::Setbacks::Some* setbacks) {
  const auto& known = exchange.call ? exchange.call : exchange.reply;
  const Manner manner{exchange, known ? known->file : 0, files, setbacks};
  JsonWriter json(out);
  json.object();
  json.text("type", "rpc");
  json.connection("conn", exchange.connection->number);
  json.hex("xid", exchange.xid, 8);
  json.text("direction", exchange.backward ? "backward" : "forward");
  json_legs(json, exchange.call, exchange.reply, files);
  spent(json, exchange.timing, files);
  if (exchange.procedure) {
    const auto& [program, version, procedure] = *exchange.procedure;
    json.number("program", program);
    json.number("version", version);
    json.number("procedure", procedure);
    json.text("name", rpcrdma::name(program, version, procedure));
  }
  subject(json, exchange.subject);
  json.text("status", name(exchange.status));
  if (setbacks != nullptr) {
    json_accepted(json, exchange, files);
    credits(json, exchange);
  }
  list(json, "reads", ChunkKind::read, manner);
  write_list(json, manner);
  if (has(exchange, ChunkKind::reply)) {
    list(json, "reply_chunk", ChunkKind::reply, manner);
  }
  if (has(exchange, ChunkKind::result)) {
    list(json, "reply_reads", ChunkKind::result, manner);
  }
  if (exchange.done) {
    json_frame(json, "done_frame", "done_file", *exchange.done, files);
  }
  if (exchange.invalidated) {
    json.hex("invalidated", *exchange.invalidated, 8);
  }
  answer(json, exchange);
  if (exchange.retransmissions != 0) {
    json.number("repeats", exchange.retransmissions);
  }
  if (exchange.naks != 0) {
    json.number("naks", exchange.naks);
  }
  slowdown(json, exchange.slowdown);
  if (setbacks != nullptr) {
    json_setbacks(json, exchange, *setbacks, files);
  }
  json.boolean("complete", exchange.complete);
  if (exchange.doubt != flow::Doubt::none) {
    json.text("incomplete_because", name(exchange.doubt));
  }
  json.end_object();
  json.end_line();
}

}  // namespace

void json_rpc(Buffer& out, const Exchange& exchange, const Files& files) {
  record(out, exchange, files, nullptr);
}

void json_rpc(Buffer& out, const Exchange& exchange, const Files& files,
              const stats::Setbacks::Some& setbacks) {
  record(out, exchange, files, &setbacks);
}

}  // namespace steertag::report
