// Reason: why an attempt to set up a connection failed, as the refusal itself says:
// the code of a REJ, of a Terminate, of an ICMP message; or the flag of TCP that
// ended it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "link/icmp.h"

namespace steertag::attempt {

struct Reason {
  enum class Kind : uint8_t {
    none,           // nothing answered
    cm_reject,      // CM REJ: `code` is its reason (IBTA vol. 1, §12.6.7.2)
    mpa_reject,     // MPA Reply with the R flag (RFC 5044 §7.1)
    reset,          // TCP RST
    fin,            // TCP FIN
    disconnect,     // CM DREQ
    terminate,      // RDMAP Terminate: layer, error type, code (RFC 5040 §4.8)
    icmp,           // ICMP or ICMPv6 error that quotes the packet: type, code
    receipt,        // CM MRA: it was received, and nothing followed (IBTA vol. 1, §12.6.6)
    damaged,        // every REQ that was captured has a wrong ICRC (IBTA vol. 1, §9.7.1)
    invalid_reply,  // what came in place of an MPA Reply is none, or an invalid one (RFC 5044 §7.1.1)
  };
  Kind kind = Kind::none;
  uint8_t layer = 0, type = 0;  // terminate; icmp: the type
  uint16_t code = 0;            // cm_reject, terminate, icmp
  bool version_six = false;     // icmp: ICMPv6
  // Bytes; 0: it does not say. icmp: of what was too large; cm_reject: the path MTU that it offers instead.
  uint32_t mtu = 0;

  friend auto operator<=>(const Reason&, const Reason&) = default;
};

// "REJ 8", "ICMP 3/3", "ICMPv6 1/4", "RST", "FIN", "DREQ", "MRA", "MPA reject", "Terminate 2/0/0x02", "wrong
// ICRC", "invalid MPA Reply"; "" for none.
std::string text(const Reason& reason);
// The same in words, "invalid service ID", "fragmentation needed, MTU 1400"; "" where there is none.
std::string name(const Reason& reason);
// What an ICMP error says.
Reason reason_of(const link::IcmpError& error);

}  // namespace steertag::attempt
