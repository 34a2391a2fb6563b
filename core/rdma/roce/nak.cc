#include "rdma/roce/nak.h"

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

}  // namespace steertag::rdma::roce
