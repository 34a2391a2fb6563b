// What an FPDU of iWARP shows of itself (RFC 5044 §3): whether it is one, which of its bytes are headers, and
// what is written in place of bytes that cannot be one. All other bytes may be content. `plain` is an FPDU
// without its markers, as far as it was captured.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "rdma/unit.h"

namespace steertag::sanitize {

constexpr uint32_t kLengthField = 2, kCrcField = 4;  // bytes of an FPDU
// The length of an FPDU that does not end in the capture.
constexpr std::array<uint8_t, kLengthField> kEndless = {0xFF, 0xFF};

// None: zeros, of a sender that makes none, or where content is read as an FPDU.
enum class Crc : uint8_t { unknown, none, right, wrong };

// `any`: its sender wrote another than zeros before, so that zeros are a wrong one.
Crc crc_of(const rdma::Unit& unit, bool any);

// Whether what is read as an FPDU is one: its CRC says so, or all that its headers say, and what they name is
// `believed` to be a target.
bool trusted(const rdma::Unit& unit, Crc crc, Bytes plain, bool believed);

// The bytes that are headers. What has the opcode of a Read Request or a Terminate, and is not in its queue,
// is none.
uint32_t headers_of(Bytes plain);

// In place of what cannot be an FPDU: length and control words of which audit says the same. A length that
// no datagram of IP has room for is kEndless, or content.
std::vector<uint8_t> misfit_image(Bytes plain);

}  // namespace steertag::sanitize
