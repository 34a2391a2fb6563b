// What happens before it is known that a connection carries RPC-over-RDMA waits
// for that: messages, and the incidents of its transport, in their order.
#include "rpc/claim.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/compiled.h"

namespace steertag::support {
namespace {

using scenario::Fabric;
using Kind = rdma::Anomaly::Kind;

// "m" a message, "4" an anomaly of that kind, "f" a complaint; in the order in which they are reported.
class Order final : public Observer {
 public:
  std::string reported;
  void on(const Event& event) override {
    if (std::holds_alternative<MessageSeen>(event)) {
      reported += "m ";
    } else if (const auto* seen = std::get_if<IncidentSeen>(&event)) {
      const rdma::Anomaly* anomaly = seen->incident.anomaly();
      reported += anomaly == nullptr ? "f " : std::to_string(static_cast<int>(anomaly->kind)) + " ";
    }
  }
};

std::string reported(const std::string& text, Fabric fabric) {
  Order order;
  Options options;
  options.for_rules = true;
  options.verify_checksums = true;
  feed_all(order, compiled(text, fabric), options);
  return order.reported;
}

std::string number(Kind kind) {
  return std::to_string(static_cast<int>(kind)) + " ";
}

const std::string kCall = "client> call nfs3 GETATTR\nserver> reply\n";

}  // namespace

TEST_CASE("claim: faults of the MPA setup are reported with the first message") {
  CHECK(reported("client> connect none iwarp(rev=0)\n" + kCall, Fabric::iwarp)
            .starts_with(number(Kind::mpa_revision)));
  const std::string much = "client> connect server(private_data=" + std::string(2 * 600, '0') + ")\n" + kCall;
  CHECK(reported(much, Fabric::iwarp) == number(Kind::mpa_private_data_length) + "m m ");
  CHECK(reported("client> connect none port=7000 iwarp(rev=0)\n", Fabric::iwarp).empty());
}

TEST_CASE("claim: the responder's FPDU before the initiator's first is reported with the first message") {
  const std::string text = "client> connect none\nserver> write 0x55:16@0\n" + kCall;
  CHECK(reported(text, Fabric::iwarp).starts_with(number(Kind::mpa_early_fpdu)));
}

TEST_CASE("claim: a pad of the first FPDU that is not zero is reported with the first message") {
  const std::string text =
      "client> connect none\nclient> call nfs3 GETATTR append=00 iwarp(pad=0xff)\nserver> reply\n";
  CHECK(reported(text, Fabric::iwarp) == number(Kind::mpa_pad) + "m m ");
}

TEST_CASE("claim: promising from the first Send that fits, until one does not") {
  using rpcrdma::Likeness;
  base::Budget budget(1 << 20);
  rpc::Claim claim(budget);
  CHECK_FALSE(claim.promising());
  CHECK(claim.hear(Likeness::yes) == rpc::Claim::State::open);
  CHECK(claim.promising());
  CHECK(claim.hear(Likeness::no) == rpc::Claim::State::open);
  CHECK_FALSE(claim.promising());
  CHECK(claim.hear(Likeness::yes) == rpc::Claim::State::open);
  CHECK(claim.hear(Likeness::yes) == rpc::Claim::State::claimed);
}

TEST_CASE("claim: what waits keeps its place among the messages that wait") {
  const std::string text =
      "client> connect none port=7000\nclient> call nfs3 GETATTR bad_checksum\nclient> call nfs3 GETATTR\n";
  CHECK(reported(text, Fabric::iwarp) == number(Kind::mpa_crc) + "m m ");
}

TEST_CASE("claim: a complaint before the connection is believed is reported") {
  const std::string text = "client> connect none port=7000\nclient> call nfs3 GETATTR nak=rnr\n" + kCall;
  CHECK(reported(text, Fabric::roce2).find("f ") != std::string::npos);
}

TEST_CASE("claim: incidents that wait are bounded, the first ones are kept") {
  std::string text = "client> connect none\nserver> write 0x55:16@0\n";
  for (int i = 0; i < 100; ++i) {
    text += "server> write 0x55:16@0 bad_checksum\n";
  }
  const std::string all = reported(text + kCall, Fabric::iwarp);
  CHECK(all.starts_with(number(Kind::mpa_early_fpdu) + number(Kind::mpa_crc)));
  size_t wrong = 0;
  for (size_t at = all.find(number(Kind::mpa_crc)); at != std::string::npos;
       at = all.find(number(Kind::mpa_crc), at + 1)) {
    ++wrong;
  }
  CHECK(wrong == 63);
}

}  // namespace steertag::support
