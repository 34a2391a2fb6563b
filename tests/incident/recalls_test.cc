// Callbacks that clients answer late, or not at all, made by hand: which requests of others may wait for
// them.
#include "incident/recalls.h"

#include <catch2/catch.hpp>
#include <string_view>

#include "stats/made.h"

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

}  // namespace
}  // namespace steertag::incident
