// Which way a message goes, by what it says and by what is known.
#include "flow/direction.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace steertag;
using namespace steertag::flow;

namespace {

constexpr Side client = Side::a, server = Side::b;

// A message of version one that conveys an RPC, of which everything was captured.
struct DirectionFixture {
  rpcrdma::TransportHeader header;
  rpcrdma::RpcHeader rpc;
  std::vector<uint8_t> bytes = std::vector<uint8_t>(100);
  Message message;
  DirectionFacts facts;

  DirectionFixture() {
    header.version = 1;
    header.xid = rpc.xid = 7;
    message.header = &header;
    message.bytes = bytes;
    message.length = 100;
    message.decoded.header_length = 28;
    message.payload = Bytes(bytes).subspan(28);
    message.payload_length = 72;
    facts.client = client;
  }
  Direction of(Side from) {
    message.from = from;
    return direction_of(message, facts);
  }
  void conveys(rpcrdma::MsgType type) {
    rpc.type = type;
    facts.rpc = &rpc;
  }
  void cut_behind_header() {
    facts.rpc = nullptr;
    message.payload = {};
  }
  void become(rpcrdma::v1::Proc procedure) { header.procedure = static_cast<uint32_t>(procedure); }
  void become_nomsg() {
    become(rpcrdma::v1::Proc::nomsg);
    facts.rpc = nullptr;
    message.payload = {};
    message.payload_length = 0;
  }
};

}  // namespace

TEST_CASE_METHOD(DirectionFixture, "what is conveyed says it in version one") {
  conveys(rpcrdma::MsgType::call);
  CHECK(of(server) == Direction::call);
  conveys(rpcrdma::MsgType::reply);
  facts.awaited = false;
  CHECK(of(client) == Direction::reply);
  rpc.type = static_cast<rpcrdma::MsgType>(9);
  CHECK(of(client) == Direction::unknown);
  CHECK(is_attempt(message) == (message.direction == Direction::unknown));
}

TEST_CASE_METHOD(DirectionFixture, "an RDMA_ERROR is an answer") {
  become(rpcrdma::v1::Proc::error);
  CHECK(of(client) == Direction::reply);
}

TEST_CASE_METHOD(DirectionFixture, "without a message the chunks say it, and what is awaited") {
  become_nomsg();
  CHECK(of(client) == Direction::unknown);
  header.chunks.reads.push_back({0, {1, 100, 0, {}}, {}});
  CHECK(of(client) == Direction::call);
  facts.awaited = true;
  CHECK(of(client) == Direction::call);
  CHECK(of(server) == Direction::reply);  // RFC 5666 §3.5
  header.chunks.reads.clear();
  header.chunks.reply.add();
  CHECK(of(server) == Direction::reply);
  facts.awaited = false;
  CHECK(of(server) == Direction::unknown);
}

TEST_CASE_METHOD(DirectionFixture, "of what is cut the client's are Calls and answers what is awaited") {
  cut_behind_header();
  CHECK(type_cut(message));
  CHECK(of(client) == Direction::call);
  facts.awaited = true;
  CHECK(of(client) == Direction::reply);
  CHECK(of(server) == Direction::reply);
  facts.awaited = false;
  CHECK(of(server) == Direction::unknown);
  facts.seen_whole = true;
  CHECK(of(server) == Direction::call);
  facts.answered = true;
  CHECK(of(server) == Direction::unknown);
  facts.forgotten = true;
  CHECK(of(client) == Direction::unknown);
}

TEST_CASE_METHOD(DirectionFixture, "what follows only from what is missing is a guess") {
  cut_behind_header();
  message.direction = of(client);
  CHECK(is_guess(message, client));
  header.chunks.reads.push_back({4, {1, 100, 0, {}}, {}});
  message.direction = of(client);
  CHECK(message.direction == Direction::call);
  CHECK_FALSE(is_guess(message, client));
  facts.awaited = true;
  message.direction = of(server);
  CHECK(message.direction == Direction::reply);
  CHECK(is_guess(message, client));
}

TEST_CASE_METHOD(DirectionFixture, "version two says it, unless what it conveys says otherwise") {
  header.version = 2;
  header.direction = rpcrdma::MsgType::reply;
  cut_behind_header();
  CHECK(of(client) == Direction::reply);
  message.payload = Bytes(bytes).subspan(28);
  conveys(rpcrdma::MsgType::call);
  CHECK(of(client) == Direction::call);
  rpc.xid = 8;  // not what the header is about
  CHECK(of(client) == Direction::reply);
}
