// in_shares(): what is reported of frames as JSON Lines, where so many Audits follow some of
// the hosts each, as the threads of the command do; with one share, an Audit that is fed.
// However many there are, it is the same text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "rules/audit.h"

namespace steertag::fuzz {

std::string in_shares(std::span<const Frame> frames, const Options& options, uint32_t shares);

}  // namespace steertag::fuzz
