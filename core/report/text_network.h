// What stands out of a network and of the ends of a connection below RPC: receivers that are not ready,
// congestion, outages, reconnects, packets out of order or lost before the tap. Sentences without a full
// stop. For the text_*.cc of this folder alone.
#pragma once

#include <string>

#include "report/text.h"
#include "stats/judge.h"

namespace steertag::report {

// Precondition: the Remark is of such a kind.
std::string network_sentence(const stats::Remark& remark, const TextStyle& style);

}  // namespace steertag::report
