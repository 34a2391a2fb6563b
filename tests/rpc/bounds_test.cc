// The bounds of one connection's messages and RPCs: what is said one below, at and above, and that
// nothing else changes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "flow/traffic.h"
#include "history/completions.h"
#include "rpc/assembler.h"
#include "rpc/claim.h"
#include "rpc/exchange_fill.h"
#include "rpc/slots.h"
#include "support/connection_fixture.h"

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::memory;
using namespace steertag::rpc;
using namespace steertag::history;
using rdma::OpKind;

namespace {

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
  departures.flush(INT64_MAX);
  CHECK(reported.size() == Lingering::kMaxClosing + 1);
}

TEST_CASE_METHOD(BoundedConnection, "bounds: Exchanges that owe an RDMA_DONE, and for how long") {
  make(1).read(7, 0, 100, 0).reply();
  const int64_t replied_ns = now.time_ns;
  for (uint32_t xid = 2; xid <= Lingering::kMaxOwing; ++xid) {
    make(xid).read(7, 0, 100, 0).reply();
  }
  departures.flush(replied_ns + Lingering::kDonePatienceNs - 1);
  CHECK(take().empty());
  SECTION("one more") {
    make(9999).read(7, 0, 100, 0).reply();
    CHECK(take() == "rpc 1");
  }
  SECTION("long enough") {
    departures.flush(replied_ns + Lingering::kDonePatienceNs);
    CHECK(take() == "rpc 1");
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

TEST_CASE("bounds: bytes of a Reply that are kept for the names in it, kMostListedBytes") {
  Settings settings;
  settings.payload_limit = 1024;
  CHECK(reply_limit(settings) == 1024);
  settings.for_files = true;
  CHECK(reply_limit(settings) == kMostListedBytes);
  rpcrdma::TransportHeader header;
  Message reply;
  reply.header = &header;
  for (const uint32_t length : {kMostListedBytes - 1, kMostListedBytes, kMostListedBytes + 1}) {
    Exchange x;
    const std::vector<uint8_t> payload(length);
    reply.payload = payload;
    reply.payload_length = length;
    fill_reply(x, reply, CallKnown::yes, reply_limit(settings));
    CHECK(x.reply_inline.size() == std::min(length, kMostListedBytes));
    CHECK(x.reply_inline_length == length);
  }
  settings.payload_limit = kMostListedBytes + 1;
  CHECK(reply_limit(settings) == kMostListedBytes + 1);
}
