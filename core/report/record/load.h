// The members of {"type":"load"}: how a connection fared, its credits, its round trips, what was lost and
// sent again, what the network said, how much went each way; each said once for all that print or describe
// them (member.h). Connections beyond the bound are one record together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "flow/timing.h"
#include "report/record/ends.h"
#include "report/record/stat.h"
#include "report/stats.h"
#include "stats/judge.h"
#include "stats/load.h"

namespace steertag::report::record {

struct Load {
  static constexpr std::string_view kType = "load";
  static constexpr std::string_view kSays = "How a connection fared (from stats).";

  const stats::Load& load;

  uint64_t both(uint64_t stats::EndLoad::*what) const { return load.client.*what + load.server.*what; }
  uint64_t both(uint64_t timing::Passage::*what) const {
    return load.client.passage.*what + load.server.passage.*what;
  }
};

// The credits of the client, and what its time was spent on.
void tell_credits(auto& to, const stats::Load& load) {
  const auto& credits = load.credits;
  to.number({"in_flight_max", "count", "The most Calls that the client had outstanding."},
            credits.in_flight_max != 0 ? std::optional(credits.in_flight_max) : std::nullopt);
  to.number({"granted_min", "word", "The fewest credits that the server granted."}, credits.granted_min);
  to.number({"granted_max", "word", "The most."}, credits.granted_max);
  to.some({"requested_max", "word", "The most credits that the client asked for."}, load.requested_max);
  to.number({"at_credit_limit_us", "us", "For how long all credits were in use."},
            credits.at_limit_ns ? std::optional(whole_us(*credits.at_limit_ns)) : std::nullopt);
  to.number({"busy_us", "us", "For how long at least one Call waited for its Reply."},
            whole_us(load.busy_ns));
  to.object(
      {"spent_us", "", "What the time of all RPCs together was spent on, callbacks apart, in microseconds."},
      [&] {
        for (size_t i = 0; i < flow::kWaitedOns; ++i) {
          to.number({flow::waited_on_names[i], "us"}, whole_us(static_cast<int64_t>(load.spent_ns[i])));
        }
      });
  to.needs("granted_min", {"granted_max"});
  to.needs("granted_max", {"granted_min"});
  to.needs("in_flight_max", {"busy_us", "spent_us"});
}

void tell_round_trips(auto& to, const stats::Load& load) {
  using rdma::Side;
  tell_of_ends(
      to, {"rtt_us", "", "The shortest round trip between the tap and each end, in microseconds."},
      end_names(load.roles_known ? std::optional(Side::a) : std::nullopt),
      [&](Side side) { return (side == Side::a ? load.client : load.server).rtt_ns; },
      [&](std::string_view name, const std::optional<int64_t>& rtt_ns) {
        to.number({name, "us"}, rtt_ns ? std::optional(whole_us(*rtt_ns)) : std::nullopt);
      });
}

// What went wrong between its ends.
void tell_network(auto& to, const Load& told) {
  const stats::Load& load = told.load;
  using End = stats::EndLoad;
  to.number({"retransmitted", "count", "Packets or segments that were sent again."},
            told.both(&End::retransmitted));
  to.number({"naks", "count", "Negative acknowledgments, without those for receivers that are not ready."},
            told.both(&End::naks));
  to.number({"rnr_naks", "count", "Negative acknowledgments because the receiver had no buffer ready."},
            told.both(&End::rnr_naks));
  to.some({"zero_windows", "some", "How many times an end closed its TCP window."},
          told.both(&End::zero_windows));
  to.number({"cnps", "count", "Congestion notification packets."}, told.both(&End::cnps));
  to.number({"ecn_ce", "count", "Packets that the network marked as having met congestion."},
            told.both(&End::ecn_ce));
  to.some({"pauses", "some", "Pause frames that the capture has while the connection lasts."}, load.pauses);
  to.some({"congested_rpcs", "some",
           "RPCs that met congestion marks or CNPs, or that pause frames kept waiting for half of their time "
           "or more."},
          load.congested);
  to.some({"reordered", "some", "Packets that others had overtaken."},
          told.both(&timing::Passage::reordered));
  to.some({"lost_before_tap", "some", "Packets that were sent again and of which the tap saw no first copy."},
          told.both(&timing::Passage::unseen));
  const End* cut_off = load.cut_off();
  to.some({"outage_us", "us", "The longest time in which what an end sent again and again did not arrive."},
          cut_off != nullptr ? whole_us(cut_off->outage.length_ns) : 0);
  to.some({"taken_over", "some", "Calls that were first sent on an earlier connection."}, load.taken_over);
}

void tell(auto& to, const Load& told) {
  const stats::Load& load = told.load;
  const bool one = load.number != 0;
  to.part(one, [&] {
    to.connection({"conn", "conn"}, load.number);
    to.part(load.roles_known, [&] { tell_credits(to, load); });
    tell_round_trips(to, load);
  });
  to.truth({"rest", "", "All connections beyond those that are kept."}, !one);
  to.part(!one, [&] { to.number({"connections", "some", "How many these are."}, load.connections); });
  tell_network(to, told);
  to.part(load.roles_known, [&] {
    to.number({"bytes_to_server", "count", "Bytes of RPC messages, inline and by RDMA, each once."},
              load.client.bytes);
    to.number({"bytes_to_client", "count", "The same in the other direction."}, load.server.bytes);
  });
  to.needs("bytes_to_server", {"bytes_to_client"});
  to.rule(R"("oneOf": [{"properties": {"conn": true}, "required": ["conn"]}, )"
          R"({"properties": {"rest": true, "connections": true}, "required": ["rest", "connections"]}])");
}

// The members of {"type":"note"}: what stands out in the statistics, what it is about, where to look, and the
// sentence for people; each said once for all that print or describe them (member.h). The sentence is made
// before: it needs a topic, which a note that is only described has not.
struct Note {
  static constexpr std::string_view kType = "note";
  static constexpr std::string_view kSays =
      "Something that stands out in the statistics (from stats), the dearest first.";

  const stats::Remark& remark;
  std::string message;  // in words (text_stats.h)
};

void tell_dear(auto& to, const stats::Remark::Dear& dear, stats::Standout kind) {
  const uint64_t us = whole_us(dear.evidence.weight);
  const bool lost = kind == stats::Standout::loss;
  to.frame({"frame", "file", "Of its Call."}, dear.evidence.at);
  to.number({"recovery_us", "us", "For how long it waited for lost packets."},
            lost ? std::optional(us) : std::nullopt);
  to.number({"delivered_us", "us", "How long it took in all."}, lost ? std::nullopt : std::optional(us));
}

void tell(auto& to, const Note& told) {
  static const stats::Operation kNone;
  const stats::Remark& remark = told.remark;
  to.choice({"kind", "", "What it is about."}, remark.kind);
  const track::ConnectionNumber number =
      remark.load != nullptr ? remark.load->number : track::ConnectionNumber();
  to.part(number != 0, [&] { to.connection({"conn", "conn"}, number); });
  const stats::Operation& operation = remark.topic != nullptr ? remark.topic->operation : kNone;
  to.part(operation.known(), [&] { tell_operation(to, operation); });
  to.frame({"frame", "file", "Where to look."},
           remark.evidence.any() ? std::optional(remark.evidence.at) : std::nullopt);
  to.list_if(
      {"dearest", R"("minItems": 1)",
       "The RPCs that it cost most, the dearest first: the frame of the Call, and what it cost."},
      !remark.dearest.empty(), remark.dearest, [](const stats::Remark::Dear&) { return true; },
      [&](const stats::Remark::Dear& dear) { tell_dear(to, dear, remark.kind); });
  to.text({"message", "prose"}, told.message);
}

}  // namespace steertag::report::record
