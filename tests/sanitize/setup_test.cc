// Messages that set up connections: what stays of a MAD of the CM, and of private data.
#include "sanitize/setup.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rdma/roce/cm.h"
#include "sanitize/made.h"
#include "support/scenario_trace.h"

namespace steertag::sanitize {
namespace {

TEST_CASE("a service of the CM stays where it is a port, and else may be a GUID") {
  namespace roce = rdma::roce;
  AddressMap addresses(kKey);
  const auto after = [&](roce::CmAttribute attribute, uint64_t service) {
    roce::CmMessage message;
    message.attribute = attribute;
    message.service_id = service;
    std::vector<uint8_t> mad;
    roce::encode(message, mad);
    const std::vector<uint8_t> out = sanitize_mad(mad, kKey, addresses);
    REQUIRE(roce::decode(out, message));
    return message.service_id;
  };
  constexpr uint64_t kGuid = 0x0002C90200402BD4, kPort = roce::ip_service_id(20049);
  for (const roce::CmAttribute of :
       {roce::CmAttribute::req, roce::CmAttribute::sidr_req, roce::CmAttribute::sidr_rep}) {
    CHECK(after(of, kPort) == kPort);
    CHECK(after(of, kGuid) != kGuid);
    CHECK(after(of, kGuid) == after(roce::CmAttribute::req, kGuid));
    CHECK(after(of, 0) == 0);
  }
}

// IBTA vol. 1 §12.6.5, §12.6.8: a REQ has numbers where a REP has the GUID of its CA.
TEST_CASE("of a MAD of the CM nothing stays where its reserved bytes are not zero") {
  namespace roce = rdma::roce;
  constexpr uint64_t kGuid = 0x7365637265747365;
  constexpr size_t kAttribute = 17;  // its second byte
  AddressMap addresses(kKey);
  roce::CmMessage rep;
  rep.attribute = roce::CmAttribute::rep;
  rep.local_ca_guid = kGuid;
  rep.rep_retry = 0xE0;
  std::vector<uint8_t> mad;
  roce::encode(rep, mad);
  roce::CmMessage read;
  REQUIRE(roce::decode(sanitize_mad(mad, kKey, addresses), read));
  CHECK(read.rep_retry == rep.rep_retry);
  mad[kAttribute] = static_cast<uint8_t>(roce::CmAttribute::req);
  REQUIRE(roce::decode(mad, read));
  CHECK(read.local_qpn == kGuid % (1ull << 32) >> 8);
  CHECK(sanitize_mad(mad, kKey, addresses) == std::vector<uint8_t>(mad.size()));
}

TEST_CASE("private data is kept as far as it is of RPC-over-RDMA") {
  for (const scenario::Fabric fabric : support::kFabrics) {
    const support::Trace trace = support::compiled(
        "client> connect private_data=73656372657473656372657473656372\n" + std::string(kRpcs), fabric);
    CHECK(holds(trace, "secretsecret"));
    CHECK_FALSE(holds(sanitized(trace), "secret"));
  }
}

TEST_CASE("of private data in another version of its format nothing is kept behind the version") {
  for (const scenario::Fabric fabric : support::kFabrics) {
    const auto shown = [&](const std::string& version) {
      const support::Trace trace = support::compiled(
          "client> connect private_data=f6ab0e18" + version + "737878\n" + std::string(kRpcs), fabric);
      REQUIRE(holds(trace, "sxx"));
      return holds(sanitized(trace), "sxx");
    };
    CHECK(shown("01"));
    CHECK_FALSE(shown("02"));
  }
}

}  // namespace
}  // namespace steertag::sanitize
