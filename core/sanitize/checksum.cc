#include "sanitize/checksum.h"

#include <algorithm>

#include "base/crc.h"
#include "link/internet_checksum.h"
#include "rdma/roce/icrc.h"
#include "wire/reader.h"

namespace steertag::sanitize {

using link::ones_sum;

namespace {

void put_u16(uint8_t* at, uint32_t value) {
  at[0] = static_cast<uint8_t>(value >> 8);
  at[1] = static_cast<uint8_t>(value);
}

void put_little_endian(uint8_t* at, uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    *at++ = static_cast<uint8_t>(value >> shift);
  }
}

uint32_t get_little_endian(const uint8_t* at) {
  return uint32_t{at[0]} | uint32_t{at[1]} << 8 | uint32_t{at[2]} << 16 | uint32_t{at[3]} << 24;
}

uint32_t fcs(Bytes bytes) {
  return base::crc32(0, bytes);
}

}  // namespace

void mend(const Key& key, Bytes before, std::span<uint8_t> after, const Internet& sum) {
  if (sum.at + 2 > before.size()) {
    std::fill(after.begin() + static_cast<ptrdiff_t>(std::min(sum.at, after.size())), after.end(),
              uint8_t{0});
    return;
  }
  const uint32_t carried = wire::big_endian<uint16_t>(before.data() + sum.at);
  uint8_t* const field = after.data() + sum.at;
  put_u16(field, 0);
  uint32_t right = 0xFFFF - ones_sum(after, sum.pseudo_after);
  right = right == 0 ? 0xFFFF : right;  // RFC 768: of UDP, zero means that there is none
  if (carried == 0) {
    return;
  }
  // An adapter that was to complete it finds that of the pseudo-header, maybe without the length.
  const bool unsized = carried == link::without_length(sum.pseudo_before, sum.length);
  const bool partial = sum.whole && (carried == sum.pseudo_before || unsized);
  const bool was_right = sum.whole && ones_sum(before, sum.pseudo_before) == 0xFFFF;
  if (partial ? sum.left == Internet::Left::some || (was_right && sum.left == Internet::Left::nothing)
              : was_right) {
    return put_u16(field, right);
  }
  if (partial) {
    return put_u16(field, unsized ? link::without_length(sum.pseudo_after, sum.length) : sum.pseudo_after);
  }
  uint32_t other = static_cast<uint32_t>(key.image(before.subspan(sum.at, 2))) & 0xFFFF;
  other = other == 0 ? 1 : other;
  put_u16(field, sum.whole && other == right ? other ^ 0x0100 : other);
}

void mend_icrc(const Key& key, const link::Packet& before, const link::Packet& after, uint8_t* field) {
  const uint32_t carried = get_little_endian(before.payload.data() + before.payload_length - 4);
  const auto was = rdma::roce::icrc(before), is = rdma::roce::icrc(after);
  if (was && is && *was == carried) {
    return put_little_endian(field, *is);
  }
  if (carried == 0) {
    return put_little_endian(field, 0);
  }
  const auto other = static_cast<uint32_t>(key.image(before.payload.last(4))) | 1;
  put_little_endian(field, is && *is == other ? other ^ 2 : other);
}

bool mend_fcs(Bytes before, std::span<uint8_t> after) {
  constexpr size_t kSize = 4, kLeast = 14 + kSize;
  if (before.size() < kLeast ||
      fcs(before.first(before.size() - kSize)) != get_little_endian(before.data() + before.size() - kSize)) {
    return false;
  }
  put_little_endian(after.data() + after.size() - kSize, fcs(Bytes(after).first(after.size() - kSize)));
  return true;
}

}  // namespace steertag::sanitize
