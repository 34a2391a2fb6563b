// What one RPC was about and where its time went, of an Exchange that is timed, for the Notebook. Called by
// the Scribe, once for each.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "flow/exchange.h"
#include "notebook.h"

namespace steertag::plugin {

void fill(RpcTimes& times, const flow::Exchange& exchange);
// Notes the frames that acknowledged its Call and its Reply; `times`: where its times are in the Notebook.
void note_acknowledged(Notebook& book, const flow::Exchange& exchange, size_t times);

}  // namespace steertag::plugin
