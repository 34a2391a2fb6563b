// The members of {"type":"rpc"}: one RPC, and the segments that its chunks have, each said once for all that
// print them or describe them (member.h). Durations are handed over in nanoseconds and printed as whole
// microseconds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/printable.h"
#include "flow/exchange.h"
#include "report/names.h"
#include "report/record/member.h"
#include "report/rpc_times.h"
#include "stats/setbacks.h"

namespace steertag::report::record {

// An RPC, as `flows` prints it, and as a report does: with when each segment was touched, the credits, which
// copies arrived, and what went wrong meanwhile; of many frames only so many.
struct Rpc {
  static constexpr std::string_view kType = "rpc";
  static constexpr std::string_view kSays =
      "One RPC: its Call, its Reply, what moved in between, and where its time went (from flows). Times are "
      "those of the tap.";
  static constexpr size_t kMostFrames = 64;  // of a segment, in a report

  const flow::Exchange& exchange;
  const stats::Setbacks::Some* setbacks = nullptr;  // null: it is for no report

  bool reported() const { return setbacks != nullptr; }
  // The file of most of its frames.
  uint32_t home() const {
    const auto& known = exchange.call ? exchange.call : exchange.reply;
    return known ? known->file : 0;
  }
  // Since the Call; 0 where there is none.
  int64_t since_ns(const std::optional<Stamp>& at) const {
    return at && exchange.call ? std::max<int64_t>(at->time_ns - exchange.call->time_ns, 0) : 0;
  }
};

// The first and the last of them in time; unset where there is none.
inline std::pair<std::optional<Stamp>, std::optional<Stamp>> span_of(std::span<const Stamp> frames) {
  if (frames.empty()) {
    return {};
  }
  const auto earlier = [](const Stamp& a, const Stamp& b) { return a.time_ns < b.time_ns; };
  const auto [first, last] = std::minmax_element(frames.begin(), frames.end(), earlier);
  return {*first, *last};
}

void tell_segment(auto& to, const rpcrdma::Segment& segment) {
  to.hex({"handle", "handle"}, segment.handle, 8);
  to.number({"length", "length"}, segment.length);
  to.hex({"offset", "offset"}, segment.offset, 16);
}

// When they were captured, and how many there are.
void tell_span(auto& to, std::span<const Stamp> frames, const Rpc& rpc) {
  const auto [first, last] = span_of(frames);
  to.duration({"first_us", "us", "From report: when the first of these bytes went by, since the Call."},
              std::optional(rpc.since_ns(first)));
  to.duration({"last_us", "us", "From report: when the last of them did."},
              std::optional(rpc.since_ns(last)));
  to.some(
      {"frames_in_all", "some", "From report: how many frames there are, where they are more than it lists."},
      frames.size() > Rpc::kMostFrames ? frames.size() : 0);
}

// "flow"
void tell_flow(auto& to, const flow::SegmentFlow& flow, const Rpc& rpc) {
  tell_segment(to, flow.target);
  to.number({"position", "position"},
            flow::for_reading(flow.kind) ? std::optional(flow.position) : std::nullopt);
  to.number({"moved", "count", "Distinct bytes that RDMA Reads or Writes carried."}, flow.moved().total());
  to.number({"ops", "count", "RDMA Read Requests or RDMA Writes, retransmissions not counted."}, flow.ops());
  std::span<const Stamp> frames = flow.frames();
  to.variant(rpc.reported(),
             [&] { to.part(!frames.empty() && rpc.exchange.call, [&] { tell_span(to, frames, rpc); }); });
  to.frames({"frames", "files", "Those that carried these bytes."},
            rpc.reported() ? frames.first(std::min(frames.size(), Rpc::kMostFrames)) : frames, rpc.home());
  to.number({"returned", "length", "The length that the Reply gives for it, in bytes."}, flow.returned);
  const bool result = flow.kind == flow::ChunkKind::result;
  to.truth({"after_reply", "", "Some of it moved after the Reply."}, flow.after_reply && !result);
  to.truth({"after_done", "", "Some of it was read after the RDMA_DONE."}, flow.after_reply && result);
}

// The frames of a Call and of its answer, when they came, and how long that took.
struct Legs {
  const std::optional<Stamp>&call, &reply;
};
void tell_legs(auto& to, const Legs& legs, std::string_view call, std::string_view reply,
               std::string_view reply_time) {
  to.frame({"call_frame", "call_file", call}, legs.call);
  to.frame({"reply_frame", "reply_file", reply}, legs.reply);
  const auto time_of = [](const std::optional<Stamp>& at) {
    return at ? std::optional(at->time_ns) : std::nullopt;
  };
  to.seconds({"call_time", "time", "Of call_frame.", kNotTraced}, time_of(legs.call));
  to.seconds({"reply_time", "time", reply_time, kNotTraced}, legs.call ? std::nullopt : time_of(legs.reply));
  to.microseconds(
      {"latency_us", R"("type": "number")",
       "Microseconds from call_frame to reply_frame. Negative where clocks differ or go back.", kNotTraced},
      legs.call && legs.reply ? std::optional(legs.reply->time_ns - legs.call->time_ns) : std::nullopt);
  to.needs("call_frame", {"call_time"});
  to.needs("latency_us", {"call_frame", "reply_frame"});
}

// Where its time went.
void tell_timing(auto& to, const flow::Timing& timing) {
  to.duration(
      {"delivered_us", "us",
       "From the Call's first frame to the copy of the Reply that the Requester accepted. The sum of phases.",
       kNotTraced},
      timing.delivered_ns);
  to.part(timing.delivered_ns.has_value(), [&] {
    to.object({"phases", "",
               "What delivered_us was spent on, in microseconds; a phase that did not occur is left out.",
               kNotTraced},
              [&] {
                static constexpr std::array<std::string_view, flow::kPhases> until = {
                    "Until the Responder had accepted the Call.",
                    "Until the first RDMA Read Request.",
                    "Until the last Read Response was accepted.",
                    "Until the first RDMA Write, or the Reply.",
                    "Until the last RDMA Write.",
                    "Until the Reply was first sent.",
                    "Until it was accepted."};
                int64_t end_ns = 0;
                for (size_t phase = 0; phase < flow::kPhases; ++phase) {
                  const int64_t begin_ns = end_ns;
                  end_ns += timing.phases_ns[phase];
                  to.stretch({flow::phase_names[phase], "us", until[phase]}, begin_ns, end_ns);
                }
              });
    to.duration({"recovery_us", "us",
                 "How much of delivered_us went by waiting for what was lost, or refused by an RNR NAK."},
                timing.recovery_ns != 0 ? std::optional(timing.recovery_ns) : std::nullopt);
    to.choice(
        {"waited_on", "",
         "What the largest part of the time was spent on; network: packets that were lost; data: moving "
         "them by RDMA."},
        timing.waited_on);
  });
  to.needs("delivered_us", {"phases", "waited_on"});
  to.needs("phases", {"delivered_us"});
  to.needs("recovery_us", {"delivered_us"});
  to.duration({"unanswered_us", "us", "How long there was no Reply, as far as the capture goes."},
              timing.unanswered_ns);
  to.duration({"at_credit_limit_us", "us",
               "For how long before the Call its Requester had as many Calls outstanding as it was granted."},
              timing.at_credit_limit_ns);
  to.number({"attempts", R"("type": "integer", "minimum": 2)",
             "How many times the Call was sent, this one included."},
            timing.attempts > 1 ? std::optional(timing.attempts) : std::nullopt);
  to.object_if({"retry_of", "", "The earlier Call that this one repeats."}, timing.retry_of.has_value(), [&] {
    const flow::EarlierCall earlier = timing.retry_of.value_or(flow::EarlierCall{});
    to.connection({"conn", "conn"}, earlier.connection);
    to.frame({"call_frame", "call_file"}, earlier.call);
  });
  to.duration({"total_us", "us", "From the first attempt's Call to the accepted Reply."}, timing.total_ns);
}

// Which file it was about, which part of that, and for whom.
void tell_file(auto& to, const flow::Subject& known) {
  to.text_if(
      {"file", kSomeText,
       "The file that it is about, as a path as far as the capture shows it, which begins with / where "
       "that is all of it. The name is the latest that LOOKUP, OPEN, CREATE, READDIR, MNT or RENAME gave "
       "its handle; left out where none did."},
      base::printable(known.file));
  to.number(
      {"offset", "count", "Of READ, WRITE, COMMIT and their like: where in the file it begins, in bytes."},
      known.offset);
  to.number({"count", "count", "And how many bytes it asks for."}, known.count);
  to.needs("offset", {"count"});
  to.needs("count", {"offset"});
  to.number({"user", "word", "The user id in the Call's AUTH_SYS credential."}, known.user);
}

void tell_subject(auto& to, const flow::Exchange& x) {
  to.part(x.procedure.has_value(), [&] {
    const auto [program, version, procedure] = x.procedure.value_or(flow::Exchange::Procedure{});
    to.number({"program", "word", "The number of the RPC program.", kNotTraced}, program);
    to.number({"version", "word", "The version of the program.", kNotTraced}, version);
    to.number({"procedure", "word", "The number of the procedure.", kNotTraced}, procedure);
    to.text({"name", "procedure_name"}, rpcrdma::name(program, version, procedure));
  });
  to.needs("program", {"version", "procedure", "name"});
  const flow::Subject& known = x.subject;
  to.text_if({"op", "op"}, known.op);
  to.texts_if({"ops", R"("type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1)",
               "All operations of a COMPOUND, in order."},
              known.ops);
  to.boolean({"ops_whole", R"("const": false)",
              "More operations may follow that were not captured or not understood.", kNotTraced},
             known.ops.empty() || known.ops_whole ? std::nullopt : std::optional(false));
  to.needs("ops_whole", {"ops"});
  tell_file(to, known);
  to.number({"args_length", "count", "Bytes of the RPC Call, chunks included."}, known.arguments_length);
  to.number({"results_length", "count", "Bytes of the RPC Reply, chunks included."}, known.results_length);
}

void tell_chunks(auto& to, const Rpc& rpc) {
  const auto& segments = rpc.exchange.segments;
  const auto of = [](flow::ChunkKind kind) {
    return [kind](const flow::SegmentFlow& flow) { return flow.kind == kind; };
  };
  const auto has = [&](flow::ChunkKind kind) {
    return std::any_of(segments.begin(), segments.end(), of(kind));
  };
  const auto tell = [&](const flow::SegmentFlow& flow) { tell_flow(to, flow, rpc); };
  using flow::ChunkKind;
  to.list({"reads", "flows", "Segments of the Call's Read list."}, segments, of(ChunkKind::read), tell);
  to.groups(
      {"writes", R"("type": "array", "items": {"$ref": "#/$defs/flows"})",
       "The Write list, a list of segments for each chunk."},
      segments, of(ChunkKind::write), [](const flow::SegmentFlow& flow) { return flow.chunk; }, tell);
  to.list_if({"reply_chunk", "flows", "Segments of the Reply chunk."}, has(ChunkKind::reply), segments,
             of(ChunkKind::reply), tell);
  to.list_if({"reply_reads", "flows", "Segments of the Reply's own Read list (RFC 5666)."},
             has(ChunkKind::result), segments, of(ChunkKind::result), tell);
}

// What it was answered, where that was no success.
void tell_answer(auto& to, const flow::Exchange& x) {
  to.text_if({"error", "error_code"}, x.error ? error_name(x) : std::string());
  const std::string refusal = refusal_name(x);
  to.text_if(
      {"rpc_status",
       R"("type": "string", "anyOf": [{"enum": ["PROG_UNAVAIL", "PROG_MISMATCH", "PROC_UNAVAIL", "GARBAGE_ARGS", )"
       R"("SYSTEM_ERR", "RPC_MISMATCH", "AUTH_ERROR"]}, {"pattern": "^(accept|reject|reply)_stat [0-9]+$"}])",
       "How the RPC Reply refused the request; left out where it accepted it."},
      refusal);
  to.number({"auth_stat", "word", "Why, of AUTH_ERROR.", kNotTraced},
            refusal == "AUTH_ERROR" ? std::optional(x.answer->auth_stat) : std::nullopt);
  to.needs("auth_stat", {"rpc_status"});
  to.text_if({"nfs_status", kSomeText, "The status of NFS by its name; left out where it is OK."},
             x.subject.nfs_status.value_or(0) != 0 ? x.subject.nfs_status_name : std::string());
}

// The frame with which all had arrived, where that is not that of the first copy.
inline std::optional<Stamp> later(const std::optional<Stamp>& first, const std::optional<Stamp>& accepted) {
  return first && accepted && *accepted != *first ? accepted : std::nullopt;
}

// What the Call asks for, and what the Reply grants.
void tell_credits(auto& to, const flow::Exchange& x) {
  to.number({"requested", "word", "From report: the credits that the Call asks for."},
            x.call_message.kept ? std::optional(x.call_message.header.credit) : std::nullopt);
  to.number({"granted", "word", "From report: the credits that the Reply grants."},
            x.reply_message.kept && !x.error ? std::optional(x.reply_message.header.credit) : std::nullopt);
}

void tell_slowdown(auto& to, const flow::Slowdown& slowdown) {
  to.some({"rnr_naks", "some",
           "On its connection, between Call and Reply: NAKs because the receiver had no buffer ready."},
          slowdown.rnr_naks);
  to.some({"zero_windows", "some", "The same: times that a TCP receiver had no room."},
          slowdown.zero_windows);
  to.some({"ecn_ce", "some", "The same: packets that the network marked as congested."}, slowdown.ecn_ce);
  to.some({"cnps", "some", "The same: congestion notification packets."}, slowdown.cnps);
  to.some(
      {"pauses", "some", "Pause frames that the capture has between Call and Reply, whoever they were for."},
      slowdown.pauses);
}

// What was sent again or refused on its connection, from the Call to the accepted Reply.
void tell_setbacks(auto& to, const Rpc& rpc) {
  static const stats::Setbacks::Some kNone;
  const flow::Exchange& x = rpc.exchange;
  const stats::Setbacks::Some& setbacks = rpc.reported() ? *rpc.setbacks : kNone;
  const int64_t begin_ns = x.connection == nullptr ? 0 : times_of(x).begin_ns;
  const auto since = [&](const Stamp& at) { return std::max<int64_t>(at.time_ns - begin_ns, 0); };
  const auto acknowledged = [&](const Member& m, const std::optional<Stamp>& at) {
    to.object_if(m, at.has_value(), [&] {
      to.frame({"frame", "file"}, at.value_or(Stamp()));
      to.duration({"us", "us", "When, since the Call's first frame."}, since(at.value_or(Stamp())));
    });
  };
  to.part(setbacks.all != 0, [&] {
    acknowledged({"call_acknowledged", "acknowledged",
                  "From report, where something was sent again or refused: the Responder's acknowledgment of "
                  "the Call."},
                 x.timeline.call_acknowledged);
    acknowledged({"reply_acknowledged", "acknowledged", "The same of the Reply and the Requester."},
                 x.timeline.reply_acknowledged);
    to.list_if(
        {"setbacks", R"("minItems": 1)",
         "From report: what was sent again or refused on its connection from the Call to the accepted Reply; "
         "of many the first and the last."},
        true, setbacks.told, [](const flow::Disturbance&) { return true; },
        [&](const flow::Disturbance& one) {
          to.frame({"frame", "file"}, one.at);
          to.duration({"us", "us", "When, since the Call's first frame."}, since(one.at));
          to.choice(
              {"what", "",
               "sent_again: the frame repeats something; the others: a receiver would not take what came."},
              one.kind);
          to.text({"by", R"("enum": ["requester", "responder"])", "Who sent the frame."},
                  one.from == x.requester ? "requester" : "responder");
        });
    to.some(
        {"setbacks_in_all", "some", "From report: how many there were, where they are more than it lists."},
        setbacks.all > setbacks.told.size() ? setbacks.all : 0);
  });
}

void tell(auto& to, const Rpc& rpc) {
  const flow::Exchange& x = rpc.exchange;
  to.connection({"conn", "conn"}, x.connection->number);
  to.hex({"xid", "xid"}, x.xid, 8);
  to.text({"direction", R"("enum": ["forward", "backward"])", "backward: the server called the client."},
          x.backward ? "backward" : "forward");
  tell_legs(to, {x.call, x.reply}, "The frame that completed the Call.",
            "The frame that completed the Reply's first copy.", "Of reply_frame, where there is no Call.");
  tell_timing(to, x.timing);
  tell_subject(to, x);
  to.choice({"status", "",
             "What there is: Call and Reply, a Call alone, a Reply alone, a Call that an error of the "
             "transport answered."},
            x.status);
  to.variant(rpc.reported(), [&] {
    to.frame({"call_accepted_frame", "call_accepted_file",
              "From report: the frame with which the Responder had all of the Call, where that is not "
              "call_frame: a copy of it, or of something before it."},
             later(x.call, x.timeline.call_accepted));
  });
  to.frame({"reply_accepted_frame", "reply_accepted_file",
            "The frame with which the Requester had all of the Reply, where that is not reply_frame: a copy "
            "of it, or of something before it."},
           later(x.reply, x.timeline.reply_accepted));
  to.variant(rpc.reported(), [&] {
    to.truth({"never_accepted", "", "From report: the Reply was sent again and again, and no copy arrived."},
             flow::never_accepted(x));
    tell_credits(to, x);
  });
  tell_chunks(to, rpc);
  to.frame({"done_frame", "done_file", "Of the RDMA_DONE that says these were read."}, x.done);
  to.hex({"invalidated", "handle", "What the Reply invalidated remotely."}, x.invalidated, 8);
  tell_answer(to, x);
  to.some({"repeats", "some", "Packets of this RPC that were sent again."}, x.retransmissions);
  to.some({"naks", "some", "NAKs about packets of this RPC."}, x.naks);
  tell_slowdown(to, x.slowdown);
  to.variant(rpc.reported(), [&] { tell_setbacks(to, rpc); });
  to.boolean({"complete", "", "False where the capture may hide something of this RPC.", kNotTraced},
             x.complete);
  to.choice_if({"incomplete_because", "", "Why complete is false."}, x.doubt);
}

}  // namespace steertag::report::record
