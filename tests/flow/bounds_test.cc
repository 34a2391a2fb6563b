// The bounds of one connection's messages and RPCs: what is said one below, at and above, and that
// nothing else changes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "connection_fixture.h"
#include "flow/assembler.h"
#include "flow/claim.h"
#include "flow/completions.h"
#include "flow/exchange_fill.h"
#include "flow/slots.h"
#include "flow/traffic.h"

using namespace steertag;
using namespace steertag::flow;
using rdma::OpKind;

namespace {

// Remembers whether the latest Access was to memory of an end that may have advertised more than is known.
struct BoundedConnection : ConnectionFixture {
  bool unsure = false;
  void on_access(const Access& access) override {
    unsure = access.unsure;
    ConnectionFixture::on_access(access);
  }
  void answer(uint32_t xid) {
    make(xid).reply();
    exchanges.departures().flush(INT64_MAX);
  }
};

// A Send in pieces of so many bytes.
struct Pieces {
  base::Budget budget;
  Assembler assembler{budget};
  std::vector<uint8_t> zeros;
  Stamp at;

  std::optional<Send> send(const std::vector<size_t>& lengths) {
    zeros.resize(std::max(zeros.size(), *std::max_element(lengths.begin(), lengths.end())));
    std::optional<Send> whole;
    uint32_t offset = 0;
    for (size_t i = 0; i < lengths.size(); ++i) {
      ++at.number;
      rdma::RdmaOp piece;
      piece.id = 1;
      piece.first = i == 0;
      piece.last = i + 1 == lengths.size();
      piece.message_offset = offset;
      piece.payload = Bytes(zeros).first(lengths[i]);
      piece.payload_length = static_cast<uint32_t>(lengths[i]);
      piece.frames = {&at, 1};
      offset += piece.payload_length;
      whole = assembler.add(piece);
    }
    return whole;
  }
};

}  // namespace

TEST_CASE_METHOD(Pieces, "bounds: bytes of one Send") {
  for (const size_t length : {Assembler::kMaxBytes - 1, Assembler::kMaxBytes, Assembler::kMaxBytes + 1}) {
    for (const std::vector<size_t>& pieces :
         {std::vector<size_t>{length},
          {length - 1, 1},
          {Assembler::kMaxBytes / 2, length - Assembler::kMaxBytes / 2}}) {
      const std::optional<Send> whole = send(pieces);
      REQUIRE(whole);
      CHECK(whole->length == length);  // that of the wire
      CHECK(whole->bytes.size() == std::min(length, Assembler::kMaxBytes));
      CHECK(whole->frames.size() == pieces.size());
    }
  }
  const std::optional<Send> next = send({10, 10});
  REQUIRE(next);
  CHECK(next->bytes.size() == 20);
}

TEST_CASE_METHOD(Pieces, "bounds: frames of one Send") {
  for (const size_t frames : {Assembler::kMaxFrames - 1, Assembler::kMaxFrames, Assembler::kMaxFrames + 1}) {
    const std::optional<Send> whole = send(std::vector<size_t>(frames, 1));
    REQUIRE(whole);
    CHECK(whole->length == frames);
    CHECK(whole->frames.size() == std::min(frames, Assembler::kMaxFrames));
  }
}

TEST_CASE("bounds: messages that wait until a connection is believed") {
  const auto waiting = [](size_t messages, size_t bytes) {
    base::Budget budget;
    Claim claim(budget);
    const std::vector<uint8_t> zeros(bytes);
    const Stamp at;
    for (size_t i = 0; i < messages; ++i) {
      claim.wait({Side::a, zeros, static_cast<uint32_t>(bytes), {&at, 1}, {}}, Direction::call);
    }
    const std::vector<Claim::Waiting> waited = claim.take_waiting();
    CHECK(waited.back().number == messages - 1);  // the oldest gave way
    CHECK(budget.held() == 0);
    return waited.size();
  };
  CHECK(waiting(Claim::kMaxWaiting - 1, 1) == Claim::kMaxWaiting - 1);
  CHECK(waiting(Claim::kMaxWaiting, 1) == Claim::kMaxWaiting);
  CHECK(waiting(Claim::kMaxWaiting + 1, 1) == Claim::kMaxWaiting);
  constexpr size_t kEach = Claim::kMaxBytes / 16;
  CHECK(waiting(16, kEach - 1) == 16);
  CHECK(waiting(16, kEach) == 16);
  CHECK(waiting(16, kEach + 1) == 15);
  CHECK(waiting(3, 2 * Claim::kMaxBytes) == 1);
}

TEST_CASE("bounds: incidents that wait until a connection is believed") {
  for (const size_t count : {Claim::kMaxIncidents - 1, Claim::kMaxIncidents, Claim::kMaxIncidents + 1}) {
    base::Budget budget;
    Claim claim(budget);
    for (size_t i = 0; i < count; ++i) {
      rdma::Anomaly anomaly;
      anomaly.at.number = i;
      claim.wait(Incident{.what = anomaly});
    }
    const std::vector<Claim::WaitingIncident> waited = claim.take_incidents();
    CHECK(waited.size() == std::min(count, Claim::kMaxIncidents));
    CHECK(waited.front().incident.at().number == 0);
  }
}

TEST_CASE_METHOD(BoundedConnection, "bounds: segments that one Exchange follows") {
  constexpr uint32_t kMost = kMaxSegments;
  for (const uint32_t count : {kMost - 1, kMost, kMost + 1}) {
    make(count);
    for (uint32_t i = 0; i < count; ++i) {
      write(count + i, 0, 100);
    }
    call();
    CHECK(open(count).segments.size() == std::min(count, kMost));
    write_to(count, 0, 100);
    CHECK(take() == "fine " + std::to_string(count) + ", place " + std::to_string(count) + ":0 0+100");
    const bool all = count <= kMost;
    CHECK(unsure == !all);
    answer(count);
    CHECK(reported.back().complete == all);
    CHECK((reported.back().doubt == Doubt::header_cut) == !all);
    take();
  }
  // What is written to the one beyond the bound was advertised, for all that is known.
  write_to(2 * kMost + 1, 0, 100);
  CHECK(take().starts_with("never"));
  CHECK(unsure);
}

TEST_CASE_METHOD(BoundedConnection, "bounds: segments under one handle") {
  constexpr uint32_t kEach = 1024;
  static_assert(SegmentIndex::kMaxUnderHandle % kEach == 0);
  uint64_t offset = 0;
  uint32_t xid = 0;
  const auto advertise = [&](uint32_t segments) {
    make(++xid);
    for (uint32_t i = 0; i < segments; ++i, offset += 10) {
      write(7, offset, 10);
    }
    call();
  };
  while (offset / 10 + kEach < SegmentIndex::kMaxUnderHandle) {
    advertise(kEach);
  }
  advertise(kEach - 1);
  advertise(1);
  write_to(7, offset - 10, 10);
  CHECK(take().starts_with("fine " + std::to_string(xid)));
  CHECK_FALSE(unsure);
  advertise(1);
  write_to(7, offset - 10, 10);
  CHECK(take().find("fine") == std::string::npos);
  CHECK(unsure);
  write_to(7, 0, 10);
  CHECK(take() == "fine 1, place 1:0 0+10");
  answer(xid);
  CHECK(reported.back().doubt == Doubt::header_cut);
  answer(1);
  CHECK(reported.back().complete);
}

TEST_CASE("bounds: segments of one side") {
  SegmentIndex index;
  for (size_t i = 0; i < SegmentIndex::kMaxPlaces; ++i) {
    const auto handle = static_cast<uint32_t>(i / SegmentIndex::kMaxUnderHandle);
    const auto room =
        i % SegmentIndex::kMaxUnderHandle == 0 ? SegmentIndex::Room::first : SegmentIndex::Room::more;
    if (index.reserve(handle) != room) {
      FAIL("no room for place " << i);
    }
  }
  CHECK(index.reserve(0xFFFF) == SegmentIndex::Room::full);
  CHECK(index.reserve(0) == SegmentIndex::Room::full);
}

TEST_CASE_METHOD(BoundedConnection, "bounds: Exchanges that linger after their Reply") {
  for (uint32_t xid = 1; xid <= Lingering::kMaxClosing; ++xid) {
    make(xid).call();
    make(xid).reply();
  }
  CHECK(take().empty());
  make(5000).call();
  make(5000).reply();
  CHECK(take() == "rpc 1");
  CHECK(reported.back().complete);
  exchanges.departures().flush(INT64_MAX);
  CHECK(reported.size() == Lingering::kMaxClosing + 1);
}

TEST_CASE_METHOD(BoundedConnection, "bounds: Exchanges that owe an RDMA_DONE, and for how long") {
  make(1).read(7, 0, 100, 0).reply();
  const int64_t replied_ns = now.time_ns;
  for (uint32_t xid = 2; xid <= Lingering::kMaxOwing; ++xid) {
    make(xid).read(7, 0, 100, 0).reply();
  }
  exchanges.departures().flush(replied_ns + Lingering::kDonePatienceNs - 1);
  CHECK(take().empty());
  SECTION("one more") {
    make(9999).read(7, 0, 100, 0).reply();
    CHECK(take() == "rpc 1");
  }
  SECTION("long enough") {
    exchanges.departures().flush(replied_ns + Lingering::kDonePatienceNs);
    CHECK(take() == "rpc 1");
  }
}

TEST_CASE_METHOD(BoundedConnection, "bounds: RDMA Reads whose Call is remembered for their Responses") {
  for (const size_t others :
       {Operations::kReadsKept - 2, Operations::kReadsKept - 1, Operations::kReadsKept}) {
    const auto base = static_cast<uint32_t>(10 * others);
    make(base).read(7, 0, 100).call();
    const uint64_t id = rdma(OpKind::read_request, server, {7, 0, 100});
    make(base + 1).read(7, 0, 100).call();  // the same memory
    make(base + 2).write(8, 0, 100).call();
    for (size_t i = 0; i < others; ++i) {
      write_to(8, 0, 10);  // what is sent in between takes no place
      rdma(OpKind::read_request, server, {7, 0, 100});
    }
    take();
    rdma(OpKind::read_response, client, {7, 0, 100}, id);
    const uint32_t xid = others < Operations::kReadsKept ? base : base + 1;
    CHECK(take() == "place " + std::to_string(xid) + ":0 0+100");
    for (uint32_t i = 0; i < 3; ++i) {
      answer(base + i);
    }
  }
}

TEST_CASE("bounds: Exchanges kept for reuse") {
  const auto kept = [](size_t count) {
    base::Budget budget;
    SlotPool pool(budget);
    std::vector<Slot*> taken;
    for (size_t i = 0; i < count; ++i) {
      taken.push_back(pool.take());
      pool.recharge(*taken.back());
    }
    const size_t each = budget.held() / count;
    for (Slot* slot : taken) {
      pool.give_back(slot);
    }
    return budget.held() / each;
  };
  for (const size_t count : {SlotPool::kMaxSpare - 1, SlotPool::kMaxSpare, SlotPool::kMaxSpare + 1}) {
    CHECK(kept(count) == std::min(count, SlotPool::kMaxSpare));
  }
}

TEST_CASE("bounds: memory with what RDMA carried, kept for reuse") {
  constexpr size_t kEach = 64 << 10;
  const auto kept = [](size_t last) {
    base::Budget budget;
    TrafficPool pool(budget);
    std::vector<TrafficRef> taken;
    for (size_t i = 0; i < TrafficPool::kMaxSpareBytes / kEach; ++i) {
      Traffic with;
      with.data.reserve((i == 0 ? last : kEach) - Traffic{}.bytes());
      taken.push_back(pool.make(std::move(with)));
    }
    std::reverse(taken.begin(), taken.end());
    while (!taken.empty()) {
      taken.erase(taken.begin());  // the odd one last
    }
    return budget.held();
  };
  CHECK(kept(kEach - 1) == TrafficPool::kMaxSpareBytes - 1);
  CHECK(kept(kEach) == TrafficPool::kMaxSpareBytes);
  CHECK(kept(kEach + 1) == TrafficPool::kMaxSpareBytes - kEach);
}

TEST_CASE("bounds: frames listed for one segment") {
  for (const size_t count : {Traffic::kMaxFrames - 1, Traffic::kMaxFrames, Traffic::kMaxFrames + 1}) {
    Traffic traffic;
    for (uint32_t i = 0; i < count; ++i) {
      const Stamp at{.number = i};
      rdma::RdmaOp op;
      op.kind = OpKind::write;
      op.id = 1;
      op.frames = {&at, 1};
      traffic.add(op, {i, 0, 1}, 0);
    }
    CHECK(traffic.frames.size() == std::min(count, Traffic::kMaxFrames));
    CHECK(traffic.moved.total() == count);
    CHECK(traffic.ops == 1);
  }
}

TEST_CASE("bounds: payload that is kept of one segment") {
  constexpr uint32_t payload_limit = 1024;
  const std::vector<uint8_t> zeros(2 * payload_limit);
  const auto kept = [&](const std::vector<uint32_t>& lengths) {
    Traffic traffic;
    const Stamp at;
    uint64_t offset = 0;
    for (const uint32_t length : lengths) {
      rdma::RdmaOp op;
      op.kind = OpKind::write;
      op.payload = Bytes(zeros).first(length);
      op.frames = {&at, 1};
      traffic.add(op, {offset, 0, length}, payload_limit);
      offset += length;
    }
    CHECK(traffic.moved.total() == offset);
    CHECK(traffic.held.total() == traffic.data.size());
    return traffic.data.size();
  };
  for (const uint32_t length : {payload_limit - 1, payload_limit, payload_limit + 1}) {
    CHECK(kept({length}) == std::min(length, payload_limit));
    CHECK(kept({length - 1, 1}) == std::min(length, payload_limit));
    CHECK(kept({length, 100}) == payload_limit);
  }
}

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
