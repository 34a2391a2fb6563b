// LossScribe: writes into the Notebook what was lost or sent again, as the engine finds it. That a packet is
// sent again is noted at once; whether, where and why it was lost, when that is over.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "event.h"
#include "notebook.h"

namespace steertag::plugin {

class LossScribe {
 public:
  explicit LossScribe(Notebook& book) : book_(book) {}

  // `on`: the connection, as the Notebook has it.
  void note(const flow::Disturbance& disturbance, const ConnectionNote* on);
  void note(const flow::Loss& loss, const ConnectionNote* on);

 private:
  RepeatNote& repeat(uint32_t frame, uint32_t original, const ConnectionNote* connection);

  Notebook& book_;
};

}  // namespace steertag::plugin
