#include "report/perfetto.h"

#include <catch2/catch.hpp>
#include <string>

#include "made.h"

namespace steertag::report {
namespace {

flow::Exchange unanswered(const track::Connection& connection, int64_t call_ns) {
  flow::Exchange exchange;
  exchange.connection = &connection;
  exchange.call = stamp(7, call_ns);
  return exchange;
}

TEST_CASE("trace: of RPCs that never end, so many have a slot for good") {
  const track::Connection connection = made_connection();
  PerfettoTrace trace{Files{}};
  Buffer out;
  for (uint32_t i = 0; i < PerfettoTrace::kMostOpen + 3; ++i) {
    trace.add(out, unanswered(connection, 1'000 + i));
  }
  // The last three ended with the last frame of their connection.
  flow::Exchange later = unanswered(connection, connection.last_frame.time_ns + 1);
  later.reply = stamp(95, connection.last_frame.time_ns + 2);
  later.status = flow::Status::complete;
  trace.add(out, later);
  const std::string text(view(out));
  CHECK(text.find("slot " + std::to_string(PerfettoTrace::kMostOpen + 3)) != std::string::npos);
  CHECK(text.find("slot " + std::to_string(PerfettoTrace::kMostOpen + 4)) == std::string::npos);
  CHECK(trace.left_out() == 0);
}

TEST_CASE("trace: what there is no lane for is counted") {
  track::Connection connection = made_connection();
  connection.ended = rdma::EndReason::disconnect;
  PerfettoTrace trace{Files{}};
  Buffer out;
  for (size_t i = 0; i < Lanes::kMostLanes + 2; ++i) {
    trace.add(out, unanswered(connection, 1'000));
  }
  CHECK(trace.left_out() == 2);
}

TEST_CASE("trace: a connection that is closed is forgotten, a new one has tracks of its own") {
  track::Connection connection = made_connection();
  PerfettoTrace trace{Files{}};
  Buffer out;
  trace.add(out, unanswered(connection, 1'000));
  trace.close(connection);
  connection.number = 2;
  trace.add(out, unanswered(connection, 1'000));
  const std::string text(view(out));
  CHECK(text.find("#1 roce2 10.9.0.2 QP 0x000011 -> 10.9.0.1 QP 0x000012") != std::string::npos);
  CHECK(text.find("#2 roce2") != std::string::npos);
  CHECK(text.find("slot 1") != text.rfind("slot 1"));
  CHECK(text.find("slot 2") == std::string::npos);
}

TEST_CASE("trace: an empty one has a clock, once") {
  PerfettoTrace trace{Files{}}, other{Files{}};
  Buffer out;
  trace.finish(out);
  const size_t size = out.size();
  CHECK(size > 10);
  trace.finish(out);
  other.take_over(trace);
  other.finish(out);
  CHECK(out.size() == size);
}

}  // namespace
}  // namespace steertag::report
