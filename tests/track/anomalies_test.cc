// What the transports report of traffic that breaks their rules, and of traffic
// that does not: described in the scenario language, and captured.
#include "support/anomalies.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "support/compiled.h"

namespace steertag::support {
namespace {

using scenario::Fabric;

std::string reported(const std::string& text, Fabric fabric) {
  AnomalyLog log;
  log.feed(compiled(text, fabric));
  return log.texts();
}

// `a` is the client, who speaks first.
const std::string kConnect = "client> connect\n";
const std::string kRead = kConnect + "client> call nfs3 READ write(@d 8192)\n";
const std::string kWrite = kConnect + "client> call nfs3 WRITE read(@d 4096)\n";

struct Case {
  std::string text;
  const char* roce;   // what is reported over RoCEv2; null: not tried
  const char* iwarp;  // and over iWARP
};

}  // namespace

TEST_CASE("anomalies: the order of packets and segments") {
  const Case cases[] = {
      {kRead + "server> serve\nclient> disconnect\n", "", ""},
      {kRead + "server> write @d 3000 omit(1)\nserver> reply\n", "orphan b 0/0", nullptr},
      {kRead + "server> write @d 3000 omit(2)\nserver> reply\n", "write_length b 3000/1976",
       "tagged_offset b "},
      {kRead + "server> write @d 3000 omit(3)\nserver> reply\n", "cut_off b 3000/2048", "cut_off b 0/2840"},
      {kRead + "server> write @d 4096 roce(2 opcode=4)\nserver> reply\n", "cut_off b 4096/1024", nullptr},
      {kRead + "server> write @d 3000 roce(dma_length=3001)\nserver> reply\n", "write_length b 3001/3000",
       nullptr},
      {kRead + "server> write @d 3000 roce(2 payload=1000)\nserver> reply\n",
       "packet_size b 1024/1000, write_length b 3000/2976", nullptr},
      {kRead + "server> write @d 3000 roce(2 flags=0x20)\nserver> reply\n",
       "inner_pad b 0/2, write_length b 3000/2998", nullptr},
      {kRead + "server> write @d 3000 iwarp(2 stag=7)\nserver> reply\n", nullptr, "stag_change b"},
      {kRead + "server> write @d 3000 iwarp(2 to=7)\nserver> reply\n", nullptr, "tagged_offset b"},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    if (c.roce != nullptr) {
      CHECK(reported(c.text, Fabric::roce2) == c.roce);
    }
    if (c.iwarp != nullptr) {
      CHECK_THAT(reported(c.text, Fabric::iwarp), Catch::StartsWith(c.iwarp));
    }
  }
}

TEST_CASE("anomalies: DDP and RDMAP headers") {
  const std::pair<const char*, const char*> cases[] = {
      {"client> call nfs3 NULL", ""},
      {"client> call nfs3 NULL iwarp(msn=5)", "message_number a 1/5"},
      {"client> call nfs3 NULL iwarp(mo=8)", "orphan a 0/8"},
      {"client> call nfs3 WRITE data=3000 iwarp(2 mo=8)", "message_offset a 1416/8"},
      {"client> call nfs3 NULL iwarp(qn=1)", "queue_number a 0/1"},
      {"client> call nfs3 NULL iwarp(ddp_control=0x40)", "ddp_version a 1/0"},
      {"client> call nfs3 NULL iwarp(ddp_control=0x42)", "ddp_version a 1/2"},
      {"client> call nfs3 NULL iwarp(rdmap_control=0x83)", "rdmap_version a 1/2"},
      {"client> call nfs3 NULL iwarp(rdmap_control=0x03)", ""},
      {"client> call nfs3 NULL iwarp(rdmap_control=0x40)", "tagged_flag a 1/0"},
  };
  for (const auto& [line, expected] : cases) {
    INFO(line);
    CHECK_THAT(
        reported(kConnect + line + "\nclient> call nfs3 GETATTR\nclient> call nfs3 NULL\n", Fabric::iwarp),
        Catch::StartsWith(expected));
  }
  CHECK(reported(kConnect + "client> call nfs3 NULL iwarp(rdmap_control=0x03)\n", Fabric::iwarp).empty());
}

TEST_CASE("anomalies: Read Responses and their Requests") {
  CHECK(reported(kWrite + "server> serve\n", Fabric::roce2).empty());
  CHECK(reported(kWrite + "server> serve\n", Fabric::iwarp).empty());
  const std::string fewer = kWrite + "server> read @d deliver=2048\nserver> reply\n";
  CHECK(reported(fewer, Fabric::roce2) == "read_short a 4096/2048");
  CHECK(reported(fewer, Fabric::iwarp) == "read_short a 4096/2048");
  const std::string more = kWrite + "server> read @d deliver=6000\nserver> reply\n";
  CHECK(reported(more, Fabric::roce2) == "read_long a 4096/4096");
  CHECK(reported(more, Fabric::iwarp) == "read_long a 4096/4260");
  CHECK(reported(kWrite + "server> read @d iwarp(2 stag=7)\nserver> reply\n", Fabric::iwarp) ==
        "read_sink_stag a 1509949952/7");
  CHECK(reported(kWrite + "server> read @d iwarp(3 to=7)\nserver> reply\n", Fabric::iwarp) ==
        "read_sink_offset a 1420/7");
  // The Request is lost behind the tap, or its Response is: nothing wrong.
  CHECK(reported(kWrite + "server> read @d resent(3)\nserver> reply\n", Fabric::roce2).empty());
}

TEST_CASE("anomalies: how many Reads are outstanding") {
  const std::string four = "client> call nfs3 WRITE read(@d 4096 4096 4096 4096)\n";
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    AnomalyLog together;
    together.feed(
        compiled(kConnect + four + "server> burst\n server> read @d\nend\nserver> reply\n", fabric));
    CHECK(together.most_reads() == 4);
    CHECK(together.anomalies.back().related);
    AnomalyLog in_turn;
    in_turn.feed(compiled(kConnect + four + "server> serve\n", fabric));
    CHECK(in_turn.most_reads() == 0);
  }
}

TEST_CASE("anomalies: MPA") {
  const std::string call = "client> call nfs3 WRITE data=2001\n";
  CHECK(reported("client> connect markers\n" + call + "server> reply\n", Fabric::iwarp).empty());
  CHECK(reported("client> connect markers\nclient> call nfs3 NULL iwarp(marker=4)\n", Fabric::iwarp) ==
        "mpa_marker a 0/4");
  CHECK(reported(kConnect + "client> send 00010203040506 iwarp(pad=7)\n", Fabric::iwarp) == "mpa_pad a 0/7");
  CHECK(reported(kConnect + "server> call cb CB_NULL\n", Fabric::iwarp) == "mpa_early_fpdu b 0/0");
  CHECK(reported("client> connect rev=0\n", Fabric::iwarp) == "mpa_revision a 1/0, mpa_revision b 0/0");
  CHECK(reported("client> connect iwarp(6 rev=7)\n", Fabric::iwarp) == "mpa_revision b 2/7");
  CHECK(reported("client> connect iwarp(6 set(0 ff))\n", Fabric::iwarp) == "mpa_key b 0/0");
  CHECK(reported("client> connect iwarp(6 set(11 71))\n", Fabric::iwarp) == "mpa_key b 0/0");
  std::string octets(1200, '0');
  CHECK(reported("client> connect server(private_data=" + octets + ")\n" + call, Fabric::iwarp) ==
        "mpa_private_data_length b 512/604");
}

TEST_CASE("anomalies: checksums") {
  const std::string next = "client> call nfs3 GETATTR\nclient> call nfs3 NULL\n";
  const std::string bad = "client> call nfs3 NULL bad_checksum(1)\n";
  CHECK(reported(kConnect + bad + next, Fabric::iwarp) == "mpa_crc a");
  CHECK(reported("client> connect nocrc\n" + next, Fabric::iwarp).empty());
  CHECK(reported(kConnect + bad + next, Fabric::roce2) == "icrc a");
  CHECK(reported(kConnect + next + bad + next, Fabric::roce2) == "icrc a");
  CHECK(reported("client> connect unfilled=client\n" + next + "server> reply xid=1\n", Fabric::roce2) ==
        "icrc_never a x4 alike");
}

TEST_CASE("anomalies: sent again with other bytes") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    INFO("fabric " << static_cast<int>(fabric));
    const std::string call = kConnect + "client> call xid=1 nfs3 GETATTR\n";
    CHECK(reported(call + "client> call xid=1 nfs3 GETATTR again set(60 ff)\n", fabric) ==
          "changed_repeat a acked");
    CHECK(reported(call + "client> call xid=1 nfs3 GETATTR again\n", fabric).empty());
    CHECK(reported(call + "client> call xid=1 nfs3 GETATTR again truncate=100\n", fabric).empty());
    AnomalyLog log;
    log.feed(compiled(call + "client> call xid=1 nfs3 GETATTR again\n", fabric));
    CHECK(log.retransmissions == 1);
  }
}

TEST_CASE("anomalies: what the capture lacks") {
  const std::string text = kRead + "server> write @d 4096 missing(2-3)\nserver> reply\n";
  AnomalyLog log;
  log.feed(compiled(text, Fabric::roce2));
  CHECK(log.texts() == "missing b x2 acked");
  const rdma::Anomaly& missing = log.anomalies.back();
  CHECK(missing.expected == 0x201);
  CHECK(missing.found == 0x203);
  CHECK(reported(kRead + "server> write @d 4096 missing(2)\nserver> reply\n", Fabric::iwarp) ==
        "missing b x1440 acked");
  CHECK(reported(kRead + "server> write @d 4096 lost(2-3)\nserver> reply\n", Fabric::roce2).empty());
  CHECK(reported(kRead + "server> write @d 4096 lost(2-3)\nserver> reply\n", Fabric::iwarp).empty());
}

// tests/scenarios: the conforming conversations, some with losses.
TEST_CASE("anomalies: none in conforming scenarios") {
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(STEERTAG_ROOT) + "/tests/scenarios")) {
    if (!entry.is_regular_file()) {
      continue;  // scenarios of another profile
    }
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (const Fabric fabric : {Fabric::roce2, Fabric::roce1, Fabric::iwarp}) {
      INFO(entry.path());
      CHECK(reported(text, fabric).empty());
    }
  }
}

}  // namespace steertag::support
