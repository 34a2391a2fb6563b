#include "rdma/roce/nak.h"

#include <catch2/catch.hpp>

using namespace steertag::rdma::roce;

TEST_CASE("nak: every code has a name, and those without a meaning say so") {
  CHECK(nak_name(0) == "PSN sequence error");
  CHECK(nak_name(1) == "invalid request");
  CHECK(nak_name(2) == "remote access error");
  CHECK(nak_name(3) == "remote operational error");
  CHECK(nak_name(4) == "invalid RD request");
  CHECK(nak_name(5) == "reserved code 5");
  CHECK(nak_name(31) == "reserved code 31");
}
