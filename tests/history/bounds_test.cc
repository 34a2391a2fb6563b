// The bounds of what is remembered of answers: what is said one below, at and above.
#include <algorithm>
#include <catch2/catch.hpp>

#include "history/completions.h"

using namespace steertag;
using namespace steertag::history;

TEST_CASE("bounds: XIDs whose answers are remembered") {
  for (const size_t count : {Completions::kMaxKept - 1, Completions::kMaxKept, Completions::kMaxKept + 1}) {
    Completions completions;
    for (uint32_t xid = 1; xid <= count; ++xid) {
      Completions::Answered answered;
      answered.xid = xid;
      completions.note(answered);
    }
    CHECK((completions.find(1) != nullptr) == (count <= Completions::kMaxKept));
    CHECK(completions.find(2) != nullptr);
    CHECK(completions.find(static_cast<uint32_t>(count)) != nullptr);
  }
}

TEST_CASE("bounds: RDMA_DONEs that are owed, and that confirm nothing") {
  for (const size_t more : {0, 1, 2}) {
    Completions completions;
    const size_t owed = Completions::kMaxOwedDones - 1 + more;
    for (uint32_t xid = 1; xid <= owed; ++xid) {
      completions.note_reads(xid, {});
    }
    CHECK(completions.owed_dones().size() == std::min(owed, Completions::kMaxOwedDones));
    CHECK(completions.owed_dones().front().xid == (more < 2 ? 1 : 2));
    const size_t stray = Completions::kMaxStrayDones - 1 + more;
    for (uint32_t xid = 1; xid <= stray; ++xid) {
      completions.note_done(10000 + xid, {});
    }
    CHECK(completions.stray_dones().size() == std::min(stray, Completions::kMaxStrayDones));
    CHECK(completions.stray_dones().front().xid == 10001);
  }
}
