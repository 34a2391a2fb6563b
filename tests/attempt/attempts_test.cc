// Attempts: set-ups that failed, over every fabric: what each is called, how many tries it is, who ended it,
// and what the client did next. What came up is none, whatever of it the capture lacks.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "attempt/words.h"
#include "support/compiled.h"
#include "support/mended.h"

namespace steertag::support {
namespace {

using attempt::Attempt;
using scenario::Fabric;

constexpr Fabric kAll[] = {Fabric::roce2, Fabric::roce1, Fabric::iwarp};

class Watch final : public Observer {
 public:
  std::vector<Attempt> attempts;

  void on(const Event& event) override {
    if (const auto* seen = std::get_if<AttemptSeen>(&event)) {
      attempts.push_back(seen->attempt);
    }
  }
};

std::vector<Attempt> attempts_of(const Trace& trace, Options options = {}) {
  Watch watch;
  Analyzer analyzer(watch, options);
  feed_to_end(analyzer, trace);
  return watch.attempts;
}

// "3 rejected REJ 28 by 10.0.0.2 then none", sentence by sentence.
std::string told(const std::vector<Attempt>& attempts) {
  static constexpr std::string_view kOutcomes[] = {"rejected", "refused", "unanswered", "unconfirmed",
                                                   "terminated"};
  static constexpr std::string_view kThen[] = {"none", "connection", "tcp"};
  std::string text;
  for (const Attempt& one : attempts) {
    const std::string reason = attempt::text(one.like.reason);
    std::string by = one.like.by.text();
    if (by.starts_with("::ffff:")) {  // as a GID has it
      by.erase(0, 7);
    }
    text += (text.empty() ? "" : "; ") + std::to_string(one.tries) + " " +
            std::string(kOutcomes[static_cast<size_t>(one.like.outcome)]) +
            (reason.empty() ? "" : " " + reason) + (by.empty() ? "" : " by " + by) + " then " +
            std::string(kThen[static_cast<size_t>(one.then)]);
  }
  return text;
}

std::string told(const std::string& scenario, Fabric fabric) {
  return told(attempts_of(compiled(scenario, fabric)));
}

const std::string kRpc = "client> call nfs3 GETATTR\nserver> reply\n";

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

TEST_CASE("reasons have the names of their documents") {
  using attempt::Reason;
  CHECK(attempt::words({.kind = Reason::Kind::cm_reject, .code = 8}) == "REJ 8, invalid service ID");
  CHECK(attempt::words({.kind = Reason::Kind::cm_reject, .code = 1000}) == "REJ 1000");
  CHECK(attempt::words({.kind = Reason::Kind::terminate, .layer = 2, .type = 0, .code = 6}) ==
        "Terminate 2/0/0x06, MPA: insufficient IRD resources");
  CHECK(attempt::words({.kind = Reason::Kind::icmp, .type = 3, .code = 3}) == "ICMP 3/3, port unreachable");
  CHECK(attempt::words({.kind = Reason::Kind::icmp, .type = 1, .code = 4, .version_six = true}) ==
        "ICMPv6 1/4, port unreachable");
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
