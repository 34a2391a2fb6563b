// RDMA2_OPTIONAL with a payload (version-two-02 §5.2.1): what an extension
// conveys whole is a Call or a Reply as any other; parts of one accuse nobody.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "support/compiled.h"

namespace steertag::support {
namespace {

using flow::Doubt;
using flow::Part;
using flow::Status;

struct OptionRpc {
  Status status{};
  Doubt doubt{};
  bool named = false;  // its procedure is known
};

class OptionEar final : public Observer {
 public:
  std::map<uint32_t, OptionRpc> rpcs;  // by XID
  std::vector<Part> parts;             // of the messages
  uint32_t most_outstanding = 0;

  void on(const Event& event) override {
    if (const auto* done = std::get_if<ExchangeDone>(&event)) {
      const flow::Exchange& x = done->exchange;
      rpcs[x.xid] = {x.status, x.doubt, x.procedure.has_value()};
    } else if (const auto* seen = std::get_if<MessageSeen>(&event)) {
      parts.push_back(seen->message.part);
      most_outstanding = std::max(most_outstanding, seen->message.standing->credits.outstanding);
    }
  }
};

OptionEar hear_options(const std::string& text, scenario::Fabric fabric) {
  OptionEar ear;
  Options options;
  options.for_rules = true;
  feed_all(
      ear,
      compiled("version 2\nclient> connect\nclient> call xid=1 nfs3 NULL\nserver> reply\n" + text, fabric),
      options);
  return ear;
}

}  // namespace

TEST_CASE("an extension conveys whole Calls and Replies: they pair, and take and free credits") {
  for (const scenario::Fabric fabric : {scenario::Fabric::roce2, scenario::Fabric::iwarp}) {
    const OptionEar ear = hear_options(
        "client> call xid=2 nfs3 GETATTR option(77)\nserver> reply option(77)\n"
        "client> call xid=3 nfs3 GETATTR option(77 info=00000001)\nserver> reply\n"
        "client> call xid=4 nfs3 GETATTR\nserver> reply option(77)\n",
        fabric);
    REQUIRE(ear.rpcs.size() == 4);
    for (const auto& [xid, reported] : ear.rpcs) {
      INFO("XID " << xid);
      CHECK(reported.status == Status::complete);
      CHECK(reported.doubt == Doubt::none);
      CHECK(reported.named);
    }
    CHECK(ear.most_outstanding == 1);
  }
}

TEST_CASE("an extension conveys parts of a message: the first is the Call, the rest belongs to it") {
  for (const scenario::Fabric fabric : {scenario::Fabric::roce2, scenario::Fabric::iwarp}) {
    const OptionEar ear = hear_options(
        "client> call xid=2 nfs3 WRITE data=400 option(77) cut=100\n"
        "client> option opttype=77 xid=2 payload=1111111111111111\n"
        "server> reply xid=2\n"
        "client> call xid=3 nfs3 GETATTR\n"
        "server> option opttype=77 xid=3 payload=2222222222222222\n"
        "client> call xid=4 nfs3 GETATTR\nserver> reply xid=4\n",
        fabric);
    REQUIRE(ear.parts.size() == 9);
    CHECK(ear.parts[2] == Part::opening);
    CHECK(ear.parts[3] == Part::rest);
    CHECK(ear.parts[6] == Part::rest);
    CHECK(ear.rpcs.at(2).status == Status::complete);
    CHECK(ear.rpcs.at(3).status == Status::no_reply);
    CHECK(ear.rpcs.at(3).doubt == Doubt::in_parts);
    CHECK(ear.rpcs.at(4).status == Status::complete);
    CHECK(ear.most_outstanding == 1);
  }
}

TEST_CASE("what an extension conveys opens a message as far as it can be read as one") {
  // XID, CALL, and the version of RPC as far as there is one.
  const auto part = [](const std::string& payload) {
    const OptionEar ear =
        hear_options("client> option opttype=77 xid=2 payload=" + payload + "\n", scenario::Fabric::roce2);
    REQUIRE(ear.parts.size() == 3);
    return ear.parts[2];
  };
  CHECK(part("0000000200000000") == Part::opening);
  CHECK(part("000000020000000000000002") == Part::opening);
  CHECK(part("000000020000000000000003") == Part::rest);
}

}  // namespace steertag::support
