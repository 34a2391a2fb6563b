// Which way a message goes, by what it says and by what is known.
#include "rpc/direction.h"

#include <catch2/catch.hpp>
#include <vector>

#include "nfs/made.h"

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::rpc;

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
  CHECK(of(client) == Direction::unknown);
}

TEST_CASE_METHOD(DirectionFixture, "without anything to be read it is no Call of the server") {
  become_nomsg();
  message.direction = of(server);
  CHECK(message.direction == Direction::reply);
  CHECK(is_assumed(message, facts));
  message.direction_guessed = true;
  CHECK(assumed_reply(message));
  facts.awaited = true;  // may be any answer, but returns nothing
  CHECK(of(server) == Direction::unknown);
  facts.awaited = false;
  facts.client.reset();
  CHECK(of(server) == Direction::unknown);
  facts.client = client;
  header.version = 2;
  header.direction = rpcrdma::MsgType::call;
  CHECK(of(server) == Direction::call);
  header.version = 1;
  header.direction.reset();
  message.decoded.odd_discriminator = wire::Reader::OddDiscriminator{};
  CHECK(of(server) == Direction::unknown);  // who knows what its lists are
}

TEST_CASE_METHOD(DirectionFixture, "what names memory of its receiver is no Call of either end") {
  become_nomsg();
  header.chunks.reply.add().target.push_back({3, 100, 0, {}});
  facts.answers_otherwise = true;
  for (const Side from : {client, server}) {
    message.direction = of(from);
    CHECK(message.direction == Direction::reply);
    CHECK_FALSE(is_assumed(message, facts));
  }
  header.chunks.reads.push_back({0, {1, 100, 0, {}}, {}});
  CHECK(of(server) == Direction::reply);
}

TEST_CASE_METHOD(DirectionFixture,
                 "a callback's Reply may be left to be read, and its chunks distinguish it from a Call") {
  become_nomsg();
  header.chunks.reads.push_back({0, {1, 100, 0, {}}, {}});
  facts.returns = true;
  CHECK(of(client) == Direction::call);  // nothing of the server's is open
  facts.awaited = true;
  message.direction = of(client);
  CHECK(message.direction == Direction::reply);
  CHECK(is_guess(message, client));  // XIDs are each Requester's own
  CHECK(left_by_client(message, client));
  message.direction = of(server);
  CHECK(message.direction == Direction::reply);
  CHECK_FALSE(is_guess(message, client));

  facts.returns = false;  // a Write list or Reply chunk of its own
  CHECK(of(client) == Direction::call);
  facts.returns = true;
  facts.client.reset();
  CHECK(of(client) == Direction::call);
  facts.client = client;
  header.chunks.reads.push_back({96, {2, 100, 0, {}}, {}});  // data beside the message
  CHECK(of(client) == Direction::call);
  header.chunks.reads.drop_last();
  header.chunks.reply.add().target.push_back({3, 100, 0, {}});
  CHECK(of(client) == Direction::call);
}

TEST_CASE_METHOD(DirectionFixture,
                 "what a server left to be read may be a callback with the XID of an open Call") {
  become_nomsg();
  header.chunks.reads.push_back({0, {1, 100, 0, {}}, {}});
  facts.awaited = facts.calls_back = true;
  message.direction = of(server);
  CHECK(message.direction == Direction::reply);
  CHECK(left_by_server(message, facts));
  CHECK_FALSE(taken_by_xid(message, client));
  message.direction_guessed = true;
  CHECK(taken_by_xid(message, client));

  facts.calls_back = false;
  CHECK_FALSE(left_by_server(message, facts));
  facts.calls_back = true;
  facts.client.reset();
  CHECK_FALSE(left_by_server(message, facts));
  facts.client = client;
  message.direction = Direction::call;
  CHECK_FALSE(left_by_server(message, facts));
  CHECK_FALSE(taken_by_xid(message, client));
  message.direction = Direction::reply;
  header.direction = rpcrdma::MsgType::reply;  // version two says so
  CHECK_FALSE(left_by_server(message, facts));
  CHECK_FALSE(taken_by_xid(message, client));
}

TEST_CASE("only sessions have their back channel on the connection of their Calls") {
  nfs::CallWalk walk;
  Exchange call;
  CHECK(may_call_back(call, false, walk));  // of what nothing is known
  call.procedure = Exchange::Procedure{100003, 3, 1};
  CHECK_FALSE(may_call_back(call, false, walk));
  CHECK(may_call_back(call, true, walk));  // beside a session
  call.procedure = Exchange::Procedure{100003, 4, 1};
  for (const uint32_t minor : {0u, 1u, 2u}) {
    call.call_inline = made::compound_of(minor, 1).words(made::kGetAttr, 1, 2).bytes;
    call.call_inline_length = static_cast<uint32_t>(call.call_inline.size());
    CHECK(may_call_back(call, true, walk) == (minor != 0));
  }
  call.call_inline.clear();  // not captured
  CHECK(may_call_back(call, false, walk));
}

TEST_CASE_METHOD(DirectionFixture, "a Read list is the client's Reply's where the RPC message says so") {
  header.chunks.reads.push_back({96, {1, 100, 0, {}}, {}});
  conveys(rpcrdma::MsgType::reply);
  message.direction = of(client);
  CHECK(message.direction == Direction::reply);
  CHECK_FALSE(left_by_client(message, client));
  CHECK_FALSE(is_guess(message, client));
  cut_behind_header();
  facts.awaited = facts.returns = true;
  message.direction = of(client);
  CHECK(message.direction == Direction::reply);
  CHECK(is_guess(message, client));
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
