#include "stats/groups.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "stats/made.h"

using namespace steertag;
using namespace steertag::stats;

namespace {

const Totals* find(const Groups& groups, std::string_view op) {
  for (const Group* group : groups.dearest_first()) {
    if (name(group->key.operation) == op) {
      return &group->totals;
    }
  }
  return nullptr;
}

}  // namespace

TEST_CASE("Totals: what RPCs add up to, and which of them are in the times") {
  const track::Connection connection = made_connection();
  Totals totals;
  totals.add(MadeRpc(connection, 1).took(3 * kMs).took(kMs, flow::Phase::write));
  totals.add(MadeRpc(connection, 3).took(kMs).failed("NFS3ERR_STALE"));
  totals.add(MadeRpc(connection, 5).no_reply(kSecond));
  MadeRpc refused(connection, 7);
  refused.exchange.answer = rpcrdma::Answer{.reply_stat = rpcrdma::ReplyStat::accepted,
                                            .accept_stat = rpcrdma::AcceptStat::proc_unavail};
  totals.add(refused);
  MadeRpc error(connection, 9);
  error.exchange.status = flow::Status::transport_error;
  totals.add(error.again(3, 7, kSecond));
  MadeRpc no_call(connection, 11);  // its time is not known from the Reply alone
  no_call.exchange.call.reset();
  no_call.exchange.timing.delivered_ns = 7;
  totals.add(no_call);

  CHECK(totals.count == 6);
  CHECK(totals.failed == 3);
  CHECK(totals.unanswered == 1);
  CHECK(totals.retries == 2);
  CHECK(totals.arguments == 600);
  CHECK(totals.results == 5 * 4000);
  CHECK(totals.delivered.count() == 2);
  CHECK(totals.delivered.mean() == 5 * kMs / 2);
  CHECK(totals.delivered.longest().number == 1);
  CHECK(totals.mean_ns(flow::Phase::serve) == 2 * kMs);
  CHECK(totals.mean_ns(flow::Phase::write) == kMs / 2);
  CHECK(totals.longest_part().name == "serve");
  CHECK(totals.longest_part().ns == uint64_t{4} * kMs);
  CHECK(totals.waiting_ns == uint64_t{kSecond});
  CHECK(totals.spent_ns() == uint64_t{kSecond} + 5 * kMs);

  totals.add(MadeRpc(connection, 3).recovered(7 * kMs));
  totals.add(MadeRpc(connection, 15).no_reply(2 * kSecond));
  MadeRpc lacking(connection, 17);
  lacking.exchange.doubt = flow::Doubt::frames_missing;
  totals.add(lacking.no_reply(60 * kSecond));
  Totals sum = totals;
  sum.add(totals);
  CHECK(sum.waiting_ns == uint64_t{6} * kSecond);
  CHECK(sum.longest_waiting_ns == uint64_t{2} * kSecond);
  CHECK(sum.recovery_ns == uint64_t{14} * kMs);
  CHECK(sum.waited_on == std::array<uint64_t, flow::kWaitedOns>{4, 0, 2, 0});

  // The time of all attempts is that of the RPC.
  totals.add(MadeRpc(connection, 13).took(kMs).again(2, 5, 60 * kSecond));
  CHECK(totals.count == 10);
  CHECK(totals.retries == 3);
  CHECK(totals.delivered.greatest() == 60 * kSecond + kMs);
  CHECK(totals.delivered.longest().number == 13);
  CHECK(totals.earlier_ns == uint64_t{60} * kSecond);
  CHECK(totals.longest_part().name == "earlier");
}

TEST_CASE("Totals: where the length of a message is not known, what went by counts") {
  const track::Connection connection = made_connection();
  MadeRpc made(connection, 1);
  made.exchange.subject.results_length.reset();
  made.exchange.reply_inline_length = 128;
  Totals totals;
  totals.add(made);
  CHECK(totals.arguments == 100);
  CHECK(totals.results == 128);
}

TEST_CASE("Groups: operations of the same name are one only where they are of one protocol") {
  const track::Connection connection = made_connection();
  Groups groups({.op = true});
  groups.add(MadeRpc(connection, 1, 0, "GETATTR", 3).took(kMs));
  groups.add(MadeRpc(connection, 3, 0, "GETATTR", 4).took(2 * kMs));
  groups.add(MadeRpc(connection, 5, 0, "GETATTR", 4).took(2 * kMs));
  MadeRpc acl(connection, 7, 0, "GETATTR", 3);
  acl.exchange.procedure->program = 100227;
  groups.add(acl.took(3 * kMs));
  for (const uint32_t program : {0x40000000U, 0x40000001U}) {  // the client chooses it
    MadeRpc callback(connection, 9, 0, "CB_RECALL", 1);
    callback.exchange.procedure->program = program;
    groups.add(callback);
  }
  MadeRpc unnamed(connection, 11, 0, "", 3);
  unnamed.exchange.procedure->procedure = 99;
  groups.add(unnamed);
  MadeRpc unknown(connection, 13, 0, "");
  unknown.exchange.procedure.reset();
  groups.add(unknown);

  std::vector<std::string> order;
  for (const Group* group : groups.dearest_first()) {
    order.push_back(name(group->key.operation));
  }
  CHECK(order == std::vector<std::string>{"NFSv4 GETATTR", "NFSACLv3 GETATTR", "NFSv3 GETATTR", "?",
                                          "NFSv3 operation 99", "NFSv4 CB_RECALL"});
  CHECK(find(groups, "NFSv4 CB_RECALL")->count == 2);
  CHECK(groups.all().count == 8);
  CHECK(groups.rest().count == 0);
}

TEST_CASE("Groups: by connection, client and server, together or not at all") {
  const track::Connection one = made_connection(1), two = made_connection(2, 3);
  const auto keys = [&](const Grouping& by) {
    Groups groups(by);
    groups.add(MadeRpc(one, 1).took(2 * kMs));
    MadeRpc backward(two, 3, 0, "CB_RECALL");  // of the server: its client is the other end
    backward.exchange.requester = rdma::Side::b;
    backward.exchange.backward = true;
    groups.add(backward.took(kMs));
    std::string text;
    for (const Group* group : groups.dearest_first()) {
      text += std::to_string(group->key.connection) + "," + group->key.client.text() + "," +
              group->key.server.text() + " ";
    }
    return text;
  };
  CHECK(keys({.connection = true}) == "1,, 2,, ");
  CHECK(keys({.client = true}) == "0,10.9.0.2, 0,10.9.0.3, ");
  CHECK(keys({.server = true}) == "0,,10.9.0.1 ");
  CHECK(keys({.connection = true, .server = true}) == "1,,10.9.0.1 2,,10.9.0.1 ");
  CHECK(keys({}) == "0,, ");
}

TEST_CASE("Groups: by file and user, with one group for those of which neither is known") {
  const track::Connection one = made_connection(1);
  const auto keys = [&](const Grouping& by) {
    Groups groups(by);
    const auto add = [&](const std::string& file, std::optional<uint32_t> user, int64_t took_ns) {
      MadeRpc rpc(one, 1);
      rpc.exchange.subject.file = file;
      rpc.exchange.subject.user = user;
      groups.add(rpc.took(took_ns));
    };
    add("dir/a", 0, 8 * kMs);
    add("dir/a", 7, 4 * kMs);
    add("dir/b", 7, 2 * kMs);
    add("", std::nullopt, kMs);
    std::string text;
    for (const Group* group : groups.dearest_first()) {
      text += group->key.file + "," + (group->key.user ? std::to_string(*group->key.user) : "-") + "," +
              std::to_string(group->totals.count) + " ";
    }
    return text;
  };
  CHECK(keys({.file = true}) == "dir/a,-,2 dir/b,-,1 ,-,1 ");
  CHECK(keys({.user = true}) == ",0,1 ,7,2 ,-,1 ");
  CHECK(keys({.file = true, .user = true}) == "dir/a,0,1 dir/a,7,1 dir/b,7,1 ,-,1 ");
  CHECK(keys({}) == ",-,4 ");
}

TEST_CASE("Groups: intervals are multiples of their length, and an RPC is in that of its Call") {
  const track::Connection connection = made_connection();
  Groups groups({.op = true, .interval_ns = kSecond});
  groups.add(MadeRpc(connection, 1, 1'700'000'000 * kSecond + kSecond - 1).took(kMs));
  groups.add(MadeRpc(connection, 3, 1'700'000'003 * kSecond).took(kMs));
  groups.add(MadeRpc(connection, 5, 1'700'000'000 * kSecond).took(kMs));  // a clock that went back
  MadeRpc no_call(connection, 7);
  no_call.exchange.call.reset();
  no_call.exchange.reply->time_ns = 1'700'000'003 * kSecond + 5;
  groups.add(no_call);

  const Group& group = *groups.dearest_first().at(0);
  REQUIRE(group.intervals.size() == 2);
  CHECK(group.intervals.at(1'700'000'000 * kSecond).count == 2);
  CHECK(group.intervals.at(1'700'000'003 * kSecond).count == 2);
  CHECK(group.totals.count == 4);
}

TEST_CASE("Groups: what several have counted adds up to what one has, with its numbers") {
  const track::Connection one = made_connection(1), two = made_connection(2);
  track::Connection theirs = two;
  theirs.number = track::ConnectionNumber::provisional(1);
  for (const int64_t interval : {int64_t{0}, kSecond}) {
    const Grouping by{.op = true, .connection = true, .interval_ns = interval};
    Groups whole(by), first(by), second(by);
    for (int i = 0; i < 20; ++i) {
      const bool mine = i % 3 == 0;
      MadeRpc made(mine ? one : two, 1, i * kSecond / 4, i % 2 == 0 ? "READ" : "WRITE");
      made.took(i * kMs);
      whole.add(made);
      made.exchange.connection = mine ? &one : &theirs;
      (mine ? first : second).add(made);
    }
    first.take_over(second, [](track::ConnectionNumber number) {
      return number.provisional() ? track::ConnectionNumber(uint32_t{number} + 1) : number;
    });
    const auto x = whole.dearest_first(), y = first.dearest_first();
    REQUIRE(x.size() == y.size());
    for (size_t i = 0; i < x.size(); ++i) {
      CHECK(x[i]->key == y[i]->key);
      CHECK(x[i]->totals.count == y[i]->totals.count);
      CHECK(x[i]->totals.delivered.sum_ns() == y[i]->totals.delivered.sum_ns());
      CHECK(x[i]->intervals.size() == y[i]->intervals.size());
    }
    CHECK(first.all().count == 20);
  }
}

TEST_CASE("bounds: groups, and intervals of all groups") {
  const auto fill = [](const Grouping& by, size_t count) {
    Groups groups(by);
    track::Connection connection = made_connection();
    for (size_t i = 1; i <= count; ++i) {
      connection.number = by.connection ? static_cast<uint32_t>(i) : 1;
      groups.add(MadeRpc(connection, 1, static_cast<int64_t>(i) * kSecond));
    }
    return groups;
  };
  constexpr size_t kMost = Groups::kMaxStats;
  for (const Grouping& by : {Grouping{.connection = true}, Grouping{.interval_ns = kSecond}}) {
    for (const size_t count : {kMost - 1, kMost, kMost + 1}) {
      Groups groups = fill(by, count);
      CHECK(groups.rest().count == (count > kMost ? 1 : 0));
      CHECK(groups.all().count == count);
      Groups taken(by);
      taken.take_over(fill(by, kMost), same_number);
      taken.take_over(groups, same_number);
      CHECK(taken.rest().count == (count > kMost ? 1 : 0));  // the same ones, but for that
      CHECK(taken.all().count == count + kMost);
    }
  }
}
