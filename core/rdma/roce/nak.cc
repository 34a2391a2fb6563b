#include "rdma/roce/nak.h"

#include <array>
#include <string_view>
#include <utility>

#include "base/named.h"
#include "rdma/roce/headers.h"

namespace steertag::rdma::roce {

std::string nak_name(uint8_t code) {
  static constexpr std::pair<NakCode, std::string_view> names[] = {
      {NakCode::psn_sequence_error, "PSN sequence error"},
      {NakCode::invalid_request, "invalid request"},
      {NakCode::remote_access_error, "remote access error"},
      {NakCode::remote_operational_error, "remote operational error"},
      {NakCode::invalid_rd_request, "invalid RD request"}};
  const std::string_view name = base::named(names, static_cast<NakCode>(code));
  return name.empty() ? "reserved code " + std::to_string(code) : std::string(name);
}

int64_t rnr_timer_ns(uint8_t field) {
  constexpr std::array<uint32_t, 32> kHundredths = {
      65536, 1,   2,   3,   4,    6,    8,    12,   16,   24,   32,   48,    64,    96,    128,   192,
      256,   384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};
  return int64_t{kHundredths[field % kHundredths.size()]} * 10'000;
}

}  // namespace steertag::rdma::roce
