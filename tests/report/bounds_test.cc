// The bound of what is counted where there is no RPC-over-RDMA: one below, at and above.
#include <catch2/catch.hpp>
#include <string>

#include "report/made.h"
#include "report/seen.h"

using namespace steertag;
using namespace steertag::report;

TEST_CASE("bounds: transports and ports of connections without RPC-over-RDMA") {
  const auto seen = [](size_t ports, bool falling) {
    Seen all;
    for (size_t i = 0; i < ports; ++i) {
      track::Connection connection = made_connection();
      connection.ends[1].port = static_cast<uint16_t>(8000 + (falling ? ports - 1 - i : i));
      all.note(connection);
      all.note(connection);
    }
    return all;
  };
  for (const size_t ports : {Seen::kMaxPorts - 1, Seen::kMaxPorts, Seen::kMaxPorts + 1}) {
    // The first in their order, in whatever order they came.
    const std::vector<uint64_t> numbers = seen(ports, false).numbers();
    CHECK(numbers == seen(ports, true).numbers());
    CHECK(numbers.size() == 5 * std::min(ports, Seen::kMaxPorts));
    for (size_t i = 0; i < numbers.size(); i += 5) {
      CHECK(numbers[i + 1] == 8000 + i / 5);
      CHECK(numbers[i + 2] == 2);
    }
  }
}
