// CmTries: messages of the CM that no scenario sends, and what they say of a try.
#include <catch2/catch.hpp>
#include <vector>

#include "attempt/attempts.h"
#include "attempt/cm_tries.h"
#include "attempt/words.h"

namespace steertag::attempt {
namespace {

using rdma::roce::CmAttribute;

const uint8_t kClient[] = {10, 0, 0, 1}, kServer[] = {10, 0, 0, 2};

// One packet a second.
class Talk {
 public:
  std::vector<Try> failed;

  void client(rdma::roce::CmMessage message, bool damaged = false) {
    message.local_comm_id = message.local_comm_id == 0 ? 7 : message.local_comm_id;
    say(kClient, kServer, message, damaged);
  }
  void server(rdma::roce::CmMessage message) {
    message.local_comm_id = 70;
    message.remote_comm_id = message.remote_comm_id == 0 ? 7 : message.remote_comm_id;
    say(kServer, kClient, message, false);
  }
  const std::vector<Try>& finish() {
    tries_.finish();
    return failed;
  }

 private:
  void say(Bytes from, Bytes to, const rdma::roce::CmMessage& message, bool damaged) {
    track::Arrival made;
    made.packet.carrier = link::Carrier::roce2;
    made.packet.source = base::Address::ipv4(from);
    made.packet.destination = base::Address::ipv4(to);
    made.at.number = made.order = ++number_;
    made.at.time_ns = static_cast<int64_t>(number_) * 1'000'000'000;
    if (damaged) {
      made.icrc = {.computed = 1, .carried = 2};
    }
    tries_.on_message(made, message);
  }

  uint64_t number_ = 0;
  CmTries tries_{[this](Try&& one) { failed.push_back(std::move(one)); }};
};

rdma::roce::CmMessage req(uint32_t comm_id = 7, uint32_t qpn = 5) {
  rdma::roce::CmMessage made;
  made.local_comm_id = comm_id;
  made.local_qpn = qpn;
  made.service_id = rdma::roce::ip_service_id(20049);
  return made;
}

rdma::roce::CmMessage message(CmAttribute attribute) {
  rdma::roce::CmMessage made;
  made.attribute = attribute;
  made.local_qpn = 6;
  return made;
}

rdma::roce::CmMessage reject(uint16_t reason) {
  rdma::roce::CmMessage made = message(CmAttribute::rej);
  made.reject_reason = reason;
  return made;
}

TEST_CASE("a REJ for the path MTU names the one that it offers") {
  const auto told = [](uint16_t reason, uint8_t length, uint8_t information) {
    rdma::roce::CmMessage answer = reject(reason);
    answer.reason_length = static_cast<uint8_t>(length << 1);
    answer.additional_information[0] = information;
    Talk talk;
    talk.client(req());
    talk.server(answer);
    REQUIRE(talk.finish().size() == 1);
    return words(talk.failed[0].reason);
  };
  CHECK(told(26, 1, 0x30) == "REJ 26, invalid path MTU, 1024 bytes offered");
  CHECK(told(26, 72, 0x50) == "REJ 26, invalid path MTU, 4096 bytes offered");
  CHECK(told(26, 0, 0x30) == "REJ 26, invalid path MTU");  // none is there
  CHECK(told(26, 1, 0x03) == "REJ 26, invalid path MTU");  // no path MTU
  CHECK(told(26, 1, 0x60) == "REJ 26, invalid path MTU");
  CHECK(told(28, 1, 0x30) == "REJ 28, rejected by the consumer");
}

TEST_CASE("who says that an answer never came has rejected nothing") {
  Talk asked;
  asked.client(req());
  asked.client(reject(4));
  asked.server(message(CmAttribute::rep));  // too late
  REQUIRE(asked.finish().size() == 1);
  CHECK(asked.failed[0].outcome == Outcome::unanswered);
  CHECK(asked.failed[0].certain);
  CHECK(asked.failed[0].by.kind == base::Address::Kind::none);
  CHECK(asked.failed[0].frames.front().number == 1);
  CHECK(asked.failed[0].last.number == 2);

  Talk answered;
  answered.client(req());
  answered.server(message(CmAttribute::rep));
  answered.server(reject(4));
  REQUIRE(answered.finish().size() == 1);
  CHECK(answered.failed[0].outcome == Outcome::unconfirmed);
  CHECK(answered.failed[0].certain);
  CHECK(answered.failed[0].frames.front().number == 2);

  Talk late;
  late.client(req());
  late.server(message(CmAttribute::rep));
  late.client(reject(6));
  REQUIRE(late.finish().size() == 1);
  CHECK(late.failed[0].outcome == Outcome::unconfirmed);
  CHECK(late.failed[0].by.kind == base::Address::Kind::none);
}

TEST_CASE("a REJ for another reason, or of a server before its REP, rejects") {
  Talk asked;
  asked.client(req());
  asked.server(reject(4));
  REQUIRE(asked.finish().size() == 1);
  CHECK(asked.failed[0].outcome == Outcome::rejected);

  Talk answered;
  answered.client(req());
  answered.server(message(CmAttribute::rep));
  answered.client(reject(28));
  REQUIRE(answered.finish().size() == 1);
  CHECK(answered.failed[0].outcome == Outcome::rejected);
}

TEST_CASE("where a REJ is lost, the REQ that is sent again is no answer, and the REJ that is, is one") {
  Talk talk;
  for (int i = 0; i < 2; ++i) {
    talk.client(req());
    talk.server(reject(28));
  }
  REQUIRE(talk.finish().size() == 1);
  REQUIRE(talk.failed[0].frames.size() == 2);
  CHECK(talk.failed[0].frames[0].number == 2);
  CHECK(talk.failed[0].frames[1].number == 4);
  CHECK(talk.failed[0].last.number == 4);
}

TEST_CASE("where the client goes on with what nothing allows, the server was not captured") {
  Talk talk;
  talk.client(req(1));
  talk.client(req(2, 9));
  rdma::roce::CmMessage ready = message(CmAttribute::rtu);
  ready.local_comm_id = 2;
  talk.client(ready);
  CHECK(talk.finish().empty());

  Talk heard;
  heard.client(req(1));
  heard.client(req(2, 9));
  heard.client(ready);
  rdma::roce::CmMessage end = message(CmAttribute::drep);
  end.remote_comm_id = 2;
  heard.server(end);
  CHECK(heard.finish().size() == 1);
}

TEST_CASE("of a REQ that the snaplen cut in front of its QP, only a refusal is told") {
  Talk refused;
  refused.client(req(7, 0));
  refused.server(reject(28));
  CHECK(refused.finish().size() == 1);

  Talk silent;
  silent.client(req(7, 0));
  silent.client(req(7, 0));
  CHECK(silent.finish().empty());
}

TEST_CASE("a REQ whose ICRC is wrong is a try, and says why nothing answers") {
  Talk damaged;
  damaged.client(req(), true);
  damaged.client(req(), true);
  REQUIRE(damaged.finish().size() == 1);
  CHECK(words(damaged.failed[0].reason) == "wrong ICRC");

  Talk intact;
  intact.client(req(), true);
  intact.client(req());
  REQUIRE(intact.finish().size() == 1);
  CHECK(intact.failed[0].reason.kind == Reason::Kind::none);

  // What is damaged may be the QP: it is the same try.
  Talk other;
  other.client(req(7, 99), true);
  other.client(req());
  other.client(req(7, 98), true);
  CHECK(other.finish().size() == 1);
}

TEST_CASE("a second MRA, long after the first one's time, does not make a silence well") {
  rdma::roce::CmMessage wait = message(CmAttribute::mra);  // a tenth of a second
  wait.reason_length = 15 << 3;
  Talk talk;
  talk.client(req());
  talk.server(wait);
  talk.client(req());
  wait.reason_length = 20 << 3;  // four seconds
  talk.server(wait);
  REQUIRE(talk.finish().size() == 1);
  CHECK(talk.failed[0].outcome == Outcome::unanswered);
  CHECK_FALSE(talk.failed[0].certain);
}

TEST_CASE("what came up while an old request waited for its answer is what came next") {
  Attempts attempts({20049});
  const auto arrival = [](Bytes from, Bytes to, uint64_t number) {
    track::Arrival made;
    made.packet.carrier = link::Carrier::roce2;
    made.packet.source = base::Address::ipv4(from);
    made.packet.destination = base::Address::ipv4(to);
    made.at.number = made.order = number;
    made.at.time_ns = static_cast<int64_t>(number) * 1'000'000'000;
    return made;
  };
  attempts.on_cm(arrival(kClient, kServer, 1), req());
  track::Connection up;
  up.client = rdma::Side::a;
  up.number = 1;
  up.end(rdma::Side::a).address = base::Address::ipv4(kClient);
  up.end(rdma::Side::b).address = base::Address::ipv4(kServer);
  up.first_frame = arrival(kClient, kServer, 2).at;
  attempts.on_came_up(up);
  rdma::roce::CmMessage rejected = reject(28);
  rejected.remote_comm_id = 7;
  attempts.on_cm(arrival(kServer, kClient, 3), rejected);
  const std::vector<Attempt> all = attempts.finish();
  REQUIRE(all.size() == 1);
  CHECK(all[0].then == Then::connection);
  CHECK(all[0].conn == 1);
}

}  // namespace
}  // namespace steertag::attempt
