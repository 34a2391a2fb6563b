// The members of {"type":"sequence"}: how the sequence numbers of one end of a connection went on, for a
// chart of them. Each member is said once for all that print it or describe it (member.h).
// Times and numbers stand in lists of the same length, since there are many.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/names.h"
#include "report/record/member.h"
#include "timing/sequences.h"
#include "track/connection_number.h"

namespace steertag::report::record {

struct SequenceTrack {
  timing::Sequences::What what{};
  uint64_t all = 0;
  std::vector<uint64_t> us = {}, at = {}, packets = {};
};

struct Sequence {
  static constexpr std::string_view kType = "sequence";
  static constexpr std::string_view kSays =
      "How the sequence numbers of one end of a connection went on (from report): of the connections on "
      "which "
      "most was lost or sent again, and of the first.";

  track::ConnectionNumber number;
  std::string from = {}, to = {};
  std::optional<uint32_t> first = {};
  int64_t begin_ns = 0;
  std::vector<SequenceTrack> tracks = {};
};

void tell_track(auto& to, const SequenceTrack& told) {
  to.choice(
      {"what", "",
       "acknowledged: by the peer, all before it. late: seen for the first time, behind what follows it. "
       "lost: at its first copy, or where it was missed first. read_response, acknowledgment_lost, nak, "
       "rnr_nak: of the peer."},
      told.what);
  to.number({"all", "count",
             "How many there were. Where the lists are shorter they are thinned out evenly, and end with the "
             "last."},
            told.all);
  to.numbers({"us", "counts", "When, in microseconds since begin."}, told.us);
  to.numbers(
      {"at", "counts", "Where, counted from the lowest: packets by their PSN; iWARP: bytes of the stream."},
      told.at);
  to.numbers_if({"packets", "counts", "lost: how many packets, from there on."}, !told.packets.empty(),
                told.packets);
}

void tell(auto& to, const Sequence& told) {
  to.connection({"conn", "conn"}, told.number);
  to.text({"from", "address", "Whose numbers they are. RoCE: Read Responses have those of who asks."},
          told.from);
  to.text({"to", "address", "Its peer."}, told.to);
  to.number({"first", "word",
             "The PSN, or TCP sequence number, of the lowest. Absent where nothing was late or refused."},
            told.first);
  to.seconds({"begin", "time", "Of the earliest point."}, told.begin_ns);
  to.list({"tracks", R"("minItems": 1)", "Points of one kind each."}, told.tracks, kEvery,
          [&](const SequenceTrack& track) { tell_track(to, track); });
}

}  // namespace steertag::report::record
