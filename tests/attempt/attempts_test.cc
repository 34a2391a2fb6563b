// Attempts: set-ups that failed, over every fabric: what each is called, how many tries it is, who ended it,
// and what the client did next. What came up is none, whatever of it the capture lacks.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "attempt/told.h"
#include "attempt/words.h"
#include "support/mended.h"

namespace steertag::support {
namespace {

constexpr Fabric kAll[] = {Fabric::roce2, Fabric::roce1, Fabric::iwarp};

TEST_CASE("what is rejected names its reason, and tries that are alike are one attempt") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::roce1}) {
    CHECK(told("client> connect rejected\n", fabric) == "1 rejected REJ 28 by 10.0.0.2 then none");
    CHECK(told("client> connect rejected=10\nwait 1s\nclient> connect rejected=10\n", fabric) ==
          "2 rejected REJ 10 by 10.0.0.2 then none");
    CHECK(told("client> connect rejected=10\nclient> connect rejected=3\n", fabric) ==
          "1 rejected REJ 10 by 10.0.0.2 then none; 1 rejected REJ 3 by 10.0.0.2 then none");
    CHECK(told("client> connect refused\n", fabric) == "1 rejected REJ 8 by 10.0.0.2 then none");
  }
  CHECK(told("client> connect rejected\n", Fabric::iwarp) == "1 rejected MPA reject by 10.0.0.2 then none");
  CHECK(told("client> connect refused\n", Fabric::iwarp) == "1 refused RST by 10.0.0.2 then none");
}

TEST_CASE("a REQ or SYN that is sent again is the same try") {
  for (const Fabric fabric : kAll) {
    Trace trace = compiled("client> connect unanswered\n", fabric);
    for (int seconds = 1; seconds <= 2; ++seconds) {
      TraceFrame again = trace.frames.front();
      again.at.number = static_cast<uint64_t>(seconds) + 1;
      again.at.time_ns += int64_t{seconds} * 1'000'000'000;
      trace.frames.push_back(again);
    }
    const std::vector<Attempt> attempts = attempts_of(trace);
    CHECK(told(attempts) == "1 unanswered then none");
    REQUIRE(attempts.size() == 1);
    CHECK(attempts[0].like.frames.size() == 3);
    CHECK(attempts[0].like.certain);
    CHECK(attempt::request(attempts[0]) == (fabric == Fabric::iwarp ? "SYN" : "REQ"));
  }
}

TEST_CASE("of a single request the answer may be missing") {
  for (const Fabric fabric : kAll) {
    const std::vector<Attempt> attempts = attempts_of(compiled("client> connect unanswered\n", fabric));
    REQUIRE(attempts.size() == 1);
    CHECK_FALSE(attempts[0].like.certain);
  }
}

TEST_CASE("what follows is told: a connection, of that client at that server") {
  for (const Fabric fabric : kAll) {
    const std::string text = "client> connect refused\nclient> connect refused\nclient> connect\n" + kRpc;
    const std::vector<Attempt> attempts = attempts_of(compiled(text, fabric));
    REQUIRE(attempts.size() == 1);
    CHECK(attempts[0].tries == 2);
    CHECK(attempts[0].then == attempt::Then::connection);
    CHECK(attempts[0].conn == 1);
    // Another client's connection is no answer.
    const std::string other =
        "connection b client=10.0.0.9 qpn=0x21/0x22\nclient> connect refused\nb.client> connect\n" +
        std::string("b.client> call nfs3 GETATTR\nb.server> reply\n");
    CHECK(told(other, fabric).ends_with("then none"));
  }
}

TEST_CASE("an attempt after a connection had come up is not answered by it") {
  for (const Fabric fabric : kAll) {
    const std::string text = told(
        "client> connect\n" + kRpc + "client> disconnect\nwait 1s\nclient> connect refused comm=9\n", fabric);
    CHECK(text.substr(text.rfind(" then ")) == " then none");
  }
}

TEST_CASE("a connection that ends before its first RPC was terminated by who ended it") {
  CHECK(told("client> connect\nserver> disconnect\n", Fabric::roce2) ==
        "1 terminated DREQ by 10.0.0.2 then none");
  CHECK(told("client> connect\nserver> disconnect\n", Fabric::iwarp) ==
        "1 terminated FIN by 10.0.0.2 then none");
  CHECK(told("client> connect\nserver> disconnect reset\n", Fabric::iwarp) ==
        "1 terminated RST by 10.0.0.2 then none");
  CHECK(told("client> connect\nserver> terminate layer=2 etype=0 code=2\n", Fabric::iwarp) ==
        "1 terminated Terminate 2/0/0x02 by 10.0.0.2 then none");
}

TEST_CASE("a REP without RTU and without traffic is unconfirmed") {
  CHECK(told("client> connect omit(3)\n", Fabric::roce2) == "1 unconfirmed then none");
  CHECK(told("client> connect omit(3)\n" + kRpc, Fabric::roce2).empty());
}

TEST_CASE("an MPA Request without a Reply is unanswered, whoever closes") {
  CHECK(told("client> connect omit(6 7)\nclient> disconnect\n", Fabric::iwarp) == "1 unanswered then none");
  CHECK(told("client> connect omit(6 7)\nserver> disconnect reset\n", Fabric::iwarp) ==
        "1 unanswered RST by 10.0.0.2 then none");
}

TEST_CASE("what came up is no attempt, whichever frames the capture lacks") {
  for (const Fabric fabric : kAll) {
    const Trace whole = compiled("client> connect\n" + kRpc + kRpc + "client> disconnect\n", fabric);
    CHECK(attempts_of(whole).empty());
    for (size_t lost = 0; lost < whole.frames.size(); ++lost) {
      Trace trace = whole;
      trace.frames.erase(trace.frames.begin() + static_cast<ptrdiff_t>(lost));
      INFO("without frame " << lost + 1);
      for (const Attempt& one : attempts_of(trace)) {
        CHECK_FALSE(one.like.certain);
      }
    }
  }
}

TEST_CASE("one direction alone shows no attempt that failed") {
  for (const Fabric fabric : kAll) {
    const Trace whole = compiled("client> connect\n" + kRpc + kRpc + "client> disconnect\n", fabric);
    link::Decoder decoder;
    const base::Address client = decoder.decode(frame_of(whole, 0)).source;
    for (const bool from_client : {true, false}) {
      Trace half = whole;
      half.frames.clear();
      for (size_t i = 0; i < whole.frames.size(); ++i) {
        if ((decoder.decode(frame_of(whole, i)).source == client) == from_client) {
          half.frames.push_back(whole.frames[i]);
        }
      }
      INFO((from_client ? "client" : "server"));
      CHECK(told(attempts_of(half)).empty());
    }
  }
}

TEST_CASE("frames that were captured twice are one try") {
  for (const Fabric fabric : kAll) {
    Trace trace = compiled("client> connect refused\nwait 1s\nclient> connect refused comm=9\n", fabric);
    Trace twice = trace;
    twice.frames.clear();
    for (const TraceFrame& frame : trace.frames) {
      twice.frames.push_back(frame);
      twice.frames.push_back(frame);
    }
    const std::vector<Attempt> attempts = attempts_of(twice);
    REQUIRE(attempts.size() == 1);
    CHECK(attempts[0].tries == 2);
  }
}

TEST_CASE("other services are no attempts for NFS/RDMA, unless the port is told") {
  for (const Fabric fabric : kAll) {
    const Trace trace = compiled("client> connect none port=4420 refused\n", fabric);
    CHECK(attempts_of(trace).empty());
    Options options;
    options.rpcrdma_ports.push_back(4420);
    CHECK(attempts_of(trace, options).size() == 1);
    // Private data says it on any port, where there is any.
    CHECK(attempts_of(compiled("client> connect port=4420 rejected\n", fabric)).size() == 1);
  }
}

constexpr Fabric kRouted[] = {Fabric::roce2, Fabric::iwarp};

TEST_CASE("an ICMP error about the REQ or SYN refuses, and names who sent it") {
  for (const Fabric fabric : kRouted) {
    CHECK(told("client> connect unanswered\nserver> icmp port\n", fabric) ==
          "1 refused ICMP 3/3 by 10.0.0.2 then none");
    CHECK(told("client> connect unanswered\nserver> icmp host by=10.0.9.9\n", fabric) ==
          "1 refused ICMP 3/1 by 10.0.9.9 then none");
    CHECK(told("client> connect unanswered\nserver> icmp port quotes=8\n", fabric) ==
          "1 refused ICMP 3/3 by 10.0.0.2 then none");
    CHECK(told("ipv6\nclient> connect unanswered\nserver> icmp port\n", fabric) ==
          "1 refused ICMPv6 1/4 by fd00::a00:2 then none");
    CHECK(told("ipv6\nclient> connect unanswered\nserver> icmp time by=10.0.9.9 quotes=8\n", fabric) ==
          "1 refused ICMPv6 3/0 by fd00::a00:909 then none");
    CHECK(told("vlan 7\nclient> connect unanswered\nserver> icmp prohibited\n", fabric) ==
          "1 refused ICMP 3/13 by 10.0.0.2 then none");
  }
}

TEST_CASE("an ICMP error is told in words") {
  for (const Fabric fabric : kRouted) {
    const auto sentence_of = [&](const std::string& text) {
      const std::vector<Attempt> attempts = attempts_of(compiled(text, fabric));
      REQUIRE(attempts.size() == 1);
      CHECK(attempts[0].like.frames.size() == 1);
      CHECK(attempts[0].like.frames[0].number == 2);
      return attempt::sentence(attempts[0]);
    };
    const std::string tried = " refused 1 attempt of 10.0.0.1 to connect to 10.0.0.2 port 20049: ";
    CHECK(sentence_of("client> connect unanswered\nserver> icmp port\n") ==
          "10.0.0.2" + tried + "ICMP 3/3, port unreachable");
    CHECK(sentence_of("client> connect unanswered\nserver> icmp too-big mtu=1400 by=10.0.9.9\n") ==
          "10.0.9.9, a router in between," + tried + "ICMP 3/4, fragmentation needed, MTU 1400");
  }
}

TEST_CASE("what the host itself says is certain, what a router says of one request may pass") {
  for (const Fabric fabric : kRouted) {
    const auto certain = [&](const std::string& text) {
      const std::vector<Attempt> attempts = attempts_of(compiled(text, fabric));
      REQUIRE(attempts.size() == 1);
      return attempts[0].like.certain;
    };
    CHECK(certain("client> connect unanswered\nserver> icmp port\n"));
    CHECK_FALSE(certain("client> connect unanswered\nserver> icmp host by=10.0.9.9\n"));
  }
}

TEST_CASE("routers that say the same are two attempts") {
  const std::string ask = "client> connect unanswered\nserver> icmp host by=10.0.9.";
  for (const Fabric fabric : kRouted) {
    CHECK(told(ask + "9\nwait 9s\n" + ask + "9\n", fabric) == "2 refused ICMP 3/1 by 10.0.9.9 then none");
    CHECK(told(ask + "9\nwait 9s\n" + ask + "8\n", fabric) ==
          "1 refused ICMP 3/1 by 10.0.9.9 then none; 1 refused ICMP 3/1 by 10.0.9.8 then none");
  }
}

TEST_CASE("an ICMP error about a connection that comes up all the same is none") {
  for (const Fabric fabric : kRouted) {
    Trace trace = compiled("client> connect\n" + kRpc, fabric);
    const Trace refusal = compiled("client> connect unanswered\nserver> icmp host by=10.0.9.9\n", fabric);
    trace.frames.insert(trace.frames.begin() + 1, refusal.frames[1]);
    for (size_t i = 0; i < trace.frames.size(); ++i) {
      trace.frames[i].at.number = i + 1;
    }
    CHECK(attempts_of(trace).empty());
    // About what was sent later it says nothing of how it was set up, either.
    CHECK(told("client> connect\n" + kRpc + "server> icmp host\n" + kRpc, fabric).empty());
    CHECK(told("client> connect\n" + kRpc + "client> icmp port\n", fabric).empty());
  }
}

TEST_CASE("an ICMP error that quotes nothing of this capture changes nothing") {
  for (const Fabric fabric : kRouted) {
    const std::string refused = "client> connect unanswered\nserver> icmp port";
    for (const char* const other : {" badsum\n", "\n"}) {
      const Trace whole = compiled(refused + other, fabric);
      CHECK((told(attempts_of(whole)) == "1 unanswered then none") == (other[0] == ' '));
      Trace alone = whole;
      alone.frames.erase(alone.frames.begin());
      CHECK(attempts_of(alone).empty());
    }
    // Of other hosts, ports, QPs; of the same with another sequence number, Communication ID, identification.
    for (const char* const forged :
         {"connect unanswered client=10.0.0.7", "connect unanswered qpn=0x21/0x22 comm=99 port=7 seq=77",
          "connect unanswered qpn=0x31/0x32 source_port=99 seq=5"}) {
      for (const char* const quotes : {"", " quotes=8"}) {
        Trace trace = compiled("client> connect unanswered\n", fabric);
        const Trace other =
            compiled(std::string("client> ") + forged + "\nserver> icmp port" + quotes + "\n", fabric);
        trace.frames.push_back(other.frames[1]);
        trace.frames[1].at.number = 2;
        CHECK(told(attempts_of(trace)) == "1 unanswered then none");
      }
    }
  }
}

TEST_CASE("an ICMP error may be about an MPA Request, or a REP") {
  CHECK(told("client> connect omit(6 7)\nserver> icmp too-big mtu=600 by=10.0.9.9\n", Fabric::iwarp) ==
        "1 refused ICMP 3/4 by 10.0.9.9 then none");
  const std::vector<Attempt> attempts =
      attempts_of(compiled("client> connect omit(3)\nclient> icmp port\n", Fabric::roce2));
  CHECK(told(attempts) == "1 unconfirmed ICMP 3/3 by 10.0.0.1 then none");
  CHECK(attempt::sentence(attempts.at(0)) ==
        "The REP was never confirmed in 1 attempt of 10.0.0.1 to connect to 10.0.0.2 port 20049: "
        "ICMP 3/3, port unreachable, from 10.0.0.1");
}

TEST_CASE("with an MRA a request is not unanswered before its time is over") {
  const auto later = [](Trace trace, int64_t seconds) {
    const Trace other =
        compiled("connection b qpn=0x51/0x52 client=10.0.0.8\nb.client> call nfs3 NULL\n", Fabric::roce2);
    trace.frames.push_back(other.frames[0]);
    trace.frames.back().at.number = trace.frames.size();
    trace.frames.back().at.time_ns = trace.frames[0].at.time_ns + seconds * 1'000'000'000;
    return trace;
  };
  for (const Fabric fabric : {Fabric::roce2, Fabric::roce1}) {
    const Trace asked = compiled("client> connect unanswered mra=20\n", fabric);  // 4.3 s
    CHECK(told(attempts_of(asked)).empty());
    CHECK(told(attempts_of(later(asked, 4))).empty());
    const std::vector<Attempt> attempts = attempts_of(later(asked, 5));
    REQUIRE(attempts.size() == 1);
    CHECK(attempt::text(attempts[0].like.reason) == "MRA");
    CHECK(attempts[0].like.outcome == attempt::Outcome::unanswered);
    CHECK_FALSE(attempts[0].like.certain);
    CHECK(attempt::sentence(attempts[0]).starts_with("Nothing but an MRA answered the REQ in 1 attempt of "));
    CHECK(told("client> connect mra\n" + kRpc, fabric).empty());
    CHECK(told("client> connect mra rejected=3\n", fabric) == "1 rejected REJ 3 by 10.0.0.2 then none");
    CHECK(told("client> connect mra omit(4)\n", fabric) == "1 unconfirmed then none");
  }
}

TEST_CASE("reasons have the names of their documents") {
  using attempt::Reason;
  CHECK(attempt::words({.kind = Reason::Kind::cm_reject, .code = 8}) == "REJ 8, invalid service ID");
  CHECK(attempt::words({.kind = Reason::Kind::cm_reject, .code = 1000}) == "REJ 1000");
  CHECK(attempt::words({.kind = Reason::Kind::terminate, .layer = 2, .type = 0, .code = 6}) ==
        "Terminate 2/0/0x06, MPA: insufficient IRD resources");
  CHECK(attempt::words({.kind = Reason::Kind::icmp, .type = 3, .code = 3}) == "ICMP 3/3, port unreachable");
  CHECK(attempt::words({.kind = Reason::Kind::icmp, .type = 1, .code = 4, .version_six = true}) ==
        "ICMPv6 1/4, port unreachable");
  CHECK(attempt::words({.kind = Reason::Kind::icmp, .type = 2, .version_six = true, .mtu = 1280}) ==
        "ICMPv6 2/0, packet too big, MTU 1280");
  CHECK(attempt::words({.kind = Reason::Kind::receipt}) == "MRA, the server asked to wait");
}

TEST_CASE("a code of ICMP has no name where its type and version do not have one for it") {
  using attempt::Reason;
  CHECK(attempt::words({.kind = Reason::Kind::icmp, .type = 3, .code = 200}) == "ICMP 3/200");
  CHECK(attempt::words({.kind = Reason::Kind::icmp, .type = 200, .code = 3}) == "ICMP 200/3");
  CHECK(attempt::words({.kind = Reason::Kind::icmp, .type = 1, .code = 200, .version_six = true}) ==
        "ICMPv6 1/200");
  CHECK(attempt::words({.kind = Reason::Kind::icmp, .type = 3, .code = 3, .version_six = true}) ==
        "ICMPv6 3/3");
}

}  // namespace
}  // namespace steertag::support
