// The bounds of one direction of an iWARP connection: one below, at and above.
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "rdma/iwarp/reads.h"
#include "rdma/iwarp/resync.h"
#include "rdma/iwarp/segment_copies.h"

using namespace steertag;
using namespace steertag::rdma::iwarp;

namespace {

struct Kept {
  size_t bytes = 0, pieces = 0;
  friend bool operator==(const Kept&, const Kept&) = default;
};

// Bytes in which there is no FPDU, and what a Resync keeps of them.
struct Search {
  Resync resync;
  Resync::Hints hints;
  uint64_t offset = 0;
  std::vector<uint8_t> content;

  Kept add(size_t length) {
    content.resize(std::max(content.size(), length));
    link::StreamBytes bytes;
    bytes.offset = offset;
    bytes.captured = Bytes(content).first(length);
    bytes.length = static_cast<uint32_t>(length);
    bytes.segment_start = true;
    offset += length;
    CHECK_FALSE(resync.on_bytes(bytes, hints));
    Kept kept;
    resync.replay(0, [&](const link::StreamBytes& piece) {
      kept.bytes += piece.captured.size();
      ++kept.pieces;
    });
    return kept;
  }
};

}  // namespace

TEST_CASE("bounds: bytes that are searched for an FPDU boundary") {
  Search search;
  constexpr size_t kEach = kMaxWindow / 16;
  for (size_t i = 1; i < 16; ++i) {
    search.add(kEach);
  }
  CHECK(search.add(kEach - 1) == Kept{kMaxWindow - 1, 16});
  const size_t memory = search.resync.bytes();
  SECTION("at the bound") {
    CHECK(search.add(1) == Kept{kMaxWindow, 17});
  }
  SECTION("above, the older half gives way") {
    CHECK(search.add(2) == Kept{8 * kEach + 1, 9});
    for (int i = 0; i < 200; ++i) {
      CHECK(search.add(kEach).bytes <= kMaxWindow);
    }
    CHECK(search.resync.bytes() <= 2 * memory);
  }
  SECTION("a segment larger than the window") {
    CHECK(search.add(2 * kMaxWindow).bytes <= kMaxWindow);
  }
}

TEST_CASE("what a search holds counts as memory, with markers their copy without, too") {
  Search without, with;
  with.hints.markers.in_use = true;
  for (Search* search : {&without, &with}) {
    CHECK(search->resync.bytes() == 0);
    search->content = {0, 100};  // as the length of an FPDU would be
    search->add(4000);
    search->add(4000);
    CHECK(search->resync.bytes() >= 8000);
  }
  CHECK(with.resync.bytes() > without.resync.bytes());
  with.resync.release();
  CHECK(with.resync.bytes() == 0);
}

TEST_CASE("bounds: pieces that are searched for an FPDU boundary") {
  Search search;
  std::vector<uint8_t> zero(1);
  for (size_t i = 1; i < kMaxWindowPieces; ++i) {
    search.resync.on_bytes({search.offset++, zero, 1, true, {}}, {});
  }
  CHECK(search.add(1) == Kept{kMaxWindowPieces, kMaxWindowPieces});
  CHECK(search.add(1) == Kept{kMaxWindowPieces / 2 + 1, kMaxWindowPieces / 2 + 1});
}

TEST_CASE("bounds: TCP segments that a retransmission is compared with") {
  for (const size_t count :
       {SegmentCopies::kMaxCopies - 1, SegmentCopies::kMaxCopies, SegmentCopies::kMaxCopies + 1}) {
    SegmentCopies copies;
    for (uint64_t i = 0; i < count; ++i) {
      copies.add({10 * i, 10, 10, static_cast<uint32_t>(i), {}}, 0);
    }
    size_t found = 0;
    for (uint64_t i = 0; i < count; ++i) {
      const auto twice = copies.add_again({10 * i, 10, 10, 9999, {}}, 0);
      found += twice && twice->first.hash == i ? 1 : 0;
    }
    CHECK(found == std::min(count, SegmentCopies::kMaxCopies));
    CHECK(copies.find(10 * (count - 1), 10) != nullptr);
  }
}

TEST_CASE("TCP segments that are compared with: half of one, sent again, is forgotten with the copies") {
  const auto both_halves = [](bool forgotten) {
    SegmentCopies copies;
    copies.add({0, 20, 20, 1, {}}, 0);
    CHECK_FALSE(copies.add_again({0, 10, 10, 2, {}}, 0));
    if (forgotten) {
      copies.release();
      copies.add({0, 20, 20, 1, {}}, 0);
    }
    return copies.add_again({10, 10, 10, 3, {}}, 0).has_value();
  };
  CHECK(both_halves(false));
  CHECK_FALSE(both_halves(true));
}

TEST_CASE("bounds: RDMA Reads of iWARP that Responses are tied to") {
  for (const size_t count : {Reads::kMaxReads - 1, Reads::kMaxReads, Reads::kMaxReads + 1}) {
    Reads reads;
    size_t forgotten = 0;
    for (uint32_t i = 0; i < count; ++i) {
      OutstandingRead read;
      read.sink_stag = i;
      read.source.length = 100;
      forgotten += reads.push(read) == Reads::Room::oldest_forgotten ? 1 : 0;
    }
    CHECK(forgotten == count - std::min(count, Reads::kMaxReads));
    CHECK(reads.size() == std::min(count, Reads::kMaxReads));
    CHECK((reads.find(0, 0, 1) != reads.size()) == (forgotten == 0));
    CHECK(reads.find(static_cast<uint32_t>(count - 1), 0, 1) == reads.size() - 1);
  }
}
