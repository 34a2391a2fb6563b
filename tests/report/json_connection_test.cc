#include <catch2/catch.hpp>
#include <string>

#include "made.h"
#include "report/json.h"

namespace steertag::report {
namespace {

std::string line(const track::Connection& connection, bool ended = false, uint32_t number = 0) {
  return printed([&](Buffer& out) {
    json_connection(out, connection, number, ended ? Stage::ended : Stage::named, {});
  });
}

void complete_setup(track::Connection& c) {
  for (track::End& end : c.ends) {
    end.setup_seen = end.private_data_whole = true;
    end.private_data.present = true;
    end.private_data.version = 1;
    end.private_data.send_size = 4096;
    end.private_data.receive_size = 8192;
  }
  c.ends[0].private_data.remote_invalidation = true;
  c.ends[1].port = 20049;
}

TEST_CASE("connection: RoCE with its setup") {
  track::Connection c = made_connection();
  complete_setup(c);
  CHECK(
      line(c) ==
      R"({"type":"connection","conn":1,"transport":"roce2","client":"10.9.0.2","server":"10.9.0.1",)"
      R"("client_qpn":"0x000011","server_qpn":"0x000012","server_port":20049,"setup_seen":true,"pairing":"setup",)"
      R"("first_frame":1,"version":1,"private_data":{)"
      R"("client":{"remote_invalidation":true,"send_size":4096,"receive_size":8192},)"
      R"("server":{"remote_invalidation":false,"send_size":4096,"receive_size":8192}}})"
      "\n");
}

TEST_CASE("connection: the client may be either side") {
  track::Connection c = made_connection();
  c.client = rdma::Side::b;
  CHECK(line(c).find(R"("client":"10.9.0.1","server":"10.9.0.2","client_qpn":"0x000012")") !=
        std::string::npos);
}

TEST_CASE("connection: iWARP in the middle, roles unknown, ended") {
  track::Connection c = made_connection();
  c.transport = rdma::Transport::iwarp;
  c.client.reset();
  c.version = 0;
  for (track::End& end : c.ends) {
    end.qpn.reset();
    end.port = 45000;
  }
  c.ended = rdma::EndReason::reset;
  c.ends[1].gaps = 2;
  CHECK(
      line(c, true) ==
      R"({"type":"connection","conn":1,"transport":"iwarp","a":"10.9.0.2","b":"10.9.0.1","a_port":45000,)"
      R"("b_port":45000,"setup_seen":false,"pairing":"setup","first_frame":1,"last_frame":90,"ended":"reset",)"
      R"("b_gaps":2})"
      "\n");
}

TEST_CASE("connection: copies and marks of congestion, once it has ended") {
  track::Connection c = made_connection();
  c.ends[0].copies = 3;
  c.ends[1].copies = 4;
  c.ends[1].ecn_ce = 2;
  c.ends[0].cnps = 1;
  c.pauses = 9;
  CHECK(line(c, true).find(R"("copies":7,"ecn_ce":2,"cnps":1,"pauses":9})") != std::string::npos);
  CHECK(line(c).find("copies") == std::string::npos);
}

TEST_CASE("connection: credits are shown of whoever was granted some, or had Calls under way") {
  track::Connection c = made_connection();
  c.ends[0].credits.granted_min = c.ends[0].credits.granted_max = 8;
  c.ends[1].credits.in_flight_max = 2;
  CHECK(line(c, true).find(R"("credits":{"client":{"granted_min":8,"granted_max":8,"in_flight_max":0},)"
                           R"("server":{"in_flight_max":2}})") != std::string::npos);
}

TEST_CASE("connection: setup_seen asks for both halves, whole") {
  track::Connection c = made_connection();
  complete_setup(c);
  c.ends[1].private_data_whole = false;
  c.ends[1].private_data = {};
  const std::string text = line(c);
  CHECK(text.find(R"("setup_seen":false)") != std::string::npos);
  CHECK(
      text.find(
          R"("private_data":{"client":{"remote_invalidation":true,"send_size":4096,"receive_size":8192}}})") !=
      std::string::npos);
}

TEST_CASE("connection: without RPC-over-RDMA it takes the caller's number") {
  track::Connection c = made_connection();
  c.number = 0;
  c.rpcrdma = false;
  const std::string text = line(c, true, 4);
  CHECK(text.starts_with(R"({"type":"connection","conn":4,)"));
  CHECK(text.find(R"("rpcrdma":false)") != std::string::npos);
}

}  // namespace
}  // namespace steertag::report
