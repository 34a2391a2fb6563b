#include "report/otlp.h"

#include <catch2/catch.hpp>
#include <string>

#include "made.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

struct MadeSpans {
  track::Connection connection = made_connection();
  flow::Exchange exchange;
  OtlpTrace trace{Files{}, "1.2.3"};
  Buffer out;

  MadeSpans() {
    exchange.connection = &connection;
    exchange.xid = 0x1A2B3C4D;
    exchange.call = stamp(7, 1'500'000'000);
    exchange.reply = stamp(9, 1'500'318'250);
    exchange.status = flow::Status::complete;
    exchange.procedure = flow::Exchange::Procedure{.program = 100003, .version = 3, .procedure = 6};
  }
  rules::Finding finding(std::optional<uint32_t> xid = {}, uint64_t frame = 8) const {
    rules::Finding made;
    made.rule = rules::catalog()[0];
    made.connection = &connection;
    made.at = stamp(frame, 1'500'000'100);
    made.xid = xid;
    made.text = "so";
    return made;
  }
  std::string finished() {
    trace.finish(out);
    return std::string(view(out));
  }
};

size_t occurrences_of_text(const std::string& text, std::string_view what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

TEST_CASE("spans: an RPC that failed, by the names of the conventions") {
  MadeSpans made;
  made.exchange.subject.nfs_status = 70;
  made.exchange.subject.nfs_status_name = "NFS3ERR_STALE";
  CHECK_FALSE(made.trace.add(made.out, made.exchange));
  const std::string text = made.finished();
  for (const char* part :
       {R"("name":"NFSv3/READ","kind":3,"startTimeUnixNano":"1500000000","endTimeUnixNano":"1500318250")",
        R"({"key":"rpc.system.name","value":{"stringValue":"onc_rpc"}})",
        R"({"key":"onc_rpc.procedure.number","value":{"intValue":"6"}})",
        R"({"key":"rpc.status_code","value":{"stringValue":"NFS3ERR_STALE"}})",
        R"({"key":"error.type","value":{"stringValue":"NFS3ERR_STALE"}})",
        R"({"key":"network.peer.address","value":{"stringValue":"10.9.0.1"}})",
        R"({"key":"steertag.xid","value":{"stringValue":"0x1a2b3c4d"}})",
        R"("status":{"code":2,"message":"NFS3ERR_STALE"})"}) {
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(text.ends_with("]}]}]}\n"));
}

TEST_CASE("spans: what has no name is no name") {
  MadeSpans made;
  made.exchange.procedure->procedure = 99;
  made.trace.add(made.out, made.exchange);
  const std::string text = made.finished();
  CHECK(text.find(R"("name":"onc_rpc","kind":3)") != std::string::npos);
  CHECK(text.find(R"({"key":"rpc.method","value":{"stringValue":"_OTHER"}})") != std::string::npos);
  CHECK(text.find("onc_rpc.procedure.name") == std::string::npos);
}

TEST_CASE("spans: a finding is an event of its RPC, and of no other") {
  MadeSpans made;
  made.trace.add(made.out, made.finding(made.exchange.xid));
  made.trace.add(made.out, made.finding(made.exchange.xid, 6));  // of an earlier one with its XID
  made.trace.add(made.out, made.finding(7U));
  made.trace.add(made.out, made.exchange);
  made.trace.close(made.out, made.connection);
  const std::string text = made.finished();
  CHECK(occurrences_of_text(text, R"("events":[{)") == 2);
  CHECK(occurrences_of_text(text, "steertag.finding.") == 3);
  const size_t connection = text.find(R"("name":"connection")");
  REQUIRE(connection != std::string::npos);
  CHECK(occurrences_of_text(text.substr(0, connection), "steertag.finding.") == 1);
}

TEST_CASE("spans: that of a connection lasts as long as its frames, and never ends before it begins") {
  for (const int64_t last_ns : {2'000'000'000, 100'000'000}) {  // the clock may go back
    MadeSpans made;
    made.connection.first_frame = stamp(1, 1'000'000'000);
    made.connection.last_frame = stamp(90, last_ns);
    made.trace.add(made.out, made.finding(7U));
    made.trace.close(made.out, made.connection);
    const std::string end = last_ns == 2'000'000'000 ? "2000000000" : "1000000000";
    CHECK(made.finished().find(R"("startTimeUnixNano":"1000000000","endTimeUnixNano":")" + end + '"') !=
          std::string::npos);
  }
}

TEST_CASE("spans: of what is left out, nothing is told") {
  MadeSpans made;
  made.trace.add(made.out, made.finding(made.exchange.xid));
  made.trace.leave_out(made.exchange);
  made.trace.close(made.out, made.connection);
  CHECK(made.finished() == "{\"resourceSpans\":[]}\n");
}

TEST_CASE("spans: so many findings of a connection wait for their RPC") {
  for (const size_t count : {OtlpTrace::kMostWaiting - 1, OtlpTrace::kMostWaiting}) {
    MadeSpans made;
    for (size_t i = 0; i < count; ++i) {
      made.trace.add(made.out, made.finding(7U));
    }
    const std::string text = made.finished();
    CHECK(occurrences_of_text(text, "steertag.finding.") == (count < OtlpTrace::kMostWaiting ? 0 : count));
  }
}

TEST_CASE("spans: so many findings of all connections wait") {
  for (const size_t count : {OtlpTrace::kMostWaitingInAll - 1, OtlpTrace::kMostWaitingInAll}) {
    MadeSpans made;
    for (size_t i = 0; i < count; ++i) {
      made.connection.number = static_cast<uint32_t>(i + 1);
      made.trace.add(made.out, made.finding(7U));
    }
    CHECK(occurrences_of_text(made.finished(), "steertag.finding.") ==
          (count < OtlpTrace::kMostWaitingInAll ? 0 : 1));
  }
}

TEST_CASE("spans: a line ends when it is long enough") {
  MadeSpans made;
  uint32_t rpcs = 1;
  for (; !made.trace.add(made.out, made.exchange); ++rpcs) {
    REQUIRE(made.out.size() == 0);
    ++made.exchange.xid;
  }
  const std::string text(view(made.out));
  CHECK(text.size() >= OtlpTrace::kMostBytes);
  CHECK(text.size() < OtlpTrace::kMostBytes + 4096);
  CHECK(occurrences_of_text(text, R"("kind":3)") == rpcs);
  CHECK(made.finished() == text);
}

TEST_CASE("spans: what one has begun, another ends") {
  MadeSpans made, other;
  made.trace.add(made.out, made.exchange);
  other.trace.take_over(made.trace);
  made.trace.finish(made.out);
  CHECK(occurrences_of_text(other.finished(), R"("kind":3)") == 1);
}

}  // namespace
}  // namespace steertag::report
