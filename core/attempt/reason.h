// Reason: why an attempt to set up a connection failed, as the refusal itself says:
// the code of a REJ, of a Terminate, of an ICMP message; or the flag of TCP that
// ended it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace steertag::attempt {

struct Reason {
  enum class Kind : uint8_t {
    none,        // nothing answered
    cm_reject,   // CM REJ: `code` is its reason (IBTA vol. 1, §12.6.7.2)
    mpa_reject,  // MPA Reply with the R flag (RFC 5044 §7.1)
    reset,       // TCP RST
    fin,         // TCP FIN
    disconnect,  // CM DREQ
    terminate,   // RDMAP Terminate: layer, error type, code (RFC 5040 §4.8)
    icmp,        // ICMP or ICMPv6 error that quotes the packet: type, code
  };
  Kind kind = Kind::none;
  uint8_t layer = 0, type = 0;  // terminate; icmp: the type
  uint16_t code = 0;            // cm_reject, terminate, icmp
  bool version_six = false;     // icmp: ICMPv6

  friend auto operator<=>(const Reason&, const Reason&) = default;
};

// "REJ 8", "ICMP 3/3", "ICMPv6 1/4", "RST", "FIN", "DREQ", "MPA reject", "Terminate 2/0/0x02"; "" for none.
std::string text(const Reason& reason);
// The same in words, "invalid service ID"; "" where there is none.
std::string_view name(const Reason& reason);

}  // namespace steertag::attempt
