// Responses by themselves, and the Reads that they answer.
#include "rdma/roce/responses.h"

#include <catch2/catch.hpp>

#include "rdma/roce/parts.h"

using namespace steertag;
using namespace steertag::rdma;
using namespace steertag::rdma::roce::test;
using roce::Opcode;

namespace {

struct HearsLate final : Arrivals {
  std::vector<Late> all;
  std::vector<uint64_t> acknowledged_again;  // places

  void on_late(const Late& late) override { all.push_back(late); }
  void on_duplicate(Side, uint64_t, uint64_t) override {}
  void on_room(Side, bool, const Stamp&) override {}
  void on_accepted(Side, uint64_t, const Stamp&) override {}
  void on_acknowledged_again(Side, uint64_t place, const Stamp&) override {
    acknowledged_again.push_back(place);
  }
  void on_setup_again(const SetupAgain&) override {}
};

struct Answered {
  Heard heard;
  roce::Outlet outlet{.listener = heard, .path_mtu = {}, .closed = {}, .shelf = {}};
  roce::OrderWatch asking{heard, Side::a}, answering{heard, Side::b};
  roce::IcrcWatch icrcs{heard, Side::a};
  roce::Reads reads;
  roce::Requests requests{outlet, asking, icrcs, reads, Side::a};
  roce::Responses responses{outlet, answering, requests, reads, Side::b};
  uint64_t frame = 0;

  Stamp now() { return {.number = ++frame}; }
  void request(const roce::Packet& packet) { requests.on_packet(packet, now()); }
  void respond(const roce::Packet& packet) {
    outlet.path_mtu.learn(packet);
    responses.on_packet(packet, now());
  }
};

}  // namespace

TEST_CASE_METHOD(Answered, "a NAK confirms what stands before it, and names its operation") {
  request(packet_of(Opcode::send_only, 10, 4));
  request(packet_of(Opcode::send_only, 11, 4));
  respond(answer(11, 0x62));
  CHECK(requests.sent().sequence.confirmed == 11);
  REQUIRE(heard.faults.size() == 1);
  CHECK(heard.faults[0].kind == Fault::Kind::nak_remote_access);
  CHECK(heard.faults[0].from == Side::b);
  CHECK(heard.faults[0].refused->first.number == 2);
}

TEST_CASE_METHOD(Answered, "codes of NAKs are told apart") {
  request(packet_of(Opcode::send_only, 10, 4));
  for (const uint8_t syndrome : {0x60, 0x61, 0x63, 0x65, 0x2A}) {
    respond(answer(10, syndrome));
  }
  using Complaint = Fault::Kind;
  const Complaint kinds[] = {Complaint::nak_sequence, Complaint::nak_invalid_request,
                             Complaint::nak_remote_operational, Complaint::nak_remote_operational,
                             Complaint::rnr};
  for (size_t i = 0; i < 5; ++i) {
    CHECK(heard.faults[i].kind == kinds[i]);
  }
}

TEST_CASE_METHOD(Answered, "a NAK of a Send With Invalidate says so") {
  roce::Packet packet = packet_of(Opcode::send_only_invalidate, 10, 4);
  packet.ieth = roce::Ieth{5};
  request(packet);
  respond(answer(10, 0x62));
  respond(answer(11, 0x62));
  CHECK(heard.faults[0].of_invalidation);
  CHECK_FALSE(heard.faults[1].of_invalidation);
}

TEST_CASE_METHOD(Answered,
                 "a NAK of what was acknowledged is believed: servers may accept first, and then refuse") {
  request(packet_of(Opcode::send_only, 10, 4));
  request(packet_of(Opcode::send_only, 11, 4));
  respond(answer(10));
  respond(answer(10, 0x63));
  CHECK(heard.faults.size() == 1);
  CHECK(heard.strays == 0);
}

TEST_CASE_METHOD(Answered, "a Read that is asked for again may be refused, although it was answered") {
  outlet.path_mtu.propose(1024);
  request(read_of(10, 100));
  respond(packet_of(Opcode::read_response_only, 10, 100));
  request(read_of(10, 100));
  respond(answer(10, 0x62));
  CHECK(heard.faults.size() == 1);
}

TEST_CASE_METHOD(Answered,
                 "a Read that is refused was outstanding with those that were answered after it was asked") {
  outlet.path_mtu.propose(1024);
  for (const uint32_t psn : {10, 11, 12, 13}) {
    request(read_of(psn, 100));
  }
  respond(packet_of(Opcode::read_response_only, 10, 100));
  respond(packet_of(Opcode::read_response_only, 11, 100));
  const size_t before = heard.anomalies.size();
  respond(answer(12, 0x61));
  REQUIRE(heard.anomalies.size() == before + 1);
  CHECK(heard.anomalies.back().kind == Anomaly::Kind::reads_outstanding);
  CHECK(heard.anomalies.back().found == 3);
  CHECK(heard.anomalies.back().from == Side::a);
}

TEST_CASE_METHOD(Answered, "a NAK from before the start is one where the CM said where that is") {
  const bool announced = GENERATE(true, false);
  if (announced) {
    requests.expect(10);
  }
  request(packet_of(Opcode::send_only, 10, 4));
  respond(answer(8, 0x63));
  CHECK(heard.faults.size() == (announced ? 0 : 1));
  CHECK(heard.strays == (announced ? 1 : 0));
}

TEST_CASE_METHOD(Answered, "a NAK right behind the setup counts: that may be known wrong") {
  requests.expect(10);
  respond(answer(8, 0x63));
  CHECK(heard.faults.size() == 1);
}

TEST_CASE_METHOD(Answered, "a Read Response says where its bytes come from, and confirms its Request") {
  outlet.path_mtu.propose(1024);
  request(read_of(10, 2500));
  respond(packet_of(Opcode::read_response_last, 12, 452));
  REQUIRE(heard.take() == "R2500 D452");
  CHECK(heard.ops[1].memory.offset == 0x1000 + 2048);
  CHECK(heard.ops[1].last);
  CHECK(requests.sent().sequence.confirmed == 11);
  respond(packet_of(Opcode::read_response_last, 12, 452));
  CHECK(heard.take() == "repeat");
  respond(packet_of(Opcode::read_response_first, 10, 1024));
  CHECK(heard.ops[2].first);
}

TEST_CASE_METHOD(Answered,
                 "a Response that comes again after its Read is a repeated one, also during the next Read") {
  request(read_of(10, 100));
  respond(packet_of(Opcode::read_response_only, 10, 100));
  request(read_of(11, 100));
  respond(packet_of(Opcode::read_response_only, 10, 100));
  CHECK(heard.take() == "R100 acked D100 R100 repeat");
}

TEST_CASE_METHOD(Answered, "a Response that comes again names its first copy, where somebody asks") {
  HearsLate late;
  outlet.arrivals = &late;
  outlet.path_mtu.propose(1024);
  request(read_of(10, 3072));
  respond(packet_of(Opcode::read_response_first, 10, 1024));
  respond(packet_of(Opcode::read_response_last, 12, 1024));
  CHECK(late.all.empty());
  respond(packet_of(Opcode::read_response_middle, 11, 1024));  // fills a hole
  respond(packet_of(Opcode::read_response_middle, 11, 1024));
  respond(packet_of(Opcode::read_response_last, 12, 1024));
  REQUIRE(late.all.size() == 3);
  CHECK_FALSE(late.all[0].again);
  REQUIRE(late.all[0].since);  // the one behind it
  CHECK(late.all[0].since->number == 3);
  CHECK(late.all[1].again);
  CHECK_FALSE(late.all[1].since);
  REQUIRE(late.all[2].since);
  CHECK(late.all[2].since->number == 3);
  CHECK(late.all[2].previous == late.all[2].begin - 2);  // what fills a hole is not remembered
  request(read_of(10, 3072));
  REQUIRE(late.all.size() == 4);
  CHECK(late.all[3].asks_until == late.all[2].end);
}

TEST_CASE_METHOD(Answered, "a Response is late where one of the next Read came before it") {
  HearsLate late;
  outlet.arrivals = &late;
  request(read_of(10, 100));
  request(read_of(11, 100));
  respond(packet_of(Opcode::read_response_only, 11, 100));
  respond(packet_of(Opcode::read_response_only, 10, 100));
  REQUIRE(late.all.size() == 1);
  CHECK_FALSE(late.all[0].again);
  REQUIRE(late.all[0].since);
  CHECK(late.all[0].since->number == 3);
}

TEST_CASE_METHOD(Answered, "an acknowledgment that comes again is told where somebody asks") {
  HearsLate late;
  outlet.arrivals = &late;
  respond(answer(10));  // of what, is not known
  request(packet_of(Opcode::send_only, 10, 4));
  request(packet_of(Opcode::send_only, 11, 4));
  respond(answer(11));
  CHECK(late.acknowledged_again.empty());
  respond(answer(11));
  respond(answer(10));
  const uint64_t place = requests.sent().sequence.place;
  CHECK(late.acknowledged_again == std::vector{place, place - 1});
}

TEST_CASE_METHOD(Answered, "Responses to what was asked before the QP was set up again belong to nothing") {
  request(read_of(0x100, 100));
  requests.give_up(0x300100, now(), std::nullopt);  // farther ahead than anything that is missing
  respond(packet_of(Opcode::read_response_only, 0x100, 100));
  CHECK(heard.take() == "R100 gap");
}

TEST_CASE_METHOD(Answered, "without a path MTU a Last ends its Read, wherever that began") {
  request(read_of(10, 300));
  respond(packet_of(Opcode::read_response_last, 11, 44));
  REQUIRE(heard.take() == "R300 D44");
  CHECK(heard.ops[1].memory.offset == 0x1000 + 256);
  CHECK(heard.ops[1].last);
  CHECK_FALSE(heard.ops[1].first);
}

TEST_CASE_METHOD(Answered, "a Response to a Read that was not seen acknowledges it all the same") {
  request(packet_of(Opcode::send_only, 10, 4));
  respond(packet_of(Opcode::read_response_only, 11, 100));
  request(packet_of(Opcode::send_only, 12, 4));
  CHECK(heard.take() == "S4 gap S4");
}

TEST_CASE("a Read is found among many by any PSN of its Responses") {
  roce::Reads reads;
  uint32_t psn = 0xFFFC00;  // across the wrap
  for (uint64_t id = 1; id <= 400; ++id) {
    reads.add(id, psn & roce::kPsnMask, {7, 0, 3 * 256}, {.number = id});
    psn += 4;  // three Responses, and one Send
  }
  for (uint32_t i = 0; i < 1600; ++i) {
    const roce::OutstandingRead* read = reads.find((0xFFFC00 + i) & roce::kPsnMask, 256);
    if (i % 4 == 3) {
      CHECK(read == nullptr);
    } else {
      REQUIRE(read != nullptr);
      CHECK(read->id == i / 4 + 1);
    }
  }
  CHECK(reads.find(0xFFFBFF, 256) == nullptr);
}

TEST_CASE("a Read that is shown late takes its place among the others") {
  roce::Reads reads;
  reads.add(1, 10, {7, 0, 100}, {});
  reads.add(2, 30, {7, 0, 100}, {});
  reads.add(3, 20, {7, 0, 100}, {});
  CHECK(reads.find(10, 256)->id == 1);
  CHECK(reads.find(20, 256)->id == 3);
  CHECK(reads.find(30, 256)->id == 2);
}

TEST_CASE("a Read ends where the next one begins, whatever the path MTU is taken for") {
  roce::Reads reads;
  reads.add(1, 10, {7, 0, 4096}, {});
  reads.add(2, 14, {7, 0, 100}, {});
  CHECK(reads.find(13, 256)->id == 1);
  CHECK(reads.find(14, 256)->id == 2);
  CHECK(reads.find(15, 256) == nullptr);
}

TEST_CASE("Reads beyond what any hardware has push the oldest out") {
  roce::Reads reads;
  for (uint32_t i = 0; i <= roce::Reads::kMaxReads; ++i) {
    reads.add(i, i, {7, 0, 100}, {});
  }
  CHECK(reads.find(0, 256) == nullptr);
  CHECK(reads.find(1, 256)->id == 1);
  reads.clear();
  CHECK(reads.find(1, 256) == nullptr);
}
