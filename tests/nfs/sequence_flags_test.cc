// What SEQUENCE says of the session: found in the results of a COMPOUND that begin with it, and nowhere else;
// and what its bits are called.
#include "nfs/sequence_flags.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <initializer_list>
#include <vector>

namespace steertag::nfs {
namespace {

// The words of a COMPOUND's results, behind its status: an empty tag, how many, the first of them.
std::optional<uint32_t> flags_in(std::initializer_list<uint32_t> words, size_t bytes = SIZE_MAX) {
  std::vector<uint8_t> raw;
  for (const uint32_t word : words) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      raw.push_back(static_cast<uint8_t>(word >> shift));
    }
  }
  raw.resize(std::min(raw.size(), bytes));
  const base::Stretch whole{.data = raw, .held = nullptr, .length = raw.size(), .at = 0};
  const Stream stream({&whole, 1}, raw.size());
  Walk walk;
  Cursor at(stream, 0, walk);
  return sequence_flags(at);
}

TEST_CASE("the flags of a SEQUENCE that succeeded") {
  CHECK(flags_in({0, 2, 53, 0, 1, 2, 3, 4, 7, 0, 0, 0, 0x401}) == 0x401);
  CHECK(flags_in({0, 1, 53, 0, 1, 2, 3, 4, 7, 0, 0, 0, 0}) == 0);
  CHECK(flags_in({4, 0x61626364, 1, 53, 0, 1, 2, 3, 4, 7, 0, 0, 0, 9}) == 9);  // with a tag
}

TEST_CASE("none where there is no such result") {
  CHECK_FALSE(flags_in({0, 2, 22, 0, 1, 2, 3, 4, 7, 0, 0, 0, 0x401}));          // PUTFH
  CHECK_FALSE(flags_in({0, 1, 53, 10052, 1, 2, 3, 4, 7, 0, 0, 0, 0x401}));      // BADSESSION
  CHECK_FALSE(flags_in({0, 0, 53, 0, 1, 2, 3, 4, 7, 0, 0, 0, 0x401}));          // no results
  CHECK_FALSE(flags_in({0, 2, 53, 0, 1, 2, 3, 4, 7, 0, 0, 0, 0x401}, 4 * 12));  // cut in front of them
}

TEST_CASE("names of the flags") {
  CHECK(sequence_flags_text(0x401) == "CB_PATH_DOWN, BACKCHANNEL_FAULT");
  CHECK(sequence_flags_text(0x80001000) == "DEVID_DELETED, bit 31");
  CHECK(sequence_flags_text(0).empty());
  CHECK(sequence_flags_text(kSessionTrouble) ==
        "CB_PATH_DOWN, CB_GSS_CONTEXTS_EXPIRED, EXPIRED_ALL_STATE_REVOKED, EXPIRED_SOME_STATE_REVOKED, "
        "ADMIN_STATE_REVOKED, RECALLABLE_STATE_REVOKED, CB_PATH_DOWN_SESSION, BACKCHANNEL_FAULT");
}

}  // namespace
}  // namespace steertag::nfs
