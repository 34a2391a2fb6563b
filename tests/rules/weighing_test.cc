// What a capture may hide, and how sure a finding can be.
#include "rules/weighing.h"

#include <catch2/catch.hpp>

#include "flow/standing.h"

using namespace steertag;
using namespace steertag::rules;

namespace {

constexpr int64_t kSecond = 1'000'000'000;

struct Weights {
  track::Connection connection;
  flow::Standing standing;
  flow::Message message;
  flow::Exchange call;
  Weighing weighing{30 * kSecond, {}};

  Weights() {
    connection.seen_from_start = true;
    standing.known = true;
    message.connection = &connection;
    message.standing = &standing;
    call.connection = &connection;
    call.call = Stamp{.number = 1, .time_ns = 0};
  }
  void setup_captured() {
    for (track::End& end : connection.ends) {
      end.setup_seen = end.private_data_whole = true;
    }
  }
  Certainty most(uint8_t needs) { return weighing.weigh(message, needs).most; }
};

}  // namespace

TEST_CASE_METHOD(Weights, "the past of a connection that was captured whole is known whole") {
  CHECK(weighing.knowledge(connection, 0) == Knowledge::whole);
  CHECK(weighing.weigh(message, needs_no_loss).most_if_lossy == Certainty::definite);
}

TEST_CASE_METHOD(Weights, "a gap makes the past partly known, until it has had its time") {
  connection.last_doubt_ns = 5 * kSecond;
  CHECK(weighing.knowledge(connection, 5 * kSecond) == Knowledge::partial);
  CHECK(weighing.knowledge(connection, 34 * kSecond) == Knowledge::partial);
  CHECK(weighing.knowledge(connection, 35 * kSecond) == Knowledge::settled);
  weighing.settle_ns = kSecond;
  CHECK(weighing.knowledge(connection, 6 * kSecond) == Knowledge::settled);
}

TEST_CASE_METHOD(Weights, "a connection that began before the capture is known after a while") {
  connection.seen_from_start = false;
  connection.first_frame.time_ns = 2 * kSecond;
  CHECK(weighing.knowledge(connection, 3 * kSecond) == Knowledge::partial);
  CHECK(weighing.knowledge(connection, 32 * kSecond) == Knowledge::settled);
  setup_captured();
  CHECK(weighing.knowledge(connection, 3 * kSecond) == Knowledge::settled);
}

TEST_CASE_METHOD(Weights,
                 "with several clocks nothing is certain across directions, unless they are said to agree") {
  connection.several_taps = true;
  CHECK(weighing.knowledge(connection, 0) == Knowledge::settled);
  weighing.skewed = false;
  CHECK(weighing.knowledge(connection, 0) == Knowledge::whole);
  connection.several_taps = false;
  weighing.skewed = true;
  CHECK(weighing.knowledge(connection, 0) == Knowledge::settled);
}

TEST_CASE_METHOD(Weights, "the setup is there where both halves and their private data are") {
  CHECK(weighing.unmet(message) == needs_setup);
  setup_captured();
  CHECK(weighing.unmet(message) == needs_nothing);
  connection.ends[1].private_data_whole = false;
  CHECK(weighing.unmet(message) == needs_setup);
}

TEST_CASE_METHOD(Weights, "both ways are there unless only one was captured") {
  setup_captured();
  connection.pairing = track::Pairing::one_sided;
  CHECK(weighing.unmet(message) == needs_both_ways);
}

TEST_CASE_METHOD(Weights, "a message whose standing is not known may have lost what it follows") {
  setup_captured();
  standing.known = false;
  CHECK(weighing.unmet(message) == needs_no_loss);
}

TEST_CASE_METHOD(Weights, "an RPC has ended with its Reply, its connection, or when its time is over") {
  setup_captured();
  CHECK(weighing.unmet(call) == needs_end);
  connection.last_frame.time_ns = 30 * kSecond;
  CHECK(weighing.unmet(call) == needs_nothing);
  call.call->time_ns = 20 * kSecond;  // it was not sent when the connection began
  CHECK(weighing.unmet(call) == needs_end);
  connection.last_frame.time_ns = 0;
  connection.ended = rdma::EndReason::disconnect;
  CHECK(weighing.unmet(call) == needs_nothing);
  call.complete = false;
  CHECK(weighing.unmet(call) == needs_no_loss);
}

TEST_CASE("the first of the needs that are not met is the reason") {
  CHECK(Weighing::lack_of(needs_setup | needs_end) == Lack::setup);
  CHECK(Weighing::lack_of(needs_both_ways | needs_no_loss) == Lack::direction);
  CHECK(Weighing::lack_of(needs_no_loss | needs_end) == Lack::loss);
  CHECK(Weighing::lack_of(needs_end) == Lack::end);
}

TEST_CASE_METHOD(Weights, "a finding that prefers the setup is possible where the start was not captured") {
  CHECK(most(prefers_setup) == Certainty::definite);
  connection.seen_from_start = false;
  CHECK(most(prefers_setup) == Certainty::possible);
  CHECK(most(needs_nothing) == Certainty::definite);
}

TEST_CASE_METHOD(Weights, "a gap since the Call makes a finding that needs it unbroken possible") {
  standing.open = &call;
  CHECK(most(needs_unbroken) == Certainty::definite);
  connection.last_doubt_ns = 1;
  CHECK(most(needs_unbroken) == Certainty::possible);
  CHECK(most(needs_nothing) == Certainty::definite);
  call.call->time_ns = 2;
  CHECK(most(needs_unbroken) == Certainty::definite);
}

TEST_CASE_METHOD(Weights, "a Call soon after the beginning of the capture may be a copy") {
  standing.open = &call;
  connection.seen_from_start = false;
  CHECK(most(needs_unbroken) == Certainty::likely);
  call.call->time_ns = 30 * kSecond;
  CHECK(most(needs_unbroken) == Certainty::definite);
}

TEST_CASE_METHOD(Weights,
                 "what something missing could explain is possible where not all of the past is known") {
  connection.last_doubt_ns = 0;
  message.at.time_ns = 60 * kSecond;
  CHECK(weighing.weigh(message, needs_no_loss).most == Certainty::definite);
  CHECK(weighing.weigh(message, needs_no_loss).most_if_lossy == Certainty::possible);
  CHECK(weighing.weigh(message, needs_no_loss).live);
}

TEST_CASE_METHOD(Weights,
                 "a Reply that never came is no more than likely: it may be missing at the very end") {
  CHECK(weighing.weigh(call, needs_end).most == Certainty::likely);
  CHECK(weighing.weigh(call, needs_nothing).most == Certainty::definite);
  call.reply = Stamp{.number = 2};
  CHECK(weighing.weigh(call, needs_end).most == Certainty::definite);
  CHECK_FALSE(weighing.weigh(call, needs_end).live);
}
