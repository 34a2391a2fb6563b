// What a Conversation makes of the transport's complaints, and what it counts as memory.
#include "rpc/conversation.h"

#include <catch2/catch.hpp>
#include <string>

#include "support/compiled.h"
#include "support/connection_fixture.h"

namespace steertag::support {
namespace {

uint64_t complaints(const std::string& text) {
  struct Count final : Observer {
    uint64_t faults = 0;
    void on(const Event& event) override {
      const auto* seen = std::get_if<IncidentSeen>(&event);
      faults += seen != nullptr && seen->incident.anomaly() == nullptr ? 1 : 0;
    }
  } count;
  Options options;
  options.for_rules = true;
  feed_all(count, compiled(text, scenario::Fabric::roce2), options);
  return count.faults;
}

}  // namespace

TEST_CASE("a complaint that is repeated is reported once, one about another packet is another") {
  const std::string call = "client> connect\nclient> call nfs3 GETATTR\nserver> reply\n";
  CHECK(complaints(call + "server> nak access psn=0x120\nserver> nak access psn=0x120\n") == 1);
  CHECK(complaints(call + "server> nak access psn=0x120\nserver> nak access psn=0x121\n") == 2);
  CHECK(complaints(call + "server> nak access psn=0x120\nserver> nak invalid psn=0x120\n") == 2);
}

TEST_CASE(
    "what listens to the transport counts as the memory that it holds, and nothing does where none does") {
  struct Listening final : rpc::TransportListener {
    explicit Listening(size_t held) : held_(held) {}
    size_t bytes() const override { return held_; }
    size_t held_;
  };
  const auto held = [](rpc::TransportListener* listener) {
    rpc::ConnectionFixture fixture;
    fixture.state.listeners.transport = listener;
    const size_t before = fixture.common.budget.held();
    const rpc::Conversation conversation(fixture.state);
    return fixture.common.budget.held() - before;
  };
  Listening to_nothing(0), to_something(1000);
  CHECK(held(nullptr) == held(&to_nothing));
  CHECK(held(&to_something) == held(&to_nothing) + 1000);
}

}  // namespace steertag::support
