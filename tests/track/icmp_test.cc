// ICMP errors that quote no more of a RoCEv2 packet than its UDP header: which connection they count with.
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "rdma/roce/qp_pair.h"
#include "support/compiled.h"
#include "track/roce_links.h"

namespace steertag::support::icmp {
namespace {

using scenario::Fabric;
using track::RoceLink;
using track::RoceLinks;

const std::string kRpc = "client> call nfs3 GETATTR\nserver> reply\n";
const std::string kError = "server> icmp host by=10.0.9.9 quotes=8\n";

// How many count with each connection, in the order of their ends.
std::vector<uint64_t> counted(const std::string& text) {
  struct Log final : Observer {
    std::vector<uint64_t> errors;
    void on(const Event& event) override {
      if (const auto* closed = std::get_if<ConnectionClosed>(&event)) {
        errors.push_back(closed->connection.icmp.count);
      }
    }
  };
  Log log;
  feed_all(log, compiled(text, Fabric::roce2));
  return log.errors;
}

base::Address host(uint8_t number) {
  const uint8_t octets[4] = {10, 0, 0, number};
  return base::Address::ipv4(octets);
}

struct Links {
  static constexpr uint16_t kPort = 50000;
  base::Budget budget;
  RoceLinks links{budget};
  uint32_t qpn = 0x10;

  RoceLink& open(uint16_t udp_port) {
    qpn += 2;
    RoceLink& link = links.add({host(1), host(2), qpn}, track::Half{host(2), host(1), qpn + 1});
    link.pair = std::make_unique<rdma::roce::QpPair>(link);
    link.udp_ports = {udp_port, 1};
    links.rank(link);
    return link;
  }
  void error(uint16_t udp_length = 100) {
    link::IcmpError error;
    error.quote.source = host(1);
    error.quote.destination = host(2);
    error.quote.source_port = kPort;
    error.quote.udp_length = udp_length;
    links.on_icmp(error, Stamp{1, 0, 0});
  }
};

}  // namespace

TEST_CASE("an ICMP error without a BTH is about the connection whose packets have that UDP port") {
  for (const std::string settings : {"", "ipv6\n"}) {
    CHECK(counted(settings + "client> connect\n" + kRpc + "client> call nfs3 GETATTR\n" + kError + kError) ==
          std::vector<uint64_t>{2});
    CHECK(counted(settings + "connection b qpn=0x31/0x32\n" + kRpc + "b.client> call nfs3 GETATTR\n" +
                  "b.server> reply\n" + kRpc + kError) == std::vector<uint64_t>{1, 0});
  }
}

TEST_CASE("an ICMP error without a BTH is not about a connection that is over, nor about its setup") {
  CHECK(counted("client> connect\n" + kRpc + "client> disconnect\nwait 10s\n" +
                "connection b qpn=0x31/0x32 client=10.0.0.7\nb.client> call nfs3 NULL\n" + kError)[0] == 0);
  CHECK(counted("client> connect\n" + kRpc + "client> connect unanswered\n" + kError)[0] == 0);
}

TEST_CASE_METHOD(Links, "an ICMP error that may be about several connections counts with none") {
  RoceLink& one = open(kPort);
  error();
  CHECK(one.connection.icmp.count == 1);
  error(288);  // as a message of the CM
  CHECK(one.connection.icmp.count == 1);
  RoceLink& other = open(kPort);
  error();
  CHECK(one.connection.icmp.count == 1);
  CHECK(other.connection.icmp.count == 0);
  other.pair.reset();
  links.rank(other);
  error();
  CHECK(one.connection.icmp.count == 2);
  links.remove(one);
  error();
  CHECK(other.connection.icmp.count == 0);
}

TEST_CASE_METHOD(Links, "among more connections between two hosts none is sought") {
  RoceLink& one = open(kPort);
  for (size_t i = 1; i < RoceLinks::kMostAlike; ++i) {
    open(7);
  }
  error();
  CHECK(one.connection.icmp.count == 1);
  open(7);
  error();
  CHECK(one.connection.icmp.count == 1);
}

}  // namespace steertag::support::icmp
