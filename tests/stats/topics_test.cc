#include "stats/topics.h"

#include <catch2/catch.hpp>
#include <string>

#include "stats/made.h"

using namespace steertag;
using namespace steertag::stats;

TEST_CASE("A topic: whose the time was") {
  const track::Connection connection = made_connection();
  Topics topics;
  topics.add(MadeRpc(connection, 1).took(3 * kMs).took(kMs, flow::Phase::write));
  // Its RDMA Reads were answered late.
  topics.add(MadeRpc(connection, 3)
                 .took(kMs, flow::Phase::start, flow::WaitedOn::requester)
                 .took(9 * kMs, flow::Phase::read, flow::WaitedOn::requester));
  topics.add(MadeRpc(connection, 5).took(2 * kMs).recovered(50 * kMs));
  MadeRpc lost_write(connection, 7);  // what was waited for delays the Reply behind it
  lost_write.took(20 * kMs, flow::Phase::finish, flow::WaitedOn::network);
  lost_write.exchange.timing.recovery_ns = 15 * kMs;
  topics.add(lost_write);
  MadeRpc limited(connection, 9);
  limited.exchange.timing.at_credit_limit_ns = 6 * kMs;
  topics.add(limited);

  const Topic& topic = *topics.in_order().at(0);
  CHECK(topic.rpcs == 5);
  CHECK(topic.responder.sum_ns == (3 + 1 + 2 + 5) * kMs);
  CHECK(topic.responder.longest.at.number == 7);
  CHECK(topic.data.sum_ns == kMs);
  CHECK(topic.requester.sum_ns == 9 * kMs);
  CHECK(topic.requester.longest.at.number == 3);
  CHECK(topic.network.rpcs == 2);
  CHECK(topic.network.sum_ns == 65 * kMs);
  CHECK(topic.network.longest.at.number == 5);
  CHECK(topic.credits.sum_ns == 6 * kMs);
  CHECK(topic.credits.longest.at.number == 9);
  CHECK(topic.delivered.count() == 4);
  CHECK(topic.undisturbed.count() == 2);
}

TEST_CASE("A topic: failures by name, what had no answer, what was sent again") {
  const track::Connection connection = made_connection();
  Topics topics;
  topics.add(MadeRpc(connection, 11, 7).failed("NFS3ERR_STALE"));
  topics.add(MadeRpc(connection, 5, 3).failed("NFS3ERR_STALE"));
  topics.add(MadeRpc(connection, 1, 1).failed("NFS3ERR_IO"));
  topics.add(MadeRpc(connection, 13).no_reply(kSecond));
  MadeRpc moved(connection, 15);
  moved.exchange.timeline.moved = true;
  topics.add(moved.took(kMs).again(2, 13, 62 * kSecond));
  topics.add(MadeRpc(connection, 21).took(kMs).again(2, 19, 30 * kSecond));  // where it was
  topics.add(MadeRpc(connection, 17).no_reply(2 * kSecond).again(2, 16, 60 * kSecond));

  const Topic& topic = *topics.in_order().at(0);
  REQUIRE(topic.failures.size() == 2);
  CHECK(topic.failures[0].name == "NFS3ERR_STALE");
  CHECK(topic.failures[0].rpcs == 2);
  CHECK(topic.failures[0].first.at.number == 5);
  CHECK(topic.failed() == 3);
  CHECK(topic.unanswered.longest.at.number == 17);
  CHECK(topic.unanswered.sum_ns == uint64_t{63} * kSecond);
  CHECK(topic.retried.longest.at.number == 15);
  CHECK(topic.retried.sum_ns == uint64_t{62} * kSecond + kMs);
  CHECK(topic.repeated.longest.at.number == 21);
  CHECK(topic.repeated.sum_ns == uint64_t{30} * kSecond + kMs);
  CHECK(topic.delivered.greatest() == 62 * kSecond + kMs);
  CHECK(topic.undisturbed.count() == 0);
  CHECK(topic.responder.sum_ns == uint64_t{2} * kMs);
}

TEST_CASE("Topics: what several have noted is what one has, whoever is first") {
  const track::Connection connection = made_connection();
  Topics whole, parts[2];
  for (int i = 0; i < 30; ++i) {
    MadeRpc made(connection, static_cast<uint64_t>(i), i, i % 3 == 0 ? "READ" : "WRITE");
    made.took((i * 7 % 10) * kMs);
    if (i % 4 == 0) {
      made.failed(i % 8 == 0 ? "NFS3ERR_IO" : "NFS3ERR_STALE");
    }
    whole.add(made);
    parts[i % 2].add(made);
  }
  for (const int first : {0, 1}) {
    Topics sum;
    sum.take_over(parts[first], same_number);
    sum.take_over(parts[1 - first], same_number);
    const auto x = whole.in_order(), y = sum.in_order();
    REQUIRE(x.size() == y.size());
    for (size_t i = 0; i < x.size(); ++i) {
      CHECK(x[i]->rpcs == y[i]->rpcs);
      CHECK(x[i]->responder.sum_ns == y[i]->responder.sum_ns);
      CHECK(x[i]->responder.longest.at.number == y[i]->responder.longest.at.number);
      CHECK(x[i]->failed() == y[i]->failed());
      CHECK(x[i]->delivered.percentile(0.5) == y[i]->delivered.percentile(0.5));
    }
  }
}

TEST_CASE("bounds: topics, and the failures of one") {
  for (const size_t count : {Topics::kMaxTopics - 1, Topics::kMaxTopics, Topics::kMaxTopics + 1}) {
    Topics topics;
    track::Connection connection = made_connection();
    for (size_t i = 0; i < count; ++i) {
      connection.ends[1].address = base::Address::lid(static_cast<uint16_t>(i));
      topics.add(MadeRpc(connection, 1));
    }
    CHECK(topics.in_order().size() == std::min(count, Topics::kMaxTopics));
  }
  for (const size_t count : {Topic::kMaxFailures - 1, Topic::kMaxFailures, Topic::kMaxFailures + 1}) {
    const track::Connection connection = made_connection();
    Topic topic;
    for (size_t i = 0; i < count; ++i) {
      const std::string name = "status" + std::to_string(i);
      topic.add(MadeRpc(connection, 1).failed(name));
    }
    CHECK(topic.failures.size() == std::min(count, Topic::kMaxFailures));
    CHECK(topic.failed() == count);
    CHECK(topic.failures.back().name.empty() == (count > Topic::kMaxFailures));
  }
}

TEST_CASE("bounds: connections of slow RPCs, whose times and sums are told apart") {
  Topics topics, share;
  for (uint32_t number = 1; number <= Hit::kMostConnections + 1; ++number) {
    const track::Connection connection = made_connection(number);
    (number % 2 == 0 ? topics : share).add(MadeRpc(connection, number, kSecond).took(Part::kSlowNs));
    topics.add(MadeRpc(connection, number, 9 * kSecond).took(Part::kSlowNs - 1));  // not slow
  }
  topics.take_over(share, same_number);
  const Part& part = topics.in_order().at(0)->responder;
  const Hit slow = part.slow.sum();
  CHECK(part.rpcs == 2 * (Hit::kMostConnections + 1));
  CHECK(slow.rpcs == Hit::kMostConnections + 1);
  CHECK(slow.ns == (Hit::kMostConnections + 1) * static_cast<uint64_t>(Part::kSlowNs));
  CHECK(part.slow.whole().begin_ns == kSecond);
  CHECK(part.slow.whole().end_ns == kSecond + Part::kSlowNs);
  REQUIRE(slow.connections.size() == Hit::kMostConnections);
  CHECK(slow.connections.front() == 1u);
  CHECK(slow.connections.back() == Hit::kMostConnections);
}

TEST_CASE("A topic: a wait for credits comes before its Call, and all attempts are the time of the last") {
  const track::Connection connection = made_connection();
  Topics topics;
  MadeRpc limited(connection, 1, 100 * kSecond);
  limited.exchange.timing.at_credit_limit_ns = 90 * kSecond;
  topics.add(limited);
  topics.add(MadeRpc(connection, 3, 200 * kSecond).took(kSecond).again(2, 2, 60 * kSecond));
  const Topic& topic = *topics.in_order().at(0);
  CHECK(topic.credits.slow.whole().begin_ns == 10 * kSecond);
  CHECK(topic.credits.slow.whole().end_ns == 100 * kSecond);
  CHECK(topic.repeated.slow.whole().begin_ns == 140 * kSecond);
  CHECK(topic.repeated.slow.whole().end_ns == 201 * kSecond);
}
