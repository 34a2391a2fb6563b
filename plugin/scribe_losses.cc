// What was lost or sent again, as the engine finds it. That a packet is sent again is noted at once; whether,
// where and why it was lost, when that is over.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "scribe.h"

namespace steertag::plugin {

void Scribe::note(const DisturbanceSeen& seen) {
  const flow::Disturbance& what = seen.disturbance;
  if (what.kind == flow::Disturbance::Kind::sent_again && seen.connection.rpcrdma) {
    repeat(number(what.at), number(what.original), connection(seen.connection));
  }
}

void Scribe::note(const LossSeen& seen) {
  const flow::Loss& loss = seen.loss;
  const ConnectionNote* const on = connection(seen.connection);
  const bool data = loss.what == flow::Loss::What::data;
  const uint32_t sent = number(loss.sent);
  RepeatNote& again = repeat(number(loss.resent), data ? sent : 0, on);
  again.loss = again.loss ? again.loss : loss;
  if (sent == 0 || loss.packets == 0 || loss.where == flow::Loss::Where::receiver) {
    return;
  }
  for (const Note& note : book_.of_frame.of(sent)) {
    if (note.kind == Note::Kind::loss && book_.losses[note.index].connection == on) {
      return;  // lost again and again
    }
  }
  book_.losses.push_back({on, loss});
  book_.of_frame.add(sent, {Note::Kind::loss, static_cast<uint32_t>(book_.losses.size() - 1)});
}

// That of a frame; an iWARP segment, which may have several units, has one.
RepeatNote& Scribe::repeat(uint32_t frame, uint32_t original, const ConnectionNote* connection) {
  for (const Note& note : book_.of_frame.of(frame)) {
    if (note.kind == Note::Kind::repeat && book_.repeats[note.index].connection == connection) {
      return book_.repeats[note.index];
    }
  }
  book_.repeats.push_back({frame, original, connection, std::nullopt});
  const auto index = static_cast<uint32_t>(book_.repeats.size() - 1);
  book_.of_frame.add(frame, {Note::Kind::repeat, index});
  if (original != 0) {
    book_.of_frame.add(original, {Note::Kind::copied, index});
  }
  return book_.repeats.back();
}

}  // namespace steertag::plugin
