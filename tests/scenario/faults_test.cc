// What the network and the capture do to packets, seen from the packets and
// from the Analyzer, which must make the same story of all of it.
#include "scenario/compiled.h"

namespace steertag::test {
namespace {

using rdma::roce::Opcode;
using scenario::Fabric;

const std::string kRead =
    "client> connect\n"
    "client> call nfs3 READ write(@data 8192)\n";
const std::string kWrite =
    "client> connect\n"
    "client> call nfs3 WRITE read(@data 8192)\n";

void check_whole(const std::string& text) {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    INFO(text << " on fabric " << static_cast<int>(fabric));
    const Heard heard = analyzed(text, {fabric, {}});
    REQUIRE(heard.listener.exchanges.size() == 1);
    CHECK(heard.listener.exchanges[0].status == flow::Status::complete);
    CHECK(heard.listener.exchanges[0].segments[0].moved().total() == 8192);
    CHECK(heard.counters.lost == 0);
    CHECK(heard.counters.checksum_errors == 0);
    CHECK(heard.counters.messages == 2);
  }
}

size_t count(const std::vector<rdma::roce::Packet>& packets, Opcode opcode) {
  size_t n = 0;
  for (const rdma::roce::Packet& packet : packets) {
    n += packet.opcode == opcode;
  }
  return n;
}

}  // namespace

TEST_CASE("scenario faults: the network loses, repeats and reorders, nothing is missing in the end") {
  for (const char* fault : {"lost(2)", "lost(1)", "lost(2 4)", "lost(3-5)", "resent(2)", "resent(1-4)", "dup",
                            "dup(3)", "swap(2)", "nak=rnr", "noack"}) {
    const bool dies_on_iwarp = std::string_view(fault) == "nak=rnr";
    const std::string text = kRead + "server> write @data " + fault + "\nserver> reply\n";
    if (!dies_on_iwarp) {
      check_whole(text);
    }
  }
  for (const char* fault : {"lost(2)", "lost(4)", "lost(1)", "resent(3)", "dup", "swap(3)"}) {
    check_whole(kWrite + "server> read @data " + fault + "\nserver> reply\n");
  }
  for (const char* fault : {"lost", "lost(1)", "resent", "dup", "lost(2)"}) {
    check_whole(kRead + "server> write @data\nserver> reply " + fault + "\n");
    check_whole("client> connect\nclient> call nfs3 READ write(@data 8192) " + std::string(fault) +
                "\nserver> serve\n");
  }
  for (const char* lost : {"1", "2", "4", "6", "7", "8"}) {
    check_whole(kRead + "server> burst lost(" + lost + ")\n server> write @data\n server> reply\nend\n");
  }
  check_whole("client> connect lost(1) resent(3)\nclient> call nfs3 READ write(@data 8192)\nserver> serve\n");
}

TEST_CASE("scenario faults: the PSN wraps, markers and resegmentation") {
  for (const char* connect : {"psn=0xfffffd", "markers", "segment=300", "mss=200 markers segment=90", "nocrc",
                              "rev=1", "mtu=256"}) {
    check_whole(std::string("client> connect ") + connect +
                "\nclient> call nfs3 READ write(@data 8192)\nserver> write @data lost(3)\nserver> reply\n");
    check_whole(std::string("client> connect ") + connect +
                "\nclient> call nfs3 WRITE read(@data 8192)\nserver> read @data lost(3)\nserver> reply\n");
  }
}

TEST_CASE("scenario faults: a lost Response restarts the Read inside its PSNs") {
  const auto packets = roce_packets(compiled(kWrite + "server> read @data lost(4)\n"));
  std::vector<rdma::roce::Packet> requests;
  for (const rdma::roce::Packet& packet : packets) {
    if (packet.opcode == Opcode::read_request) {
      requests.push_back(packet);
    }
  }
  REQUIRE(requests.size() == 2);
  CHECK(requests[1].psn == requests[0].psn + 2);
  CHECK(requests[1].reth->va == requests[0].reth->va + 2048);
  CHECK(requests[1].reth->length == 8192 - 2048);
}

TEST_CASE("scenario faults: loss before the tap, loss after it, loss in the capture") {
  const auto psns = [](const char* fault) {
    std::vector<uint32_t> writes;
    for (const auto& packet : roce_packets(compiled(kRead + "server> write @data 4096 " + fault + "\n"))) {
      if (rdma::roce::is_write(packet.opcode)) {
        writes.push_back(packet.psn - 0x200);
      }
    }
    return writes;
  };
  CHECK(psns("") == std::vector<uint32_t>{0, 1, 2, 3});
  CHECK(psns("lost(2)") == std::vector<uint32_t>{0, 2, 3, 1, 2, 3});
  CHECK(psns("resent(2)") == std::vector<uint32_t>{0, 1, 2, 3, 1, 2, 3});
  CHECK(psns("missing(2)") == std::vector<uint32_t>{0, 2, 3});
  CHECK(psns("omit(2)") == std::vector<uint32_t>{0, 1, 2});
  CHECK(psns("swap(2)") == std::vector<uint32_t>{0, 2, 1, 3});
  CHECK(psns("dup(2)") == std::vector<uint32_t>{0, 1, 1, 2, 3});
}

TEST_CASE("scenario faults: what the capture lacks is a gap") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const Heard heard = analyzed(kRead + "server> write @data missing(2-3)\nserver> reply\n", {fabric, {}});
    REQUIRE(heard.listener.exchanges.size() == 1);
    CHECK_FALSE(heard.listener.exchanges[0].complete);
    CHECK(heard.listener.exchanges[0].segments[0].moved().total() < 8192);
  }
}

TEST_CASE("scenario faults: complaints") {
  const auto roce = roce_packets(compiled(kRead + "server> write @data nak=access\n"));
  CHECK(roce.back().aeth->syndrome == 0x62);
  const auto rnr = roce_packets(compiled("client> connect\nclient> call nfs3 NULL nak=rnr\nserver> reply\n"));
  REQUIRE(rnr.size() == 6);
  CHECK(rnr[1].aeth->is_rnr_nak());
  CHECK(rnr[2].psn == rnr[0].psn);
  CHECK(count(roce_packets(compiled(kWrite + "server> read @data nak=access\n")),
              Opcode::read_response_first) == 0);
}

TEST_CASE("scenario faults: wrong checksums are wrong, and nothing else") {
  const scenario::Trace trace = compiled("client> connect\nclient> call nfs3 NULL bad_checksum\n");
  link::Decoder decoder;
  size_t wrong = 0;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    const link::Packet& packet = decoder.decode(frame_of(trace, i));
    wrong += rdma::roce::icrc(packet) != rdma::roce::stored_icrc(packet);
  }
  CHECK(wrong == 2);  // the Call and its ACK
  CHECK(analyzed(compiled("client> connect\nclient> call nfs3 NULL bad_checksum(1)\n", {Fabric::iwarp, {}}))
            .counters.checksum_errors == 1);
}

TEST_CASE("scenario faults: packet fields of either fabric by their names") {
  const std::string text =
      kRead + "server> write @data roce(2 psn=0x1234) roce(dma_length=99) iwarp(2 to=0x5) iwarp(stag=7)\n";
  const auto packets = roce_packets(compiled(text));
  REQUIRE(packets.size() >= 4);
  CHECK(packets[2].reth->length == 99);
  CHECK(packets[3].psn == 0x1234);
  CHECK(analyzed(compiled(text, {Fabric::iwarp, {}})).counters.checksum_errors == 0);
}

TEST_CASE("scenario faults: again repeats the place of the line before, with other bytes") {
  const auto packets =
      roce_packets(compiled("client> connect\n"
                            "client> call nfs3 GETATTR\n"
                            "client> call xid=1 nfs3 GETATTR again set(60 ff)\n"
                            "client> call nfs3 GETATTR\n"));
  std::vector<uint32_t> sends;
  for (const auto& packet : packets) {
    if (packet.opcode == Opcode::send_only) {
      sends.push_back(packet.psn);
    }
  }
  CHECK(sends == std::vector<uint32_t>{0x100, 0x100, 0x101});
}

// IBTA vol. 1 §9.7.5: a receiver complains of a gap when it sees what is behind the gap. Of a packet that was
// the last one it hears nothing, and the sender's own acknowledgment, which has no PSN of its own, is no
// sign.
TEST_CASE("scenario faults: what a sender acknowledges meanwhile is neither sent again nor a sign of loss") {
  const auto story = [](const std::string& fault) {
    std::string said;
    for (const auto& packet : roce_packets(compiled("client> connect\nclient> call nfs3 NULL\n"
                                                    "server> reply noack\nclient> call nfs3 NULL " +
                                                    fault + "\n"))) {
      const bool answer = packet.opcode == Opcode::acknowledge;
      said += !answer ? "Send " : packet.aeth->syndrome >= 0x60 ? "NAK " : "ACK ";
      said += std::to_string(packet.psn) + (packet.psn >= 512 ? " of the server, " : " of the client, ");
    }
    return said;
  };
  const std::string before = "Send 256 of the client, ACK 256 of the client, Send 512 of the server, ";
  const std::string call = "Send 257 of the client, ";
  const std::string answers = "ACK 257 of the client, ACK 512 of the server, ";
  CHECK(story("") == before + call + answers);
  CHECK(story("lost(1)") == before + call + answers);
  CHECK(story("lost(2)") == before + call + call + answers);
}

TEST_CASE("scenario faults: two taps") {
  const scenario::Trace both = compiled("taps both skew=1ms\nclient> connect\nclient> call nfs3 NULL\n");
  CHECK(both.frames.size() == 2 * compiled("client> connect\nclient> call nfs3 NULL\n").frames.size());
  for (size_t i = 1; i < both.frames.size(); ++i) {
    CHECK(both.frames[i - 1].time_ns <= both.frames[i].time_ns);
  }
}

TEST_CASE("scenario faults: a Read Response acknowledges what came before its Request") {
  const std::string text =
      "client> connect\nclient> call nfs3 WRITE read(@from 1024) write(@to 1024)\n"
      "server> burst\n server> write @to\n server> read @from\nend\n";
  const auto packets = roce_packets(compiled(text));
  CHECK(count(packets, Opcode::read_response_only) == 1);
  CHECK(count(packets, Opcode::acknowledge) == 1);  // that of the Call
}

TEST_CASE("scenario faults: of two one-way taps only the server's has another clock") {
  const std::string text = "client> connect\nclient> call nfs3 NULL\n";
  const scenario::Trace one = compiled(text), two = compiled("taps one-way skew=1us\n" + text);
  REQUIRE(two.frames.size() == one.frames.size());
  for (size_t i = 0; i < one.frames.size(); ++i) {
    const bool server = one.frames[i].bytes[29] == 2;  // 10.9.0.2
    INFO(i);
    CHECK(two.frames[i].time_ns == one.frames[i].time_ns + (server ? 1000 : 0));
  }
}

TEST_CASE("scenario faults: what is captured twice is the same twice") {
  const scenario::Trace trace = compiled("client> connect\nclient> call nfs3 NULL dup(1)\n");
  size_t same = 0;
  for (size_t i = 1; i < trace.frames.size(); ++i) {
    same += trace.frames[i].bytes == trace.frames[i - 1].bytes ? 1 : 0;
  }
  CHECK(same == 1);
}

TEST_CASE("scenario faults: what follows a line that came again has the PSN behind all that was sent") {
  const auto next = [](const std::string& size) {
    return roce_packets(compiled(kRead + "server> write @data 2048\nserver> write @data " + size +
                                 " again\nserver> reply noack\n"))
               .back()
               .psn -
           0x200;
  };
  CHECK(next("1024") == 2);
  CHECK(next("2048") == 2);
  CHECK(next("4096") == 4);
}

TEST_CASE("scenario faults: the last packet of a message asks for an acknowledgment") {
  std::vector<bool> asked;
  for (const auto& packet : roce_packets(compiled(kRead + "server> write @data 3072\n"))) {
    if (rdma::roce::is_write(packet.opcode)) {
      asked.push_back(packet.ack_request);
    }
  }
  CHECK(asked == std::vector<bool>{false, false, true});
}

}  // namespace steertag::test
