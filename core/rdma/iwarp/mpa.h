// MPA, RFC 5044 and RFC 6581: the frames that open a connection, the FPDUs that
// carry DDP segments over TCP, the markers in them and their CRC. Sizes and
// formats only; framer.h finds FPDUs in a stream, and scenarios write them with
// encode_fpdu().
//
//   FPDU: ULPDU_Length(2) | ULPDU | 0-3 bytes of pad | CRC(4)    RFC 5044 §4.1
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"

namespace steertag::rdma::iwarp {

inline constexpr std::array<uint8_t, 16> kRequestKey = {'M', 'P', 'A', ' ', 'I', 'D', ' ', 'R',
                                                        'e', 'q', ' ', 'F', 'r', 'a', 'm', 'e'};
inline constexpr std::array<uint8_t, 16> kReplyKey = {'M', 'P', 'A', ' ', 'I', 'D', ' ', 'R',
                                                      'e', 'p', ' ', 'F', 'r', 'a', 'm', 'e'};

// MPA Request and Reply, without the private data that follows (RFC 5044 §7.1.1).
struct SetupFrame {
  static constexpr uint32_t kSize = 20;
  static constexpr uint32_t kMaxPrivateData = 512;

  std::array<uint8_t, 16> key = kRequestKey;
  uint8_t flags = 0;
  uint8_t revision = 1;
  uint16_t pd_length = 0;  // bytes of private data, the enhanced word included

  static constexpr uint8_t kMarkers = 0x80, kCrc = 0x40, kRejected = 0x20, kEnhanced = 0x10;
  bool markers() const { return flags & kMarkers; }    // wanted in what the sender of this frame receives
  bool crc() const { return flags & kCrc; }            // either side's wish is binding
  bool rejected() const { return flags & kRejected; }  // Reply only
  bool enhanced() const { return flags & kEnhanced; }  // the private data opens with an EnhancedWord

  static void layout(auto& w, auto& s) {
    w.array("key", s.key);
    w.hex("flags", s.flags);
    w("rev", s.revision);
    w("pd_length", s.pd_length);
  }
};

// The first four bytes of private data where the S flag is set (RFC 6581 §9):
// A B IRD(14) C D ORD(14).
struct EnhancedWord {
  static constexpr uint32_t kSize = 4;
  static constexpr uint16_t kNotNegotiated = 0x3FFF;

  uint16_t ird_word = kNotNegotiated;
  uint16_t ord_word = kNotNegotiated;

  uint16_t ird() const { return ird_word & 0x3FFF; }
  uint16_t ord() const { return ord_word & 0x3FFF; }
  bool peer_to_peer() const { return ird_word & 0x8000; }  // A
  bool rtr_send() const { return ird_word & 0x4000; }      // B: a zero-length Send says "ready to receive"
  bool rtr_write() const { return ord_word & 0x8000; }     // C
  bool rtr_read() const { return ord_word & 0x4000; }      // D

  static void layout(auto& w, auto& s) {
    w.hex("ird", s.ird_word);
    w.hex("ord", s.ord_word);
  }
};

// RFC 5044 §4.3. Stands before every 512th octet, counted from the first FPDU
// of the direction, markers included.
struct Marker {
  static constexpr uint32_t kSize = 4;
  static constexpr uint32_t kInterval = 512;

  uint16_t reserved = 0;
  uint16_t fpdu_pointer = 0;  // bytes back to the length field of the FPDU; 0: the FPDU follows

  static void layout(auto& w, auto& s) {
    w("reserved", s.reserved);
    w("fpduptr", s.fpdu_pointer);
  }
};

// Whether a direction has markers, and at which stream offset the first one is.
struct Markers {
  bool in_use = false;
  uint64_t origin = 0;

  bool at(uint64_t offset) const { return in_use && (offset - origin) % Marker::kInterval == 0; }
};

inline constexpr uint32_t kMaxFpdu = 66072;  // 2 + 65535 + pad + CRC = 65544, and at most 132 markers

// Bytes on the wire of an FPDU with this ULPDU_Length whose first byte (its
// marker, where one stands before the length field) is at stream offset `start`.
uint32_t fpdu_size(uint16_t ulpdu_length, uint64_t start, const Markers& markers);

// Copies stream bytes from offset `start` on without their markers, to `out`.
void strip_markers(Bytes raw, uint64_t start, const Markers& markers, std::vector<uint8_t>& out);

// A marker that does not point at the length field of its FPDU.
struct WrongMarker {
  uint64_t position = 0;  // stream offset
  uint16_t expected = 0, found = 0;
};
// The first wrong one among those that stand whole in `raw`, an FPDU as captured
// whose first byte is at stream offset `start` (RFC 5044 §4.3).
std::optional<WrongMarker> find_wrong_marker(Bytes raw, uint64_t start, const Markers& markers);

// CRC32c of an FPDU over everything before its CRC field, markers included
// (RFC 5044 §4.4); the value is stored least significant byte first.
uint32_t crc32c(Bytes bytes);

// By what that CRC changes where bytes change by `difference` (exclusive or), and those behind stay: CRCs are
// linear.
uint32_t crc32c_difference(Bytes difference);

// The CRC that a whole raw FPDU ought to end with, and the one that it does end
// with. Markers count like any other byte. Precondition: at least 8 bytes.
struct FpduCrc {
  uint32_t computed = 0, carried = 0;
};
FpduCrc fpdu_crc(Bytes raw);
inline bool crc_matches(Bytes raw) {
  const FpduCrc crc = fpdu_crc(raw);
  return crc.computed == crc.carried;
}

// Appends an FPDU to `out` and moves `position`, the stream offset of its first
// byte, to that of the next one. Without `crc` the field is zero, as siw sends it.
// Precondition: ulpdu.size() <= 65535.
void encode_fpdu(std::vector<uint8_t>& out, Bytes ulpdu, bool crc, const Markers& markers,
                 uint64_t& position);

}  // namespace steertag::rdma::iwarp
