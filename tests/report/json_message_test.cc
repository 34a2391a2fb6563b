#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "made.h"
#include "report/json.h"

namespace steertag::report {
namespace {

using rpcrdma::TransportHeader;
using rpcrdma::v1::Proc;

constexpr std::string_view head =
    R"({"type":"message","frame":7,"frames":[7],"time":"1.500000000","conn":1,)"
    R"("from":"10.9.0.2","to":"10.9.0.1","from_client":true,"send":"send","xid":"0x1a2b3c4d",)";

// The record without what every one of these begins with, and without its new line.
std::string body(const MadeMessage& made) {
  std::string line = printed([&](Buffer& out) { json_message(out, made.message, {}); });
  REQUIRE(line.ends_with("}\n"));
  if (!line.starts_with(head)) {
    return line;
  }
  return line.substr(head.size(), line.size() - head.size() - 2);
}

TransportHeader header(Proc proc) {
  return made_header(1, static_cast<uint32_t>(proc));
}
TransportHeader header(rpcrdma::v2::Proc proc) {
  TransportHeader h = made_header(2, static_cast<uint32_t>(proc));
  if (proc != rpcrdma::v2::Proc::error && proc != rpcrdma::v2::Proc::optional) {
    h.direction = rpcrdma::MsgType::call;
    h.inv_handle = 0xC0;
  }
  return h;
}

TEST_CASE("message: a Call with every kind of chunk") {
  TransportHeader h = header(Proc::msg);
  h.chunks.reads.push_back({.position = 136, .target = segment(0xA1, 4096, 0x7F0012345000), .at = {}});
  h.chunks.reads.push_back({.position = 136, .target = segment(0xA2, 100, 0), .at = {}});
  h.chunks.writes.add().target.push_back(segment(0xB1, 65536, 0x1000));
  h.chunks.writes.add().target.clear();
  h.chunks.reply.add().target.push_back(segment(0xC1, 1024, UINT64_MAX));
  MadeMessage made(h, made_call());
  made.message.direction = flow::Direction::call;
  CHECK(
      body(made) ==
      R"("vers":1,"credit":32,"proc":"RDMA_MSG","direction":"call",)"
      R"("reads":[{"position":136,"handle":"0x000000a1","length":4096,"offset":"0x00007f0012345000"},)"
      R"({"position":136,"handle":"0x000000a2","length":100,"offset":"0x0000000000000000"}],)"
      R"("writes":[[{"handle":"0x000000b1","length":65536,"offset":"0x0000000000001000"}],[]],)"
      R"("reply":[{"handle":"0x000000c1","length":1024,"offset":"0xffffffffffffffff"}],)"
      R"("payload_length":40,"rpc":{"xid":"0x1a2b3c4d","type":"call","program":100003,"version":4,"procedure":1,)"
      R"("name":"NFSv4 COMPOUND"})");
}

TEST_CASE("message: a Reply that invalidates, over several frames") {
  MadeMessage made(header(Proc::nomsg));
  made.frames = {stamp(5, 1'400'000'000), stamp(7, 1'500'000'000)};
  made.message.frames = made.frames;
  made.message.from = rdma::Side::b;
  made.message.direction = flow::Direction::reply;
  made.message.send_invalidate = true;
  made.message.invalidated = 0xC1;
  CHECK(
      body(made) ==
      R"({"type":"message","frame":7,"frames":[5,7],"time":"1.500000000","conn":1,)"
      R"("from":"10.9.0.1","to":"10.9.0.2","from_client":false,"send":"send_invalidate","invalidated":"0x000000c1",)"
      R"("xid":"0x1a2b3c4d","vers":1,"credit":32,"proc":"RDMA_NOMSG","direction":"reply","reads":[],"writes":[],)"
      R"("payload_length":0})"
      "\n");
}

TEST_CASE("message: a Reply says how it ended") {
  rpcrdma::RpcHeader rpc;
  rpc.xid = 0x1A2B3C4D;
  rpc.type = rpcrdma::MsgType::reply;
  rpc.accept_stat = rpcrdma::AcceptStat::prog_mismatch;
  std::vector<uint8_t> payload;
  rpcrdma::encode(rpc, payload);
  CHECK(body(MadeMessage(header(Proc::msg), payload))
            .ends_with(R"("rpc":{"xid":"0x1a2b3c4d","type":"reply","reply_stat":"MSG_ACCEPTED",)"
                       R"("accept_stat":"PROG_MISMATCH"})"));
  CHECK(body(MadeMessage(header(Proc::msg), payload, 28 + 12))
            .ends_with(R"("rpc":{"xid":"0x1a2b3c4d","type":"reply","reply_stat":"MSG_ACCEPTED"})"));
  rpc.accept_stat = rpcrdma::AcceptStat{9};
  payload.clear();
  rpcrdma::encode(rpc, payload);
  CHECK(body(MadeMessage(header(Proc::msg), payload)).ends_with(R"("accept_stat":"9"})"));
  rpc.reply_stat = rpcrdma::ReplyStat::denied;
  rpc.reject_stat = rpcrdma::RejectStat{7};
  payload.clear();
  rpcrdma::encode(rpc, payload);
  CHECK(body(MadeMessage(header(Proc::msg), payload))
            .ends_with(R"("reply_stat":"MSG_DENIED","reject_stat":"7"})"));
}

TEST_CASE("message: without roles there is no from_client") {
  MadeMessage made(header(Proc::done));
  made.connection.client.reset();
  CHECK(body(made) ==
        R"({"type":"message","frame":7,"frames":[7],"time":"1.500000000","conn":1,)"
        R"("from":"10.9.0.2","to":"10.9.0.1","send":"send","xid":"0x1a2b3c4d","vers":1,"credit":32,)"
        R"("proc":"RDMA_DONE","payload_length":0})"
        "\n");
}

TEST_CASE("message: several files have names") {
  MadeMessage made(header(Proc::done));
  made.frames = {stamp(9, 1, 0), stamp(7, 1'500'000'000, 1)};
  made.message.frames = made.frames;
  made.message.at = made.frames.back();
  const std::vector<std::string> names = {"a.pcap", "b\".pcap"};
  const std::string line = printed([&](Buffer& out) { json_message(out, made.message, Files{names}); });
  CHECK(line.starts_with(
      R"({"type":"message","frame":7,"file":"b\".pcap","frames":[9,7],"files":["a.pcap","b\".pcap"],"time")"));
}

TEST_CASE("message: RDMA_MSGP") {
  TransportHeader h = header(Proc::msgp);
  h.padding = rpcrdma::v1::Padding{.align = 4096, .thresh = 1000};
  CHECK(
      body(MadeMessage(h)) ==
      R"("vers":1,"credit":32,"proc":"RDMA_MSGP","align":4096,"thresh":1000,"reads":[],"writes":[],"payload_length":0)");
}

TEST_CASE("message: CONF_RDMA") {
  namespace config = rpcrdma::config;
  MadeMessage made(header(Proc::msg), made_call());
  made.message.config = config::Found{config::Request{8192, 4096, 7}, {}, 40};
  CHECK(
      body(made).find(R"("conf_rdma":{"maxcall_sendsize":8192,"maxreply_sendsize":4096,"maxrdmaread":7})") !=
      std::string::npos);
  made.message.config = config::Found{{}, config::Reply{2048, 512, 3}, 24};
  CHECK(body(made).find(R"("conf_rdma":{"maxcall_sendsize":2048,"align":512,"maxrdmaread":3})") !=
        std::string::npos);
}

TEST_CASE("message: errors of version one") {
  TransportHeader h = header(Proc::error);
  h.error_v1 = rpcrdma::v1::Error{.code = rpcrdma::v1::ErrorCode::vers, .vers_low = 1, .vers_high = 2};
  constexpr std::string_view words = R"("vers":1,"credit":32,"proc":"RDMA_ERROR",)";
  CHECK(body(MadeMessage(h)) ==
        std::string(words) + R"("error":{"code":"ERR_VERS","vers_low":1,"vers_high":2},"payload_length":0)");
  h.error_v1->code = rpcrdma::v1::ErrorCode::chunk;
  CHECK(body(MadeMessage(h)) == std::string(words) + R"("error":{"code":"ERR_CHUNK"},"payload_length":0)");
  h.error_v1->code = static_cast<rpcrdma::v1::ErrorCode>(77);
  CHECK(body(MadeMessage(h)) == std::string(words) + R"("error":{"code":"77"},"payload_length":0)");
  h.error_v1->extra.emplace().back() = 9;
  CHECK(body(MadeMessage(h)) == std::string(words) + R"("error":{"code":"77","extra":")" +
                                    std::string(62, '0') + R"(09"},"payload_length":0)");
}

TEST_CASE("message: errors of version two") {
  TransportHeader h = header(rpcrdma::v2::Proc::error);
  constexpr std::string_view words = R"("vers":2,"credit":32,"proc":"RDMA2_ERROR",)";
  h.error_v2 = rpcrdma::v2::Error{.code = rpcrdma::v2::ErrorCode::cant_reply,
                                  .processed = rpcrdma::XdrBool::yes,
                                  .segment_index = 2,
                                  .length_needed = 9000};
  CHECK(body(MadeMessage(h)) ==
        std::string(words) + R"("error":{"code":"RDMA2_ERR_CANT_REPLY","processed":true,"segment_index":2,)"
                             R"("length_needed":9000},"payload_length":0)");
  h.error_v2->code = rpcrdma::v2::ErrorCode::inval_option;
  CHECK(body(MadeMessage(h)) ==
        std::string(words) + R"("error":{"code":"RDMA2_ERR_INVAL_OPTION"},"payload_length":0)");
  h.error_v2 = rpcrdma::v2::Error{.code = rpcrdma::v2::ErrorCode::vers, .vers_low = 1, .vers_high = 2};
  CHECK(body(MadeMessage(h)) ==
        std::string(words) +
            R"("error":{"code":"RDMA2_ERR_VERS","vers_low":1,"vers_high":2},"payload_length":0)");
  CHECK_THAT(body(MadeMessage(h, {}, 24)),
             Catch::Contains(R"("error":{"code":"RDMA2_ERR_VERS","vers_low":1})"));
}

TEST_CASE("message: who refuses version two in version two sends an RDMA2_ERROR") {
  TransportHeader h = header(rpcrdma::v2::Proc::error);
  h.error_v2 = rpcrdma::v2::Error{.code = rpcrdma::v2::ErrorCode::vers, .vers_low = 1, .vers_high = 1};
  CHECK(
      body(MadeMessage(h)) ==
      R"("vers":2,"credit":32,"proc":"RDMA2_ERROR","error":{"code":"RDMA2_ERR_VERS","vers_low":1,"vers_high":1},)"
      R"("payload_length":0)");
}

TEST_CASE("message: a Call of version two") {
  MadeMessage made(header(rpcrdma::v2::Proc::msg), made_call());
  made.message.direction = flow::Direction::call;
  CHECK(body(made).starts_with(
      R"("vers":2,"credit":32,"proc":"RDMA2_MSG","direction":"call","inv_handle":"0x000000c0",)"
      R"("reads":[],"writes":[],"payload_length":40,"rpc":{)"));
}

// RDMA2_OPTIONAL with this operation; the structure is filled in by `fill`.
template <typename F>
std::string optional(rpcrdma::xchar::Operation operation, F&& fill) {
  TransportHeader h = header(rpcrdma::v2::Proc::optional);
  rpcrdma::v2::Optional& body_of = h.optional.add();
  body_of.direction = rpcrdma::MsgType::call;
  body_of.opttype = operation;
  fill(body_of);
  const std::string text = body(MadeMessage(h));
  constexpr std::string_view words = R"("vers":2,"credit":32,"proc":"RDMA2_OPTIONAL","optional":)";
  REQUIRE(text.starts_with(words));
  return text.substr(words.size());
}

TEST_CASE("message: transport characteristics") {
  using rpcrdma::xchar::Id;
  using rpcrdma::xchar::make;
  using rpcrdma::xchar::Operation;
  CHECK(
      optional(Operation::initxch,
               [](auto& o) {
                 o.init.start.push_back(make(Id::rbsiz, 8192));
                 o.init.start.push_back(make(Id::reqreminv, 1));
                 o.init.start.push_back({.which = static_cast<Id>(0xFFFFFF01), .data = {1, 2, 3}, .at = {}});
                 o.init.nochg.set(0);
                 o.init.nochg.set(33);
               }) ==
      R"({"opttype":1,"operation":"ROPT_INITXCH","start":[{"id":1,"name":"XCHAR_RBSIZ","value":8192},)"
      R"({"id":2,"name":"XCHAR_REQREMINV","value":1,"text":"TRUE"},{"id":4294967041,"data":"010203"}],)"
      R"("nochg":[0,33]},"payload_length":0)");
  CHECK(
      optional(Operation::reqxch, [](auto& o) { o.request.want.push_back(make(Id::brs, 2)); }) ==
      R"({"opttype":2,"operation":"ROPT_REQXCH","want":[{"id":3,"name":"XCHAR_BRS","value":2,"text":"BKREQSUP_GENL"}]},)"
      R"("payload_length":0)");
  CHECK(optional(Operation::respxch, [](auto& o) { o.response.rej.set(1); }) ==
        R"({"opttype":3,"operation":"ROPT_RESPXCH","done":[],"rej":[1],"pend":[]},"payload_length":0)");
  CHECK(optional(Operation::updxch,
                 [](auto& o) {
                   o.update.now = make(Id::rbsiz, 4096);
                   o.update.pendclr = rpcrdma::XdrBool::yes;
                 }) ==
        R"({"opttype":4,"operation":"ROPT_UPDXCH","now":{"id":1,"name":"XCHAR_RBSIZ","value":4096},)"
        R"("pendclr":true},"payload_length":0)");
  CHECK(optional(static_cast<Operation>(99), [](auto& o) {
          o.info = {0xDE, 0xAD, 0xBE, 0xEF};
        }) == R"({"opttype":99,"info":"deadbeef"},"payload_length":0)");
}

// A message of RDMA2_OPTIONAL cut after `length` bytes: its "optional", without the stop behind it.
template <typename F>
std::string cut_optional(rpcrdma::xchar::Operation operation, size_t length, F&& fill) {
  TransportHeader h = header(rpcrdma::v2::Proc::optional);
  rpcrdma::v2::Optional& body_of = h.optional.add();
  body_of.direction = rpcrdma::MsgType::call;
  body_of.opttype = operation;
  fill(body_of);
  const std::string captured = body(MadeMessage(h, {}, length));
  const size_t begin = captured.find(R"("optional":)") + 11;
  const size_t end = captured.find(R"(,"stop")");
  REQUIRE(end != std::string::npos);
  return captured.substr(begin, end - begin);
}

TEST_CASE("message: members of an extension's structure that were not read are left out") {
  using rpcrdma::xchar::Id;
  using rpcrdma::xchar::make;
  using rpcrdma::xchar::Operation;
  const auto init = [](auto& o) {
    o.init.start.push_back(make(Id::rbsiz, 8192));
    o.init.nochg.set(0);
  };
  const std::string nothing = R"({"opttype":1,"operation":"ROPT_INITXCH"})";
  const std::string start = R"({"opttype":1,"operation":"ROPT_INITXCH","start":[)"
                            R"({"id":1,"name":"XCHAR_RBSIZ","value":8192}]})";
  for (const size_t length : {24, 28, 32, 36, 40}) {
    CHECK(cut_optional(Operation::initxch, length, init) == nothing);
  }
  for (const size_t length : {44, 48}) {
    CHECK(cut_optional(Operation::initxch, length, init) == start);
  }
  const auto none = [](auto& o) { o.init.nochg.set(0); };  // an empty list that was read is there
  CHECK(cut_optional(Operation::initxch, 28, none) == nothing);
  CHECK(cut_optional(Operation::initxch, 32, none) ==
        R"({"opttype":1,"operation":"ROPT_INITXCH","start":[]})");

  const auto response = [](auto& o) { o.response.rej.set(1); };
  CHECK(cut_optional(Operation::respxch, 32, response) ==
        R"({"opttype":3,"operation":"ROPT_RESPXCH","done":[]})");
  CHECK(cut_optional(Operation::respxch, 40, response) ==
        R"({"opttype":3,"operation":"ROPT_RESPXCH","done":[],"rej":[1]})");
  CHECK(cut_optional(Operation::reqxch, 28, [](auto&) {}) == R"({"opttype":2,"operation":"ROPT_REQXCH"})");

  const auto update = [](auto& o) { o.update.now = make(Id::rbsiz, 8192); };
  for (const size_t length : {24, 28, 32, 36}) {
    CHECK(cut_optional(Operation::updxch, length, update) == R"({"opttype":4,"operation":"ROPT_UPDXCH"})");
  }
  CHECK(cut_optional(Operation::updxch, 40, update) ==
        R"({"opttype":4,"operation":"ROPT_UPDXCH","now":{"id":1,"name":"XCHAR_RBSIZ","value":8192}})");
  CHECK(cut_optional(static_cast<Operation>(99), 28, [](auto& o) {
          o.info = {1, 2, 3, 4};
        }) == R"({"opttype":99})");
}

TEST_CASE("message: a structure that ends before its members do") {
  // rdma_optinfo holds four bytes, an empty list, where ROPT_INITXCH has two lists; the header ends behind
  // it.
  std::vector<uint8_t> sent = MadeMessage(made_header(2, 5)).bytes;
  REQUIRE(sent.size() == 28);  // an empty ROPT_ of type 0
  sent[23] = 1;
  sent[27] = 4;
  sent.resize(32);
  const MadeMessage made(sent);
  CHECK(made.message.decoded.header_length == 32);
  CHECK(body(made).find(R"("optional":{"opttype":1,"operation":"ROPT_INITXCH","start":[]},"stop")") !=
        std::string::npos);
}

TEST_CASE("message: what the capture cut off") {
  CHECK(body(MadeMessage(header(Proc::msg), std::vector<uint8_t>(200), 100))
            .starts_with(R"("vers":1,"credit":32,"proc":"RDMA_MSG","reads":[],"writes":[],)"
                         R"("payload_length":200,"payload_captured":72)"));
  TransportHeader h = header(Proc::msg);
  h.chunks.reads.push_back({.position = 0, .target = segment(1, 2, 3), .at = {}});
  CHECK(body(MadeMessage(h, {}, 42)) ==
        R"("vers":1,"credit":32,"proc":"RDMA_MSG",)"
        R"("reads":[{"position":0,"handle":"0x00000001","length":2,"offset":"0x0000000000000003"}],)"
        R"("stop":{"field":"rdma_reads","offset":40,"needed":4,"available":2,"limit":"capture"})");
}

TEST_CASE("message: a Send too short for the fixed header") {
  CHECK(body(MadeMessage(std::vector<uint8_t>{0x1A, 0x2B, 0x3C, 0x4D, 0, 0, 0, 1, 0, 0})) ==
        R"("vers":1,"stop":{"field":"rdma_credit","offset":8,"needed":4,"available":2,"limit":"message"})");
  const MadeMessage shorter(std::vector<uint8_t>{0x1A, 0x2B});
  CHECK(body(shorter).find(R"("xid")") == std::string::npos);
}

TEST_CASE("message: procedures and versions that do not exist") {
  CHECK(body(MadeMessage(made_header(1, 9))) == R"("vers":1,"credit":32,"proc":"9","payload_length":0)");
  CHECK(body(MadeMessage(made_header(3, 0))) == R"("vers":3,"credit":32,"proc":"0","payload_length":0)");
}

}  // namespace
}  // namespace steertag::report
