#include "attempt/reason.h"

#include <fmt/core.h>

#include "base/named.h"
#include "rdma/iwarp/terminate.h"

namespace steertag::attempt {
namespace {

using Kind = Reason::Kind;

// IBTA vol. 1, §12.6.7.2, by the code; 35 is what implementations add.
constexpr std::string_view kRejects[] = {
    "",
    "no queue pair available",
    "no EE context available",
    "no resources available",
    "timeout",
    "unsupported request",
    "invalid communication ID",
    "invalid communication instance",
    "invalid service ID",
    "invalid transport service type",
    "stale connection",
    "RDC does not exist",
    "primary remote port GID rejected",
    "primary remote port LID rejected",
    "invalid primary SL",
    "invalid primary traffic class",
    "invalid primary hop limit",
    "invalid primary packet rate",
    "alternate remote port GID rejected",
    "alternate remote port LID rejected",
    "invalid alternate SL",
    "invalid alternate traffic class",
    "invalid alternate hop limit",
    "invalid alternate packet rate",
    "port and CM redirection",
    "port redirection",
    "invalid path MTU",
    "insufficient responder resources",
    "rejected by the consumer",
    "RNR retry count rejected",
    "duplicate local communication ID",
    "invalid class version",
    "invalid primary flow label",
    "invalid alternate flow label",
    "",
    "vendor option not supported",
};

struct IcmpName {
  bool version_six;
  uint8_t type;
  uint16_t code;
  std::string_view text;
};
// RFC 792, RFC 1122 §3.2.2.1, RFC 1812 §5.2.7.1; RFC 4443 §3.
constexpr IcmpName kIcmp[] = {
    {false, 3, 0, "network unreachable"},
    {false, 3, 1, "host unreachable"},
    {false, 3, 2, "protocol unreachable"},
    {false, 3, 3, "port unreachable"},
    {false, 3, 4, "fragmentation needed"},
    {false, 3, 5, "source route failed"},
    {false, 3, 6, "network unknown"},
    {false, 3, 7, "host unknown"},
    {false, 3, 8, "source host isolated"},
    {false, 3, 9, "network administratively prohibited"},
    {false, 3, 10, "host administratively prohibited"},
    {false, 3, 11, "network unreachable for this type of service"},
    {false, 3, 12, "host unreachable for this type of service"},
    {false, 3, 13, "administratively prohibited"},
    {false, 3, 14, "host precedence violation"},
    {false, 3, 15, "precedence cutoff"},
    {false, 11, 0, "time to live exceeded"},
    {false, 11, 1, "fragment reassembly time exceeded"},
    {false, 12, 0, "parameter problem"},
    {true, 1, 0, "no route"},
    {true, 1, 1, "administratively prohibited"},
    {true, 1, 2, "beyond the scope of the source address"},
    {true, 1, 3, "address unreachable"},
    {true, 1, 4, "port unreachable"},
    {true, 1, 5, "source address failed a policy"},
    {true, 1, 6, "route rejected"},
    {true, 1, 7, "error in the source route"},
    {true, 2, 0, "packet too big"},
    {true, 3, 0, "hop limit exceeded"},
    {true, 3, 1, "fragment reassembly time exceeded"},
    {true, 4, 0, "wrong header field"},
    {true, 4, 1, "unknown next header"},
    {true, 4, 2, "unknown IPv6 option"},
};

std::string icmp_name(const Reason& reason) {
  std::string_view found;
  for (const IcmpName& one : kIcmp) {
    if (one.version_six == reason.version_six && one.type == reason.type && one.code == reason.code) {
      found = one.text;
    }
  }
  return reason.mtu == 0 ? std::string(found) : fmt::format("{}, MTU {}", found, reason.mtu);
}

std::string reject_name(const Reason& reason) {
  const std::string_view name = reason.code < std::size(kRejects) ? kRejects[reason.code] : "";
  return reason.mtu == 0 ? std::string(name) : fmt::format("{}, {} bytes offered", name, reason.mtu);
}

constexpr std::string_view kNames[] = {"",
                                       "",
                                       "rejected by the consumer",
                                       "connection reset",
                                       "connection closed",
                                       "disconnect requested",
                                       "",
                                       "",
                                       "the server asked to wait",
                                       "",
                                       ""};

}  // namespace

std::string text(const Reason& reason) {
  static constexpr std::string_view kTexts[] = {"",    "REJ",        "MPA reject",       "RST",
                                                "FIN", "DREQ",       "Terminate",        "ICMP",
                                                "MRA", "wrong ICRC", "invalid MPA Reply"};
  const std::string_view what = base::named<Kind::invalid_reply>(kTexts, reason.kind);
  switch (reason.kind) {
    case Kind::cm_reject:
      return fmt::format("{} {}", what, reason.code);
    case Kind::terminate:
      return fmt::format("{} {}/{}/{:#04x}", what, reason.layer, reason.type, reason.code);
    case Kind::icmp:
      return fmt::format("{}{} {}/{}", what, reason.version_six ? "v6" : "", reason.type, reason.code);
    default:
      return std::string(what);
  }
}

std::string name(const Reason& reason) {
  switch (reason.kind) {
    case Kind::cm_reject:
      return reject_name(reason);
    case Kind::terminate:
      return std::string(
          rdma::iwarp::terminate_name(reason.layer, reason.type, static_cast<uint8_t>(reason.code)));
    case Kind::icmp:
      return icmp_name(reason);
    default:
      return std::string(base::named<Kind::invalid_reply>(kNames, reason.kind));
  }
}

Reason reason_of(const link::IcmpError& error) {
  return {.kind = Kind::icmp,
          .type = error.type,
          .code = error.code,
          .version_six = error.version_six,
          .mtu = error.mtu};
}

}  // namespace steertag::attempt
