// Callbacks that clients answer late, or not at all, made by hand: which requests of others may wait for
// them.
#include "incident/recalls.h"

#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <string_view>

#include "stats/made.h"
#include "stats/outcome.h"
#include "support/compiled.h"

namespace steertag::incident {
namespace {

using stats::kMs;
using stats::kSecond;

const track::Connection& recalled_client() {
  static const track::Connection kConnection = stats::made_connection(2, 3);
  return kConnection;
}

stats::MadeRpc callback(int64_t at_ns, std::string_view op = "CB_RECALL") {
  stats::MadeRpc rpc(recalled_client(), 12, at_ns, op, 1);
  rpc.exchange.backward = true;
  rpc.exchange.requester = rdma::Side::b;
  return rpc.no_reply(20 * kSecond);
}

// From 2 s to 10 s.
Repetition put_off(std::string_view op = "OPEN", uint8_t client = 2) {
  const track::Connection c = stats::made_connection(1, client);
  Repetition row;
  row.client = c.ends[0].address;
  row.server = c.ends[1].address;
  row.operation.op = op;
  row.first.time_ns = 2 * kSecond;
  row.last.time_ns = 10 * kSecond;
  return row;
}

TEST_CASE("a callback without an answer is what others may wait for") {
  Recalls recalls;
  recalls.note(callback(2 * kSecond).exchange);
  const std::optional<WaitedFor> found = recalls.behind(put_off());
  REQUIRE(found);
  CHECK_FALSE(found->same_file);  // nothing shows it
  CHECK(found->recall.client.text() == "10.9.0.3");
  CHECK(found->recall.server.text() == "10.9.0.1");
  CHECK(found->recall.call.number == 12);
  CHECK_FALSE(found->recall.reply);
  CHECK_FALSE(recalls.behind(put_off("READ")));     // of a file of its own
  CHECK_FALSE(recalls.behind(put_off("OPEN", 3)));  // by the client that is asked
}

TEST_CASE("only what waited meanwhile counts, and what asks for something back") {
  for (const int64_t at_ns : {-19 * kSecond, 11 * kSecond}) {
    Recalls recalls;
    recalls.note(callback(at_ns).exchange);
    CHECK_FALSE(recalls.behind(put_off()));
  }
  for (const char* op : {"CB_RECALL_ANY", "CB_GETATTR", "CB_SEQUENCE"}) {
    Recalls recalls;
    recalls.note(callback(2 * kSecond, op).exchange);
    CHECK_FALSE(recalls.behind(put_off()));
  }
}

TEST_CASE("a callback that is answered soon keeps nobody waiting, nor does one that may have been") {
  for (const int64_t took_ns : {10 * kMs, 3 * kSecond}) {
    stats::MadeRpc rpc = callback(2 * kSecond);
    rpc.exchange.reply = Stamp{.number = 20, .time_ns = 2 * kSecond + took_ns};
    Recalls recalls;
    recalls.note(rpc.exchange);
    CHECK(recalls.behind(put_off()).has_value() == (took_ns >= Recalls::kLateNs));
  }
  stats::MadeRpc rpc = callback(2 * kSecond);
  rpc.exchange.doubt = flow::Doubt::frames_missing;
  Recalls recalls;
  recalls.note(rpc.exchange);
  CHECK_FALSE(recalls.behind(put_off()));
}

TEST_CASE("so many callbacks are kept, whoever heard of them") {
  Recalls share, recalls;
  for (size_t i = 0; i < Recalls::kMost; ++i) {
    share.note(callback(-30 * kSecond).exchange);
  }
  share.note(callback(2 * kSecond).exchange);
  CHECK_FALSE(share.behind(put_off()));
  recalls.note(callback(2 * kSecond).exchange);
  recalls.take_over(share, [](track::ConnectionNumber number) { return number; });
  CHECK(recalls.behind(put_off()));
}

// A Call of another client that took so long.
stats::MadeRpc named(int64_t at_ns, int64_t took_ns, uint64_t frame = 30, std::string_view op = "OPEN") {
  static const track::Connection kConnection = stats::made_connection(1, 2);
  stats::MadeRpc rpc(kConnection, frame, at_ns, op, 4);
  rpc.exchange.reply->time_ns = at_ns + took_ns;
  return rpc;
}

TEST_CASE("Calls are held up by a recall that was sent right after one of them, until it is over") {
  const base::Address server = recalled_client().ends[1].address;
  const auto held_up = [&](const stats::MadeRpc& call, std::optional<int64_t> answered_ns = {}) {
    Recalls recalls;
    stats::MadeRpc recall = callback(2 * kSecond);
    if (answered_ns) {
      recall.exchange.reply = Stamp{.number = 20, .time_ns = *answered_ns};
    }
    recalls.note(recall.exchange);
    recalls.note(call.exchange);
    return recalls.held_up(server, stats::operation_of(named(0, 0).exchange)).size();
  };
  CHECK(held_up(named(kSecond, 20 * kSecond)) == 1);
  CHECK(held_up(named(kSecond - kMs, 20 * kSecond)) == 0);  // the recall is not for it
  CHECK(held_up(named(3 * kSecond, 20 * kSecond)) == 0);
  CHECK(held_up(named(2 * kSecond, 20 * kSecond, 30, "READ")) == 0);
  CHECK(held_up(named(2 * kSecond, 8 * kSecond), 10 * kSecond) == 1);
  CHECK(held_up(named(4 * kSecond, 6 * kSecond), 10 * kSecond) == 1);
  CHECK(held_up(named(4 * kSecond, 2 * kSecond), 10 * kSecond) == 0);   // it was answered meanwhile
  CHECK(held_up(named(2 * kSecond, 60 * kSecond), 10 * kSecond) == 0);  // the recall was over long before
}

TEST_CASE("bounds: so many Calls that may be held up are kept") {
  Recalls share, recalls;
  recalls.note(callback(2 * kSecond).exchange);
  for (size_t i = 0; i <= Recalls::kMostHeldUp; ++i) {
    share.note(named(2 * kSecond, 8 * kSecond, 30 + i).exchange);
  }
  recalls.take_over(share, [](track::ConnectionNumber number) { return number; });
  const base::Address server = recalled_client().ends[1].address;
  CHECK(recalls.held_up(server, stats::operation_of(named(0, 0).exchange)).size() == Recalls::kMostHeldUp);
}

// A recall that its client answers at once, and the return, as they are captured: what file they are about is
// read from their arguments.
class Ear final : public Observer {
 public:
  std::function<void(const flow::Exchange&)> recalled, returned;

  void on(const Event& event) override {
    if (const auto* timed = std::get_if<ExchangeTimed>(&event)) {
      const flow::Exchange& exchange = timed->exchange;
      if (exchange.subject.op == "CB_RECALL") {
        recalled(exchange);
      } else if (exchange.subject.op == "DELEGRETURN") {
        returned(exchange);
      }
    }
  }
  void hear() {
    Options options;
    options.for_reports = true;
    support::feed_all(
        *this,
        support::compiled("client> connect\nserver> call cb CB_RECALL\nclient> reply\nwait 100ms\n"
                          "client> call nfs4 DELEGRETURN\nserver> reply\n",
                          scenario::Fabric::roce2),
        options);
  }
};

// As that of another client.
track::Connection connection_of(const flow::Exchange& exchange, size_t client) {
  track::Connection c = *exchange.connection;
  c.end(*c.client).address = base::Address::ipv4(
      std::array<uint8_t, 4>{10, static_cast<uint8_t>(client >> 16), static_cast<uint8_t>(client >> 8),
                             static_cast<uint8_t>(client)});
  return c;
}

// What others were refused meanwhile, and until long after.
Repetition put_off_by(const flow::Exchange& recall) {
  Repetition row = put_off();
  row.server = recall.connection->end(rdma::other(*recall.connection->client)).address;
  row.first.time_ns = recall.call->time_ns;
  row.last.time_ns = recall.call->time_ns + 9 * kSecond;
  return row;
}

TEST_CASE("bounds: recalls that are answered in time, returns, and hosts with packets missing") {
  Recalls recalls;
  Repetition row;
  Ear ear;
  SECTION("recalls") {
    ear.recalled = [&](const flow::Exchange& recall) {
      row = put_off_by(recall);
      for (size_t i = 0; i < Recalls::kMostAnswered; ++i) {
        recalls.note(recall);
      }
      CHECK(recalls.behind(row));
      recalls.note(recall);
    };
    ear.returned = [](const flow::Exchange& /*exchange*/) {};
  }
  SECTION("returns") {
    ear.recalled = [&](const flow::Exchange& recall) {
      row = put_off_by(recall);
      recalls.note(recall);
    };
    ear.returned = [&](const flow::Exchange& exchange) {
      flow::Exchange other = exchange;
      for (size_t i = 0; i <= Recalls::kMostReturned; ++i) {
        CHECK(recalls.behind(row).has_value());
        const track::Connection connection = connection_of(exchange, 0x10000 + i);
        other.connection = &connection;
        recalls.note(other);
      }
    };
  }
  SECTION("hosts") {
    ear.recalled = [&](const flow::Exchange& recall) {
      row = put_off_by(recall);
      recalls.note(recall);
      for (size_t i = 0; i <= Recalls::kMostPatchy; ++i) {
        CHECK(recalls.behind(row).has_value());
        track::Connection connection = connection_of(recall, 0x10000 + i);
        connection.end(rdma::Side::a).gaps = 1;
        recalls.close(connection);
      }
    };
    ear.returned = [](const flow::Exchange& /*exchange*/) {};
  }
  ear.hear();
  CHECK_FALSE(recalls.behind(row));
}

TEST_CASE("a delegation that came back in time keeps nobody waiting") {
  Recalls recalls;
  Repetition row;
  Ear ear;
  ear.recalled = [&](const flow::Exchange& recall) {
    row = put_off_by(recall);
    recalls.note(recall);
    const auto found = recalls.behind(row);
    REQUIRE(found);
    CHECK(found->recall.answered_in_time);
    CHECK_FALSE(found->recall.returned);
  };
  ear.returned = [&](const flow::Exchange& exchange) { recalls.note(exchange); };
  ear.hear();
  CHECK_FALSE(recalls.behind(row));
}

}  // namespace
}  // namespace steertag::incident
