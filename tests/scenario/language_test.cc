// What a line does to the bytes: overrides by field name, chunks and what is
// moved through them, version two and its extension.
#include <algorithm>

#include "rdma/roce/cm.h"
#include "rpcrdma/header.h"
#include "scenario/compiled.h"

namespace steertag::test {
namespace {

const std::string kConnect = "client> connect\n";
const std::string kConnect2 = "version 2\nclient> connect\n";

// The Send of the first (or only) message of `line`, decoded.
rpcrdma::TransportHeader first_header(const std::string& text) {
  const Heard heard = analyzed(text);
  REQUIRE_FALSE(heard.listener.sends.empty());
  rpcrdma::TransportHeader header;
  const std::vector<uint8_t>& send = heard.listener.sends[0];
  rpcrdma::decode(send, static_cast<uint32_t>(send.size()), header);
  return header;
}

std::vector<uint8_t> nth_send(const std::string& text, size_t n) {
  const Heard heard = analyzed(text);
  REQUIRE(heard.listener.sends.size() > n);
  return heard.listener.sends[n];
}

}  // namespace

TEST_CASE("scenario language: any field of the transport header by its name") {
  CHECK(first_header(kConnect + "client> call nfs3 NULL rdma_credit=0").credit == 0);
  CHECK(first_header(kConnect + "client> call nfs3 NULL rdma_vers=3").version == 3);
  CHECK(first_header(kConnect2 + "client> call nfs3 NULL rdma_direction=7").direction ==
        static_cast<rpcrdma::MsgType>(7));
  const auto second = first_header(kConnect + "client> call nfs3 READ write(16 16) handle#2=0xdead0001");
  CHECK(second.chunks.writes[0].target[1].handle == 0xdead0001);
  const std::vector<uint8_t> send =
      nth_send(kConnect + "client> call nfs3 READ write(4096) rdma_writes=2 target=9", 0);
  CHECK(send[23] == 2);
  CHECK(send[27] == 9);
}

TEST_CASE("scenario language: an extension conveys a Call, and what follows its header") {
  const auto call = first_header(kConnect2 + "client> call xid=7 nfs3 NULL option(77 info=0a0b0c0d)");
  REQUIRE(call.optional.size() == 1);
  CHECK(call.xid == 7);
  CHECK(call.direction == rpcrdma::MsgType::call);
  CHECK(static_cast<uint32_t>(call.optional[0].opttype) == 77);
  CHECK(call.optional[0].info.size() == 4);
  CHECK(nth_send(kConnect2 + "client> call nfs3 NULL option(77)", 0).size() == 28 + 40);
  CHECK(nth_send(kConnect2 + "client> option opttype=77 payload=0102030405", 0).size() == 28 + 5);
}

TEST_CASE("scenario language: cut, append and set") {
  CHECK(nth_send(kConnect + "client> call nfs3 NULL\nclient> call nfs3 NULL cut=12", 1).size() == 12);
  CHECK(nth_send(kConnect + "client> call nfs3 NULL cut=28", 0).size() == 28);
  const std::vector<uint8_t> send = nth_send(kConnect + "client> call nfs3 NULL append=0a0b set(68 0c)", 0);
  CHECK(send.size() == 70);
  CHECK(send[69] == 0x0b);
}

TEST_CASE("scenario language: the XID of the RPC message can differ") {
  const std::vector<uint8_t> send = nth_send(kConnect + "client> call xid=0x11 nfs3 NULL rpc.xid=0x12", 0);
  CHECK(send[3] == 0x11);
  CHECK(send[28 + 3] == 0x12);
}

TEST_CASE("scenario language: Positions and lengths follow from the procedure") {
  const auto write = first_header(kConnect + "client> call nfs3 WRITE read(1000 24)");
  REQUIRE(write.chunks.reads.size() == 2);
  CHECK(write.chunks.reads[0].position == 96);  // AUTH_NONE, 32-byte file handle (RFC 1813 §3.3.7)
  CHECK(write.chunks.reads[1].position == 96);
  const auto whole = first_header(kConnect + "client> call nfs3 WRITE data=3000 read(pos=0 1024 *)");
  REQUIRE(whole.chunks.reads.size() == 2);
  CHECK(whole.procedure == 1);
  CHECK(whole.chunks.reads[1].target.length == 96 + 3000 - 1024);
}

TEST_CASE("scenario language: what was written is what the Reply returns") {
  const Heard heard = analyzed(kConnect +
                               "client> call nfs3 READ write(@data 4096 4096)\n"
                               "server> write @data 5000\n"
                               "server> reply\n");
  const std::vector<uint8_t>& reply = heard.listener.sends[1];
  rpcrdma::TransportHeader header;
  const auto decoded = rpcrdma::decode(reply, static_cast<uint32_t>(reply.size()), header);
  REQUIRE(header.chunks.writes.size() == 1);
  CHECK(header.chunks.writes[0].target[0].length == 4096);
  CHECK(header.chunks.writes[0].target[1].length == 904);
  const uint8_t* count = reply.data() + decoded.header_length + 24 + 4 + 88;  // behind status and attributes
  CHECK((count[2] << 8 | count[3]) == 5000);
}

TEST_CASE("scenario language: a named segment, a skip, another handle") {
  const auto packets =
      roce_packets(compiled(kConnect + "client> call nfs3 READ write(@d 0x77:4096@0x1000 0x78:4096@0x9000)\n"
                                       "server> write @d.2 100 skip=50\n"
                                       "server> write @d handle=5 offset=9 64\n"));
  std::vector<rdma::roce::Reth> reths;
  for (const rdma::roce::Packet& packet : packets) {
    if (packet.reth) {
      reths.push_back(*packet.reth);
    }
  }
  REQUIRE(reths.size() == 2);
  CHECK(reths[0] == rdma::roce::Reth{0x9032, 0x78, 100});
  CHECK(reths[1] == rdma::roce::Reth{9, 5, 64});
}

TEST_CASE("scenario language: serve does all that a Call asks for") {
  for (const char* call :
       {"nfs3 READ write(4096)", "nfs3 WRITE read(4096)", "nfs3 READDIR read(pos=0) reply(4096)",
        "nfs4 ops(SEQUENCE PUTFH READ READ) write(100) write(200)", "nfs3 READ reply(8192)"}) {
    const Heard heard = analyzed(kConnect + "client> call " + call + "\nserver> serve\n");
    INFO(call);
    REQUIRE(heard.listener.exchanges.size() == 1);
    CHECK(heard.listener.exchanges[0].status == flow::Status::complete);
    for (const flow::SegmentFlow& segment : heard.listener.exchanges[0].segments) {
      CHECK(segment.moved().total() > 0);
    }
  }
}

TEST_CASE("scenario language: version two invalidates the handle that the Call advertises") {
  const std::string text = kConnect2 + "client> call nfs3 READ write(@d 4096 4096) inv=@d.2\n";
  CHECK(analyzed(text + "server> serve").listener.exchanges[0].invalidated == 0x8f02u);
  CHECK(analyzed(text + "server> serve plain").listener.exchanges[0].invalidated == std::nullopt);
  CHECK(analyzed(text + "server> serve invalidate=@d.1").listener.exchanges[0].invalidated == 0x8f01u);
  CHECK(analyzed(text + "server> serve invalidate=@d.1", {scenario::Fabric::iwarp, {}})
            .listener.exchanges[0]
            .invalidated == 0x8f01u);
}

// xcharext-02 §4.1, put into bytes by hand.
TEST_CASE("scenario language: INITXCH byte for byte") {
  const std::vector<uint8_t> send = nth_send(kConnect2 +
                                                 "client> call nfs3 NULL\nserver> reply\nclient> initxch "
                                                 "RBSIZ=8192 REQREMINV=true nochg(0 REQREMINV)",
                                             2);
  REQUIRE(send.size() == 64);
  CHECK(std::vector<uint8_t>(send.begin() + 28, send.end()) ==
        std::vector<uint8_t>{0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0x20, 0, 0, 0,
                             0, 2, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 1, 0,    0, 0, 3});
}

// RFC 6581 §4.2: flags beside the depths, for a client that opens with a Send, a Write, a Read.
TEST_CASE("scenario language: the enhanced setup of iWARP, byte for byte") {
  const auto words = [](const std::string& rtr) {
    const scenario::Trace trace =
        compiled("client> connect rev=2 depth=16" + rtr + "\n", {scenario::Fabric::iwarp, {}});
    const std::vector<uint8_t>& bytes = trace.frames.at(3).bytes;  // behind the handshake of TCP
    const std::string_view key = "MPA ID Req Frame";
    const auto at = std::search(bytes.begin(), bytes.end(), key.begin(), key.end());
    REQUIRE(bytes.end() - at >= 24);
    return std::vector<uint8_t>(at + 20, at + 24);
  };
  CHECK(words("") == std::vector<uint8_t>{0x00, 16, 0x00, 16});
  CHECK(words(" rtr=send") == std::vector<uint8_t>{0xC0, 16, 0x00, 16});
  CHECK(words(" rtr=write") == std::vector<uint8_t>{0x80, 16, 0x80, 16});
  CHECK(words(" rtr=read") == std::vector<uint8_t>{0x80, 16, 0x40, 16});
}

// IBTA vol. 1, §12.6.5: a byte each.
TEST_CASE("scenario language: RoCE's setup says 255 where more RDMA Reads are asked for than it can say") {
  for (const auto& [depth, said] : {std::pair{"16", 16}, {"255", 255}, {"256", 255}, {"16383", 255}}) {
    const scenario::Trace trace = compiled(std::string("client> connect depth=") + depth + "\n");
    link::Decoder decoder;
    const link::Packet request = decoder.decode(frame_of(trace, 0));
    rdma::roce::Packet packet;
    rdma::roce::CmMessage message;
    REQUIRE(rdma::roce::decode(request.payload, request.payload_length, packet));
    REQUIRE(rdma::roce::decode(packet, message));
    CHECK(message.initiator_depth == said);
    CHECK(message.responder_resources == said);
  }
}

TEST_CASE("scenario language: several connections at a time, with the same names on the wire") {
  const std::string text =
      "connection b qpn=0x33/0x34\n"
      "client> connect\n"
      "b.client> connect\n"
      "client> call xid=9 nfs3 READ write(@here 0x70:4096@0x1000)\n"
      "b.client> call xid=9 nfs3 READ write(@there 0x70:4096@0x1000)\n"
      "b.server> serve\n"
      "server> serve\n";
  for (const auto fabric : {scenario::Fabric::roce2, scenario::Fabric::iwarp}) {
    const Heard heard = analyzed(text, {fabric, {}});
    CHECK(heard.listener.connections == 2);
    REQUIRE(heard.listener.exchanges.size() == 2);
    CHECK(heard.listener.exchanges[0].segments[0].moved().total() == 4096);
    CHECK(heard.listener.exchanges[1].segments[0].moved().total() == 4096);
  }
}

TEST_CASE("scenario language: who connects twice has two connections") {
  const std::string once = "client> connect\nclient> call nfs3 NULL\nserver> reply\n";
  for (const auto fabric : {scenario::Fabric::roce2, scenario::Fabric::iwarp}) {
    CHECK(analyzed(once + once, {fabric, {}}).listener.connections == 2);
  }
}

TEST_CASE("scenario language: expectations and the lines that frames come from") {
  const scenario::Trace trace =
      compiled("client> connect\nclient> call nfs3 NULL credit=0   #! CRD-04 \"0 credits\"\n");
  REQUIRE(trace.expectations.size() == 1);
  CHECK(trace.expectations[0].line == 2);
  CHECK(trace.expectations[0].text == "CRD-04 \"0 credits\"");
  CHECK(trace.frames.front().source_line == 1);
  CHECK(trace.frames.back().source_line == 2);
}

}  // namespace steertag::test
