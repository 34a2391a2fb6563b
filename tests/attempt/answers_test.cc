// Answers that need a second look, as scenarios: what is no MPA Reply, what comes too late, whose packets
// come first, and a capture that ends before an answer is due.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "attempt/attempts.h"
#include "attempt/told.h"
#include "attempt/words.h"
#include "support/mended.h"

namespace steertag::support {
namespace {

TEST_CASE("what is no valid MPA Reply is told of the server, whoever closes") {
  const std::string by_server = "1 unanswered invalid MPA Reply by 10.0.0.2 then none";
  const std::string http = "client> connect iwarp(6 set(0 485454502f312e3120343030))\n";
  for (const char* const end :
       {"client> disconnect\n", "server> disconnect\n", "server> disconnect reset\n"}) {
    CHECK(told(http + end, Fabric::iwarp) == by_server);
  }
  CHECK(told(http, Fabric::iwarp) == by_server);
  // A revision that was not asked for: the client has to close.
  CHECK(told("client> connect iwarp(6 rev=9)\nclient> disconnect\n", Fabric::iwarp) == by_server);
  CHECK(told("client> connect iwarp(6 rev=9)\nserver> disconnect\n", Fabric::iwarp) ==
        "1 terminated FIN by 10.0.0.2 then none");
  // Not all of it came.
  const std::string cut = "client> connect iwarp(6 pd_length=90)\nwait 5s\n";
  CHECK(told(cut + "client> disconnect reset\n", Fabric::iwarp) == by_server);
  CHECK(told(cut, Fabric::iwarp).empty());

  const std::vector<Attempt> attempts = attempts_of(compiled(http, Fabric::iwarp));
  REQUIRE(attempts.size() == 1);
  CHECK(attempts[0].like.certain);
  CHECK(attempts[0].like.frames.front().number == 6);
  CHECK(
      attempt::sentence(attempts[0]) ==
      "10.0.0.2 answered the MPA Request with what is no valid MPA Reply in 1 attempt of 10.0.0.1 to connect "
      "to 10.0.0.2 port 20049");
  CHECK_FALSE(attempts_of(compiled(cut + "client> disconnect reset\n", Fabric::iwarp)).at(0).like.certain);
}

TEST_CASE("the client is named by its role, whichever end was captured first") {
  const Trace whole = compiled("client> connect rejected\n", Fabric::iwarp);
  Trace half = whole;
  half.frames.clear();
  link::Decoder decoder;
  for (size_t i = 0; i < whole.frames.size(); ++i) {
    if (decoder.decode(frame_of(whole, i)).source.text() == "10.0.0.2") {
      half.frames.push_back(whole.frames[i]);
    }
  }
  const std::vector<Attempt> attempts = attempts_of(half);
  REQUIRE(attempts.size() == 1);
  CHECK(attempts[0].like.connection.client == rdma::Side::a);
  CHECK(attempts[0].like.connection.end(rdma::Side::a).address.text() == "10.0.0.1");
  CHECK(attempts[0].like.by.text() == "10.0.0.2");
}

TEST_CASE("a capture that ends where a client asks once more shows no attempt that failed") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::roce1, Fabric::iwarp}) {
    const std::string up = "client> connect\n" + kRpc;
    const std::string other = "connection b client=10.0.0.1 qpn=0x21/0x22 source_port=900\n";
    const std::string asked = other + up + "b.client> connect comm=9 unanswered\n";
    CHECK(told(asked, fabric).empty());
    CHECK(told(asked + "wait 400ms\n" + kRpc, fabric).empty());
    CHECK(told(asked + "wait 600ms\n" + kRpc, fabric) == "1 unanswered then none");
  }
  static_assert(attempt::Attempts::kAnswerNs == 500'000'000);
}

}  // namespace
}  // namespace steertag::support
