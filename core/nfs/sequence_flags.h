// What a server says of a session in each Reply: sr_status_flags of SEQUENCE (RFC 8881 §18.46.3): that it
// cannot call back, that state was revoked. The bits by their names, and which of them are trouble for the
// client: not those of a server that asks for what comes of its restart or of a migration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nfs/cursor.h"

namespace steertag::nfs {

// The bits that mean that state is lost, or cannot be recalled.
inline constexpr uint32_t kSessionTrouble = 0x0000067D;

// "CB_PATH_DOWN, BACKCHANNEL_FAULT"; those without a name as a number.
std::string sequence_flags_text(uint32_t flags);

// `at`: behind the status of a COMPOUND's results. Unset where these do not begin with that of a SEQUENCE
// that succeeded, or were not captured.
std::optional<uint32_t> sequence_flags(Cursor& at);

}  // namespace steertag::nfs
