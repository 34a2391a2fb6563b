// The members of {"type":"loss"}: packets that were lost together, or sent again without need.
// Each member is said once for all that print it or describe it (member.h).
// CSV has them, too, but for the list of RPCs.
#pragma once

#include <string_view>

#include "loss/ledger.h"
#include "report/names.h"
#include "report/record/member.h"

namespace steertag::report::record {

struct Loss {
  static constexpr std::string_view kType = "loss";
  static constexpr std::string_view kSays =
      "Packets of one kind that were lost together, or sent again without need (from losses): in order of "
      "the "
      "first sign of it.";

  const loss::Entry& entry;
};

template <typename To>
void tell_waiting(To& to, const loss::WaitingRpc& rpc) {
  to.connection({"conn", "conn"}, rpc.connection);
  to.hex({"xid", "xid"}, rpc.xid, 8);
}

template <typename To>
void tell(To& to, const Loss& told) {
  const loss::Entry& entry = told.entry;
  const flow::Loss& loss = entry.loss;
  to.connection({"conn", "conn"}, entry.connection);
  to.text({"from", "address", "Who sent what was lost."}, entry.from.text());
  to.text({"to", "address", "Who did not get it."}, entry.to.text());
  to.choice(
      {"what", "",
       "ack: the tap saw the acknowledgment of what was then sent again; setup: a REQ of the CM, or a SYN, "
       "was sent again before the connection came up (packets is 0 where the tap had seen its answer)."},
      loss.what);
  to.number({"first", "word", "PSN, or TCP sequence number, of the first packet."}, loss.first);
  to.number({"packets", "count",
             "How many packets were lost, at least: a RoCE receiver discards what follows a lost packet. 0: "
             "none, for all that the capture shows."},
            loss.packets);
  to.number({"bytes", "count", "Bytes of their payload."}, loss.bytes);
  to.seconds({"time", "time", "When its first copy was sent, or when the hole was first seen."},
             loss.since.time_ns);
  to.frame({"sent_frame", "sent_file", "The first copy. Absent: no tap saw it, or it is forgotten."},
           loss.sent);
  to.choice({"noticed_by", "",
             "What told the sender. timeout: nothing that the capture shows. "
             "Absent: it has one direction."},
            loss.noticed_by);
  to.frame({"noticed_frame", "noticed_file",
            "The NAK, the repeated Read Request or acknowledgment; timeout: a NAK that had no effect."},
           loss.noticed);
  to.duration(
      {"timer_us", "us",
       "timeout, read_retry: for how long the sender had been idle; rnr_nak: what the receiver asks for."},
      loss.timer_ns);
  to.frame(
      {"resent_frame", "resent_file",
       "The first that was sent again. Absent: an RNR NAK refused it, and the capture shows no more of it."},
      loss.resent);
  to.some({"resent_packets", "some",
           "How many packets were sent again because of it, those without need among them."},
          loss.resent_packets);
  to.duration({"delay_us", "us",
               "From the first copy, or the first sign of the loss, to the copy that was accepted."},
              loss.delay_ns());
  to.some({"waiting", "some", "How many RPCs waited meanwhile, 64 at most."}, entry.rpcs.size());
  to.list_if({"rpcs", R"("minItems": 1)", "Those RPCs."}, !entry.rpcs.empty(), entry.rpcs, kEvery,
             [&](const loss::WaitingRpc& rpc) { tell_waiting(to, rpc); });
  to.choice({"where", "",
             "before_tap: no tap saw the copy that was lost, and what follows it was seen; after_tap: a copy "
             "was seen that did not arrive; receiver: it arrived, and was refused."},
            loss.where);
}

}  // namespace steertag::report::record
