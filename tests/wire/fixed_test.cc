// Structs of a known length read in one go are those that a Reader reads.
#include "wire/fixed.h"

#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "link/headers.h"
#include "rdma/roce/bth.h"
#include "wire/writer.h"

using namespace steertag;

namespace {

template <typename Header>
void check_alike() {
  std::array<uint8_t, Header::size> bytes{};
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(i * 37 + 5);
  }
  Header fixed, read;
  wire::read_fixed(bytes.data(), fixed);
  REQUIRE_FALSE(wire::read(bytes, read));
  std::vector<uint8_t> from_fixed, from_read;
  wire::write(from_fixed, fixed);
  wire::write(from_read, read);
  CHECK(from_fixed == from_read);
  CHECK(from_fixed == std::vector<uint8_t>(bytes.begin(), bytes.end()));
}

}  // namespace

TEST_CASE("fixed: a header is what a Reader makes of it") {
  check_alike<link::EthernetHeader>();
  check_alike<link::Ipv4Header>();
  check_alike<link::Ipv6Header>();
  check_alike<link::UdpHeader>();
  check_alike<link::TcpHeader>();
  check_alike<link::Lrh>();
  check_alike<rdma::roce::Bth>();
}
