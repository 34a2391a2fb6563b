// SPDX-License-Identifier: GPL-2.0-or-later
#include "loss_scribe.h"

namespace steertag::plugin {

void LossScribe::note(const flow::Disturbance& disturbance, const ConnectionNote* on) {
  if (disturbance.kind == flow::Disturbance::Kind::sent_again) {
    repeat(number(disturbance.at), number(disturbance.original), on);
  }
}

void LossScribe::note(const flow::Loss& loss, const ConnectionNote* on) {
  const bool data = loss.what == flow::Loss::What::data;
  if (!loss.resent || loss.what == flow::Loss::What::setup) {
    return;  // it has no frame that is shown, but that of its RNR NAK
  }
  const uint32_t sent = number(loss.sent);
  RepeatNote& again = repeat(number(loss.resent), data ? sent : 0, on);
  again.loss = again.loss ? again.loss : loss;
  const bool in_vain =  // which copy of it was lost, is not known, nor whether one was
      loss.where == flow::Loss::Where::unknown && loss.noticed_by == flow::Loss::NoticedBy::read_retry;
  using Where = flow::Loss::Where;
  const bool elsewhere = loss.where == Where::receiver || loss.where == Where::before_tap;
  if (sent == 0 || loss.packets == 0 || elsewhere || in_vain) {
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
RepeatNote& LossScribe::repeat(uint32_t frame, uint32_t original, const ConnectionNote* connection) {
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
