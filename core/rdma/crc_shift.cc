#include "rdma/crc_shift.h"

namespace steertag::rdma {
namespace {

// Polynomials over GF(2) modulo that of the CRC; bit 31 is the coefficient of 1, as its bytes are reflected.
// Precondition: `a` is not zero.
uint32_t multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (uint32_t bit = 1u << 31;; bit >>= 1) {
    if ((a & bit) != 0) {
      product ^= b;
      if ((a & (bit - 1)) == 0) {
        return product;
      }
    }
    b = (b & 1) != 0 ? b >> 1 ^ 0xEDB88320u : b >> 1;
  }
}

}  // namespace

uint32_t crc_shifted(uint32_t crc, uint64_t behind) {
  uint32_t shift = 1u << 31;        // 1
  uint32_t power = 1u << (31 - 8);  // x^8: one byte
  for (uint64_t n = behind; n != 0; n >>= 1) {
    if ((n & 1) != 0) {
      shift = multiply(power, shift);
    }
    power = multiply(power, power);
  }
  return multiply(shift, crc);
}

}  // namespace steertag::rdma
