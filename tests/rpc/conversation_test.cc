// What a Conversation makes of the transport's complaints.
#include <catch2/catch.hpp>
#include <string>

#include "support/compiled.h"

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

}  // namespace steertag::support
