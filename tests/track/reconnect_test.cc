// A reconnect is another connection, whatever of the one before it uses again:
// QPNs, Communication IDs, ports; with or without an end in between, and where
// parts of its setup were not captured.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/compiled.h"

namespace steertag::support {
namespace {

using scenario::Fabric;

const std::string kCalls =
    "client> call nfs3 GETATTR\nserver> reply\n"
    "client> call nfs3 GETATTR\nserver> reply\n"
    "client> call nfs3 GETATTR\nserver> reply\n";

// What is reported, in short: "6" messages of a connection, and how it ended.
class Story final : public Observer {
 public:
  std::vector<std::string> connections;
  std::vector<uint64_t> unreceived;  // frames
  uint64_t anomalies = 0;

  void on(const Event& event) override {
    if (const auto* seen = std::get_if<MessageSeen>(&event)) {
      const flow::Message& message = seen->message;
      if (message.unreceived) {
        unreceived.push_back(message.at.number);
      } else {
        messages_.resize(std::max<size_t>(messages_.size(), message.connection->number + 1));
        ++messages_[message.connection->number];
      }
    } else if (const auto* closed = std::get_if<ConnectionClosed>(&event)) {
      const track::Connection& c = closed->connection;
      if (c.rpcrdma) {
        const char* end = !c.ended                                  ? "open"
                          : *c.ended == rdma::EndReason::disconnect ? "disconnect"
                          : *c.ended == rdma::EndReason::replaced   ? "replaced"
                          : *c.ended == rdma::EndReason::fin        ? "fin"
                                                                    : "other";
        const char* how = c.pairing == track::Pairing::setup ? "" : " inferred";
        connections.push_back(std::to_string(messages_[c.number]) + " " + end + how);
      }
    } else if (std::holds_alternative<IncidentSeen>(event)) {
      anomalies += std::get<IncidentSeen>(event).incident.anomaly() != nullptr ? 1 : 0;
    }
  }

 private:
  std::vector<uint64_t> messages_;
};

using Reported = std::vector<std::string>;

struct Heard {
  Reported connections;
  uint64_t anomalies = 0, lost = 0;
  std::vector<uint64_t> unreceived;
};

Heard heard(const Trace& trace) {
  Story story;
  Options options;
  options.for_rules = true;
  Analyzer analyzer(story, options);
  for (const TraceFrame& frame : trace.frames) {
    feed(analyzer, trace, frame);
  }
  analyzer.finish();
  return {story.connections, story.anomalies, analyzer.counters().lost, story.unreceived};
}

Heard heard(const std::string& text, Fabric fabric = Fabric::roce2) {
  return heard(compiled(text, fabric));
}

Trace lacking(Trace trace, std::vector<uint64_t> numbers) {
  std::erase_if(trace.frames, [&](const TraceFrame& frame) {
    return std::find(numbers.begin(), numbers.end(), frame.at.number) != numbers.end();
  });
  return trace;
}

}  // namespace

TEST_CASE("reconnect: the same IDs and QPNs with other PSNs, with a DREQ between and without") {
  for (const std::string between : {"", "client> disconnect\n"}) {
    for (const std::string psn : {"0x900/0x200", "0x100/0xa00", "0x700000/0x800000", "0xf00000/0x10"}) {
      INFO(between << psn);
      const Heard all = heard("client> connect comm=5\n" + kCalls + between +
                              "client> connect comm=5 psn=" + psn + "\n" + kCalls + "client> disconnect\n");
      const char* first = between.empty() ? "6 replaced" : "6 disconnect";
      CHECK(all.connections == Reported{first, "6 disconnect"});
      CHECK(all.anomalies == 0);
      CHECK(all.lost == 0);
    }
  }
}

TEST_CASE("reconnect: the same IDs with another QPN at one end") {
  for (const std::string qpn : {"0x21/0x12", "0x11/0x22"}) {
    INFO(qpn);
    const Heard all =
        heard("client> connect comm=5\n" + kCalls + "client> connect comm=5 psn=0x300/0x400 qpn=" + qpn +
              "\n" + kCalls + "client> disconnect\n");
    CHECK(all.connections.size() == 2);
    CHECK(std::find(all.connections.begin(), all.connections.end(), "6 disconnect") != all.connections.end());
    CHECK(all.lost == 0);
  }
}

TEST_CASE("reconnect: a REQ or REP that comes again is no other connection") {
  // 1: REQ, 2: REP, 3: RTU
  const Trace once = compiled("client> connect\n" + kCalls + "client> disconnect\n", Fabric::roce2);
  for (const size_t copied : {0u, 1u}) {
    for (const size_t behind : {1u, 2u, 3u, 6u}) {
      Trace trace = once;
      TraceFrame copy = trace.frames[copied];
      copy.at.time_ns = trace.frames[behind].at.time_ns;
      trace.frames.insert(trace.frames.begin() + static_cast<ptrdiff_t>(behind) + 1, copy);
      INFO(copied << " behind " << behind);
      CHECK(heard(trace).connections == Reported{"6 disconnect"});
    }
  }
}

TEST_CASE("reconnect: half of its setup is missing from the capture") {
  const std::string text = "client> connect comm=5\n" + kCalls +
                           "client> disconnect\nclient> connect comm=5 psn=0x900/0xa00\n" + kCalls;
  const Trace trace = compiled(text, Fabric::roce2);
  std::vector<uint64_t> setups;  // frames of the CM: REQ, REP, RTU, DREQ, DREP, REQ, REP, RTU
  for (const TraceFrame& frame : trace.frames) {
    if (frame.original_length == 322) {
      setups.push_back(frame.at.number);
    }
  }
  REQUIRE(setups.size() == 8);
  for (const size_t missing : {5u, 6u}) {
    const Heard all = heard(lacking(trace, {setups[missing]}));
    INFO(missing);
    CHECK(all.connections == Reported{"6 disconnect", "6 open inferred"});
    CHECK(all.lost == 0);
  }
  // Without any: what is far from where the old one stood is not its late rest.
  const Heard all =
      heard(lacking(compiled("client> connect\n" + kCalls +
                                 "client> disconnect\nclient> connect psn=0x900000/0xa00000\n" + kCalls,
                             Fabric::roce2),
                    {setups[5], setups[6], setups[7]}));
  CHECK(all.connections == Reported{"6 disconnect", "6 open inferred"});
}

TEST_CASE("reconnect: nothing of the CM was captured, and the PSNs are far ahead or behind") {
  for (const std::string psn : {"0x700000/0x600000", "0x900000/0xa00000"}) {
    const std::string text = "capture off\nclient> connect\ncapture on\n" + kCalls + kCalls +
                             "capture off\nclient> connect psn=" + psn + "\ncapture on\n" + kCalls + kCalls +
                             kCalls + kCalls + kCalls + kCalls;
    INFO(psn);
    CHECK(heard(text).lost == 0);
  }
}

TEST_CASE("reconnect: a DREQ of the connection before does not end the next") {
  const Trace trace =
      compiled("client> connect\n" + kCalls + "client> disconnect\nclient> connect psn=0x900/0xa00\n" +
                   kCalls + "client> disconnect\n",
               Fabric::roce2);
  std::vector<size_t> setups;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    if (trace.frames[i].original_length == 322) {
      setups.push_back(i);
    }
  }
  Trace again = trace;
  TraceFrame dreq = trace.frames[setups[3]];
  dreq.at.time_ns = trace.frames[setups[7]].at.time_ns;
  again.frames.insert(again.frames.begin() + static_cast<ptrdiff_t>(setups[7]) + 2, dreq);
  CHECK(heard(again).connections == Reported{"6 disconnect", "6 disconnect"});
}

TEST_CASE("reconnect: REP before REQ, where each direction has a tap of its own") {
  Trace trace = compiled("client> connect\n" + kCalls + "client> disconnect\n", Fabric::roce2);
  std::swap(trace.frames[0], trace.frames[1]);
  std::swap(trace.frames[0].at, trace.frames[1].at);
  CHECK(heard(trace).connections == Reported{"6 disconnect"});
}

TEST_CASE("reconnect: the QPNs of an ended connection are used again, and its setup was not captured") {
  std::string calls;
  for (int i = 0; i < 20; ++i) {
    calls += kCalls;
  }
  const std::string text =
      "client> connect\n" + kCalls +
      "client> disconnect\nwait 10s\ncapture off\nclient> connect psn=0x180/0x280\ncapture on\n" + calls;
  const Heard all = heard(text);  // as near as late packets are: after 64 of them
  REQUIRE(all.connections.size() == 2);
  CHECK(all.connections[0] == "6 disconnect");
}

TEST_CASE("reconnect: few packets that are as near as late ones are no connection") {
  const Heard all = heard(
      "client> connect\n" + kCalls +
      "client> disconnect\nwait 10s\ncapture off\nclient> connect psn=0x180/0x280\ncapture on\n" + kCalls);
  CHECK(all.connections == Reported{"6 disconnect"});
}

TEST_CASE("reconnect: a DREQ that is sent again does not make its connection last longer") {
  Trace trace = compiled("client> connect\n" + kCalls + "client> disconnect\n", Fabric::roce2);
  const auto dreq = std::find_if(trace.frames.begin() + 3, trace.frames.end(),
                                 [](const TraceFrame& frame) { return frame.original_length == 322; });
  REQUIRE(dreq != trace.frames.end());
  TraceFrame again = *dreq;
  again.at = {.number = trace.frames.size() + 1, .time_ns = trace.frames.back().at.time_ns + 200'000'000};
  const uint64_t number = dreq->at.number;
  trace.frames.push_back(again);
  struct Last final : Observer {
    std::vector<uint64_t> frames;
    void on(const Event& event) override {
      if (const auto* closed = std::get_if<ConnectionClosed>(&event)) {
        frames.push_back(closed->connection.last_frame.number);
      }
    }
  } last;
  feed_all(last, trace);
  CHECK(last.frames == std::vector<uint64_t>{number});
}

TEST_CASE("reconnect: cut by the snaplen, with the same QPNs and PSNs") {
  Trace trace = compiled("client> connect\n" + kCalls + kCalls + "client> disconnect\nclient> connect\n" +
                             "client> call nfs3 GETATTR xid=0x91\nserver> reply\n" +
                             "client> call nfs3 GETATTR xid=0x92\nserver> reply\n" +
                             "client> call nfs3 GETATTR xid=0x93\nserver> reply\n",
                         Fabric::roce2);
  for (TraceFrame& frame : trace.frames) {
    frame.bytes.resize(std::min<size_t>(frame.bytes.size(), 96));
  }
  const Heard all = heard(trace);
  CHECK(all.connections == Reported{"12 replaced inferred", "6 open inferred"});
  CHECK(all.anomalies == 0);
}

TEST_CASE("reconnect: cut by the snaplen, with the same QPNs and PSNs far from those of before") {
  Trace trace = compiled("client> connect\n" + kCalls + kCalls +
                             "client> disconnect\nclient> connect psn=0x700000/0x900000\n" + kCalls,
                         Fabric::roce2);
  for (TraceFrame& frame : trace.frames) {
    frame.bytes.resize(std::min<size_t>(frame.bytes.size(), 96));
  }
  const Heard all = heard(trace);
  CHECK(all.connections == Reported{"12 replaced inferred", "6 open inferred"});
  CHECK(all.anomalies == 0);
  CHECK(all.lost == 0);
}

TEST_CASE("reconnect: an MPA Reply that refused, sent once more, is no other connection") {
  Trace trace = compiled("client> connect rejected\n", Fabric::iwarp);
  const auto reply = std::find_if(trace.frames.rbegin(), trace.frames.rend(), [](const TraceFrame& frame) {
    return frame.bytes.size() > 54 + 16 && frame.bytes[54] == 'M' && frame.bytes[55] == 'P';
  });
  REQUIRE(reply != trace.frames.rend());
  TraceFrame again = *reply;
  again.at = trace.frames.back().at;
  again.at.time_ns += 200'000'000;
  again.bytes[19] ^= 1;  // another identification
  trace.frames.push_back(again);
  struct Count final : Observer {
    size_t closed = 0;
    void on(const Event& event) override {
      closed += std::holds_alternative<ConnectionClosed>(event) ? 1 : 0;
    }
  } count;
  feed_all(count, trace);
  CHECK(count.closed == 1);
}

TEST_CASE("reconnect: an MPA Request or Reply opens a TCP connection whose SYNs are missing") {
  const std::string text =
      "client> connect\n" + kCalls + "client> connect seq=0x40000000/0x50000000\n" + kCalls;
  const Trace trace = compiled(text, Fabric::iwarp);
  std::vector<uint64_t> syns;  // and the ACK of the handshake
  std::vector<uint64_t> mpa;
  for (const TraceFrame& frame : trace.frames) {
    if (frame.bytes.size() > 54 + 16 && frame.bytes[54] == 'M' && frame.bytes[55] == 'P') {
      mpa.push_back(frame.at.number);
    }
    if ((frame.bytes[47] & 2) != 0) {
      syns.push_back(frame.at.number);
    }
  }
  REQUIRE(syns.size() == 4);
  REQUIRE(mpa.size() == 4);
  const std::vector<uint64_t> handshake{syns[2], syns[3], syns[3] + 1};
  CHECK(heard(trace).connections == Reported{"6 replaced", "6 open"});
  CHECK(heard(lacking(trace, handshake)).connections == Reported{"6 replaced", "6 open"});
  std::vector<uint64_t> request = handshake;
  request.push_back(mpa[2]);
  CHECK(heard(lacking(trace, request)).connections.size() == 2);
}

TEST_CASE("reconnect: a TCP connection that ended is not deaf to the next") {
  const std::string text = "client> connect\n" + kCalls +
                           "client> disconnect\nclient> connect seq=0x40000000/0x50000000\n" + kCalls +
                           kCalls;
  const Trace trace = compiled(text, Fabric::iwarp);
  std::vector<uint64_t> setup;
  bool second = false;
  for (const TraceFrame& frame : trace.frames) {
    second |= (frame.bytes[47] & 2) != 0 && frame.at.number > 10;
    const bool call = frame.bytes.size() > 54 + 60 && frame.bytes[54] != 'M';
    if (second && call) {
      break;
    }
    if (second) {
      setup.push_back(frame.at.number);
    }
  }
  REQUIRE(setup.size() >= 5);
  CHECK(heard(lacking(trace, setup)).connections.size() == 2);
  // Only the SYNs are missing.
  CHECK(heard(lacking(trace, {setup[0], setup[1], setup[2]})).connections == Reported{"6 fin", "12 open"});
}

TEST_CASE("reconnect: a SYN in the midst of a TCP connection is a late one, unless it is answered") {
  const Trace trace = compiled("client> connect\n" + kCalls + "client> disconnect\n", Fabric::iwarp);
  TraceFrame late = trace.frames[0];
  REQUIRE((late.bytes[47] & 0x12) == 2);
  late.bytes[38] ^= 0x40;  // its sequence number
  Trace disturbed = trace;
  const TraceFrame& before = trace.frames[trace.frames.size() / 2];
  late.at = before.at;
  disturbed.frames.insert(disturbed.frames.begin() + static_cast<ptrdiff_t>(trace.frames.size() / 2), late);
  CHECK(heard(disturbed).connections == Reported{"6 fin"});
  // Long after everything else it is of the next connection.
  Trace over = compiled("client> connect\n" + kCalls, Fabric::iwarp);
  late.at = over.frames.back().at;
  late.at.time_ns += 2'000'000'000;
  over.frames.push_back(late);
  CHECK(heard(over).connections == Reported{"6 replaced"});
}

TEST_CASE("a DREQ ends what one direction shows") {
  for (const std::string side : {"client", "server"}) {
    const std::string disconnect = side + "> disconnect\n";
    CHECK(heard("capture " + side + "\nclient> connect\n" + kCalls + disconnect).connections ==
          Reported{"3 disconnect inferred"});
  }
}

TEST_CASE("after the DREQ: what is acknowledged is received, the rest is reported as not received") {
  const std::string open =
      "client> connect\n" + kCalls + "client> call nfs3 GETATTR xid=0x77\nclient> disconnect\n";
  const Heard acked = heard(open + "server> reply xid=0x77\n");
  CHECK(acked.connections == Reported{"8 disconnect"});
  CHECK(acked.unreceived.empty());
  CHECK(acked.anomalies == 0);
  for (const std::string& later : {std::string(), "wait 10s\nclient> connect psn=0x900/0xa00\n" + kCalls}) {
    const Heard lost = heard(open + "server> reply xid=0x77 noack\n" + later);
    CHECK(lost.connections[0] == "7 disconnect");
    CHECK(lost.unreceived.size() == 1);
    CHECK(lost.anomalies == 1);
  }
}

}  // namespace steertag::support
