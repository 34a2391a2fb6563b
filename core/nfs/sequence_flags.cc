#include "nfs/sequence_flags.h"

#include <array>
#include <string_view>

#include "nfs/nfs4.h"

namespace steertag::nfs {
namespace {

constexpr std::array kNames = std::to_array<std::string_view>(
    {"CB_PATH_DOWN", "CB_GSS_CONTEXTS_EXPIRING", "CB_GSS_CONTEXTS_EXPIRED", "EXPIRED_ALL_STATE_REVOKED",
     "EXPIRED_SOME_STATE_REVOKED", "ADMIN_STATE_REVOKED", "RECALLABLE_STATE_REVOKED", "LEASE_MOVED",
     "RESTART_RECLAIM_NEEDED", "CB_PATH_DOWN_SESSION", "BACKCHANNEL_FAULT", "DEVID_CHANGED",
     "DEVID_DELETED"});

// sessionid, sequenceid, slotid, highest_slotid, target_highest_slotid.
constexpr uint64_t kBeforeFlags = 16 + 4 * 4;

}  // namespace

std::string sequence_flags_text(uint32_t flags) {
  std::string text;
  for (uint32_t bit = 0; bit < 32; ++bit) {
    if ((flags >> bit & 1) != 0) {
      text += text.empty() ? "" : ", ";
      text += bit < kNames.size() ? std::string(kNames[bit]) : "bit " + std::to_string(bit);
    }
  }
  return text;
}

std::optional<uint32_t> sequence_flags(Cursor& at) {
  at.opaque();  // the tag
  const uint32_t results = at.word(), operation = at.word(), status = at.word();
  if (at.stopped() || results == 0 || operation != op_sequence || status != 0) {
    return std::nullopt;
  }
  at.skip(kBeforeFlags);
  const uint32_t flags = at.word();
  return at.stopped() ? std::nullopt : std::optional(flags);
}

}  // namespace steertag::nfs
