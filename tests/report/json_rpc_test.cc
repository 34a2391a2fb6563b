#include <catch2/catch.hpp>
#include <string>

#include "made.h"
#include "report/json.h"

namespace steertag::report {
namespace {

using flow::ChunkKind;

struct MadeExchange {
  track::Connection connection = made_connection();
  flow::Exchange exchange;

  MadeExchange() {
    exchange.connection = &connection;
    exchange.xid = 0x1A2B3C4D;
    exchange.call = stamp(7, 1'500'000'000);
    exchange.reply = stamp(9, 1'500'318'250);
    exchange.status = flow::Status::complete;
    exchange.procedure = flow::Exchange::Procedure{.program = 100003, .version = 3, .procedure = 6};
  }
  flow::SegmentFlow& add(ChunkKind kind, uint32_t handle, uint32_t length) {
    flow::SegmentFlow& flow = exchange.segments.add();
    flow.kind = kind;
    flow.target = segment(handle, length, 0x1000);
    return flow;
  }
  std::string line(const Files& files = {}) const {
    return printed([&](Buffer& out) { json_rpc(out, exchange, files); });
  }
};

TEST_CASE("rpc: a READ through one Write chunk") {
  MadeExchange made;
  flow::SegmentFlow& flow = made.add(ChunkKind::write, 0xB1, 65536);
  flow.traffic = traffic(4096, 1, {stamp(8)});
  flow.returned = 4096;
  made.exchange.invalidated = 0xB1;
  CHECK(
      made.line() ==
      R"({"type":"rpc","conn":1,"xid":"0x1a2b3c4d","direction":"forward","call_frame":7,"reply_frame":9,)"
      R"("call_time":"1.500000000","latency_us":318.25,"program":100003,"version":3,"procedure":6,)"
      R"("name":"NFSv3 READ","status":"complete","reads":[],"writes":[[{"handle":"0x000000b1","length":65536,)"
      R"("offset":"0x0000000000001000","moved":4096,"ops":1,"frames":[8],"returned":4096}]],)"
      R"("invalidated":"0x000000b1","complete":true})"
      "\n");
}

TEST_CASE("rpc: what it was about, as far as that is known") {
  MadeExchange made;
  flow::Subject& subject = made.exchange.subject;
  subject.op = "READ";
  subject.arguments_length = 92;
  subject.results_length = 4224;
  subject.nfs_status = 0;
  CHECK(made.line().find(
            R"("name":"NFSv3 READ","op":"READ","args_length":92,"results_length":4224,"status":)") !=
        std::string::npos);
  CHECK(made.line().find("nfs_status") == std::string::npos);
  subject.ops.add() = "PUTFH";
  subject.ops.add() = "READ";
  subject.nfs_status = 70;
  subject.nfs_status_name = "NFS4ERR_STALE";
  CHECK(made.line().find(R"("op":"READ","ops":["PUTFH","READ"],"ops_whole":false,"args_length":)") !=
        std::string::npos);
  CHECK(made.line().find(R"("nfs_status":"NFS4ERR_STALE")") != std::string::npos);
  subject.ops_whole = true;
  CHECK(made.line().find("ops_whole") == std::string::npos);
}

TEST_CASE("rpc: Read list, chunks of the Write list, Reply chunk") {
  MadeExchange made;
  made.add(ChunkKind::read, 0xA1, 40).position = 136;
  made.add(ChunkKind::write, 0xB1, 1);
  made.add(ChunkKind::write, 0xB2, 2);
  made.add(ChunkKind::write, 0xB3, 3).chunk = 2;  // chunk 1 has no segments
  made.add(ChunkKind::reply, 0xC1, 4).after_reply = true;
  const std::string line = made.line();
  const auto seg = [](const char* handle, int length) {
    return R"({"handle":"0x000000)" + std::string(handle) + R"(","length":)" + std::to_string(length) +
           R"(,"offset":"0x0000000000001000",)";
  };
  const std::string idle = R"("moved":0,"ops":0,"frames":[])";
  CHECK(line.find(R"("reads":[)" + seg("a1", 40) + R"("position":136,)" + idle + R"(}],"writes":[[)" +
                  seg("b1", 1) + idle + "}," + seg("b2", 2) + idle + "}],[],[" + seg("b3", 3) + idle +
                  R"(}]],"reply_chunk":[)" + seg("c1", 4) + idle +
                  R"(,"after_reply":true}],"complete":true)") != std::string::npos);
}

TEST_CASE("rpc: what is missing is left out") {
  MadeExchange made;
  made.exchange.reply.reset();
  made.exchange.procedure.reset();
  made.exchange.status = flow::Status::no_reply;
  made.exchange.complete = false;
  CHECK(
      made.line() ==
      R"({"type":"rpc","conn":1,"xid":"0x1a2b3c4d","direction":"forward","call_frame":7,"call_time":"1.500000000",)"
      R"("status":"no_reply","reads":[],"writes":[],"complete":false})"
      "\n");
  made.exchange.reply = made.exchange.call;
  made.exchange.call.reset();
  made.exchange.status = flow::Status::no_call;
  made.exchange.doubt = flow::Doubt::call_missing;
  made.exchange.backward = true;
  CHECK(
      made.line() ==
      R"({"type":"rpc","conn":1,"xid":"0x1a2b3c4d","direction":"backward","reply_frame":7,"reply_time":"1.500000000",)"
      R"("status":"no_call","reads":[],"writes":[],"complete":false,"incomplete_because":"call_missing"})"
      "\n");
}

TEST_CASE("rpc: what its connection met meanwhile, where there was anything") {
  MadeExchange made;
  const auto tail = [&] {
    const std::string line = made.line();
    return line.substr(line.find(R"("writes":)"));
  };
  CHECK(tail() == R"("writes":[],"complete":true})"
                  "\n");
  made.exchange.naks = 3;
  made.exchange.slowdown = {.rnr_naks = 2, .ecn_ce = 5, .cnps = 6};
  CHECK(tail() == R"("writes":[],"naks":3,"rnr_naks":2,"ecn_ce":5,"cnps":6,"complete":true})"
                  "\n");
  made.exchange.naks = 0;
  made.exchange.slowdown = {.zero_windows = 4, .pauses = 7};
  CHECK(tail() == R"("writes":[],"zero_windows":4,"pauses":7,"complete":true})"
                  "\n");
}

TEST_CASE("rpc: frames of several files") {
  MadeExchange made;
  made.exchange.reply->file = 1;
  flow::SegmentFlow& flow = made.add(ChunkKind::read, 0xA1, 40);
  flow.traffic = traffic(0, 0, {stamp(3, 0, 1), stamp(4, 0, 0)});
  const std::vector<std::string> names = {"a", "b"};
  const std::string line = made.line(Files{names});
  CHECK(line.find(R"("call_frame":7,"call_file":"a","reply_frame":9,"reply_file":"b")") != std::string::npos);
  CHECK(line.find(R"("frames":[3,4],"files":["b","a"])") != std::string::npos);
}

TEST_CASE(
    "rpc: for a report: which copies arrived, what was sent again or refused meanwhile, who says it "
    "arrived") {
  MadeExchange made;
  flow::Exchange& exchange = made.exchange;
  stats::Setbacks::Some setbacks;
  const auto line = [&](const Files& files = {}) {
    return printed([&](Buffer& out) { json_rpc(out, exchange, files, setbacks); });
  };
  CHECK(line() == made.line());  // nothing went wrong
  exchange.timeline.call_accepted = *exchange.call;
  exchange.timeline.reply_accepted = stamp(30, 1'600'000'000);
  exchange.timeline.reply_acknowledged = stamp(31, 1'600'007'000);
  CHECK(line().find(R"("status":"complete","reply_accepted_frame":30,"reads":)") != std::string::npos);
  CHECK(line().find("acknowledged") == std::string::npos);  // that is of interest where something went wrong
  exchange.timeline.call_accepted = stamp(8, 1'500'100'000);
  CHECK(line().find(R"("call_accepted_frame":8,"reply_accepted_frame":30,)") != std::string::npos);
  exchange.retransmissions = 2;
  setbacks.all = 5;
  setbacks.told = {
      {flow::Disturbance::Kind::sent_again, exchange.requester, stamp(8, 1'500'100'000)},
      {flow::Disturbance::Kind::nak, rdma::other(exchange.requester), stamp(6, 1'400'000'000)},
      {flow::Disturbance::Kind::rnr_nak, exchange.requester, stamp(9, 1'500'200'999)},
      {flow::Disturbance::Kind::zero_window, exchange.requester, stamp(10, 1'500'300'000)},
  };
  CHECK(
      line().find(
          R"("repeats":2,"reply_acknowledged":{"frame":31,"us":100007},)"
          R"("setbacks":[{"frame":8,"us":100,"what":"sent_again","by":"requester"},)"
          R"({"frame":6,"us":0,"what":"nak","by":"responder"},{"frame":9,"us":200,"what":"rnr_nak","by":"requester"},)"
          R"({"frame":10,"us":300,"what":"zero_window","by":"requester"}],"setbacks_in_all":5,"complete":true})") !=
      std::string::npos);
  setbacks.all = 4;
  CHECK(line().find("setbacks_in_all") == std::string::npos);
}

}  // namespace
}  // namespace steertag::report
