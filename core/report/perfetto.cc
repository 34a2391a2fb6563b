#include "report/perfetto.h"

#include <fmt/core.h>

#include <string_view>

#include "base/named.h"
#include "base/units.h"
#include "report/facts.h"
#include "report/names.h"
#include "report/rpc_times.h"
#include "report/text.h"
#include "rpcrdma/v1.h"

namespace steertag::report {
namespace {

using flow::Exchange;
using flow::SegmentFlow;

void note_all(PerfettoEvent& event, const Facts& facts) {
  for (const Fact& fact : facts) {
    std::visit([&](const auto& value) { event.note(fact.key, value); }, fact.value);
  }
}

// Where below its connection it is shown.
constexpr uint64_t kLaneRanks = 1 << 16;

std::string_view name_of_moving(flow::ChunkKind kind) {
  static constexpr std::string_view names[] = {"RDMA Read", "RDMA Write", "RDMA Write of a Reply",
                                               "RDMA Read of results"};
  return base::named<flow::ChunkKind::result>(names, kind);
}

void put_phase_slices(Buffer& out, const Exchange& exchange, uint64_t track, int64_t begin_ns) {
  if (!exchange.timing.delivered_ns) {
    return;
  }
  int64_t now_ns = begin_ns;
  for (size_t phase = 0; phase < flow::kPhases; ++phase) {
    const int64_t phase_ns = exchange.timing.phases_ns[phase];
    if (phase_ns == 0) {
      continue;
    }
    {
      PerfettoEvent begin(out, PerfettoType::begin, track, now_ns);
      begin.category("phase");
      begin.name(flow::phase_names[phase]);
    }
    now_ns += phase_ns;
    PerfettoEvent(out, PerfettoType::end, track, now_ns);
  }
}

}  // namespace

uint64_t PerfettoTrace::id(const track::Connection& connection, Kind kind, uint32_t lane) {
  return uint64_t{connection.number} << 24 | uint64_t{static_cast<uint8_t>(kind)} << 16 | lane;
}

PerfettoTrace::State& PerfettoTrace::state(Buffer& out, const track::Connection& connection) {
  if (!begun_) {
    perfetto_clock(out, connection.first_frame.time_ns);
    begun_ = true;
  }
  const auto [found, is_new] = states_.try_emplace(connection.number);
  if (is_new) {
    Buffer line;
    text_connection_line(line, connection, {});
    const std::string_view name = view(line);
    perfetto_track(out, {.id = id(connection, Kind::connection),
                         .name = name.substr(0, name.find('\n')),
                         .rank = connection.number});
  }
  return found->second;
}

uint64_t PerfettoTrace::only(Buffer& out, const track::Connection& connection, Kind kind) {
  constexpr std::array<std::string_view, kKinds> kNames = {"",
                                                           "findings",
                                                           "outstanding Calls",
                                                           "granted credits",
                                                           "Replies",
                                                           "",
                                                           "",
                                                           "outstanding callbacks",
                                                           "granted credits for callbacks",
                                                           "Replies to callbacks",
                                                           ""};
  const auto place = static_cast<size_t>(kind);
  const uint64_t track = id(connection, kind);
  if (bool& named = state(out, connection).named[place]; !named) {
    named = true;
    const bool counter = kind == Kind::outstanding || kind == Kind::granted ||
                         kind == Kind::backward_outstanding || kind == Kind::backward_granted;
    perfetto_track(out, {.id = track,
                         .parent = id(connection, Kind::connection),
                         .name = kNames[place],
                         .rank = place * kLaneRanks,
                         .counter = counter});
  }
  return track;
}

std::optional<uint64_t> PerfettoTrace::lane(Buffer& out, const track::Connection& connection, Kind kind,
                                            int64_t begin_ns, int64_t end_ns) {
  const size_t which = kind == Kind::slot ? 0 : kind == Kind::backward_slot ? 1 : 2;
  Lanes& lanes = state(out, connection).lanes[which];
  const size_t before = lanes.count();
  const std::optional<uint32_t> lane = lanes.take(begin_ns, end_ns);
  if (!lane) {
    ++left_out_;
    return std::nullopt;
  }
  const uint64_t track = id(connection, kind, *lane);
  if (lanes.count() != before) {
    const std::string_view what = kind == Kind::memory ? "RDMA"
                                  : kind == Kind::slot ? "slot"
                                                       : "callback slot";
    perfetto_track(out, {.id = track,
                         .parent = id(connection, Kind::connection),
                         .name = fmt::format("{} {}", what, *lane + 1),
                         .rank = static_cast<uint64_t>(kind) * kLaneRanks + *lane});
  }
  return track;
}

// The engine's own count, as rules have it; for an answer, without the Call that it answers.
void PerfettoTrace::add(Buffer& out, const flow::Message& message) {
  const track::Connection& connection = *message.connection;
  const bool call = message.direction == flow::Direction::call;
  if (!message.standing->known || message.direction == flow::Direction::unknown || !conveys_rpc(message)) {
    return;
  }
  const rdma::Side requester = call ? message.from : rdma::other(message.from);
  const bool backward = connection.client && requester != *connection.client;
  const bool answers = !call && message.standing->open != nullptr;
  const uint32_t outstanding = message.standing->credits.outstanding;
  count(out, message, backward ? Kind::backward_outstanding : Kind::outstanding,
        outstanding - (answers && outstanding != 0 ? 1 : 0));
  std::optional<uint32_t>& granted = state(out, connection).granted[backward ? 1 : 0];
  if (!call && !message.header->is_error() && message.decoded.has(rpcrdma::FixedField::credit) &&
      granted != message.header->credit) {
    granted = message.header->credit;
    count(out, message, backward ? Kind::backward_granted : Kind::granted, *granted);
  }
}

void PerfettoTrace::count(Buffer& out, const flow::Message& message, Kind kind, uint64_t value) {
  const uint64_t track = only(out, *message.connection, kind);
  PerfettoEvent(out, PerfettoType::counter, track, message.at.time_ns).value(value);
}

void PerfettoTrace::add(Buffer& out, const Exchange& exchange) {
  const track::Connection& connection = *exchange.connection;
  RpcTimes times = times_of(exchange);
  uint32_t& open = state(out, connection).open;
  times.ended |= open == kMostOpen;
  open += times.ended ? 0 : 1;
  const uint64_t flow = ++rpcs_;
  const std::optional<uint64_t> track =
      lane(out, connection, exchange.backward ? Kind::backward_slot : Kind::slot, times.begin_ns,
           times.ended ? times.end_ns : Lanes::kForever);
  if (!track) {
    return;
  }
  const bool answered = exchange.call && exchange.reply && exchange.reply->time_ns >= times.begin_ns;
  {
    PerfettoEvent begin(out, PerfettoType::begin, *track, times.begin_ns);
    begin.category("rpc");
    begin.name(rpc_name(exchange));
    begin.belongs(flow);
    if (answered) {
      begin.leads(flow);
    }
    note_all(begin, rpc_facts(exchange, files_));
  }
  put_phase_slices(out, exchange, *track, times.begin_ns);
  if (times.ended) {
    PerfettoEvent(out, PerfettoType::end, *track, times.end_ns);
  }
  if (answered) {
    arrow(out, exchange, flow);
  }
  for (const SegmentFlow& segment : exchange.segments) {
    moved(out, exchange, segment, flow);
  }
}

void PerfettoTrace::arrow(Buffer& out, const Exchange& exchange, uint64_t flow) {
  const uint64_t track =
      only(out, *exchange.connection, exchange.backward ? Kind::backward_replies : Kind::replies);
  PerfettoEvent reply(out, PerfettoType::instant, track, exchange.reply->time_ns);
  reply.category("reply");
  reply.name("Reply: " + rpc_name(exchange));
  reply.belongs(flow);
  reply.follows(flow);
  reply.note("xid", fmt::format("{:#010x}", exchange.xid));
  reply.note("frame", exchange.reply->number);
  if (files_.several()) {
    reply.note("file", files_.name(exchange.reply->file));
  }
}

// From the first frame that carried some of it to the last.
void PerfettoTrace::moved(Buffer& out, const Exchange& exchange, const SegmentFlow& segment, uint64_t flow) {
  if (segment.frames().empty()) {
    return;
  }
  const auto earlier = [](const Stamp& a, const Stamp& b) { return a.time_ns < b.time_ns; };
  const auto [first, last] = std::minmax_element(segment.frames().begin(), segment.frames().end(), earlier);
  const std::optional<uint64_t> track =
      lane(out, *exchange.connection, Kind::memory, first->time_ns, last->time_ns);
  if (!track) {
    return;
  }
  {
    PerfettoEvent begin(out, PerfettoType::begin, *track, first->time_ns);
    begin.category("rdma");
    begin.name(fmt::format("{} {}", name_of_moving(segment.kind), base::size_text(segment.moved().total())));
    begin.belongs(flow);
    note_all(begin, segment_facts(exchange, segment, files_));
  }
  PerfettoEvent(out, PerfettoType::end, *track, last->time_ns);
}

void PerfettoTrace::add(Buffer& out, const rules::Finding& finding) {
  const uint64_t track = only(out, *finding.connection, Kind::findings);
  PerfettoEvent instant(out, PerfettoType::instant, track, finding.at.time_ns);
  instant.category("finding");
  instant.category(name(finding.severity));
  instant.name(fmt::format("{} {}", finding.rule->id, finding.rule->name));
  note_all(instant, finding_facts(finding, files_));
}

void PerfettoTrace::finish(Buffer& out) {
  if (!begun_) {
    perfetto_clock(out, 0);
    begun_ = true;
  }
}

void PerfettoTrace::take_over(const PerfettoTrace& other) {
  begun_ |= other.begun_;
  left_out_ += other.left_out_;
}

}  // namespace steertag::report
