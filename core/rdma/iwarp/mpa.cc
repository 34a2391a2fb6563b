#include "rdma/iwarp/mpa.h"

#include <algorithm>

#include "base/crc.h"
#include "wire/writer.h"

namespace steertag::rdma::iwarp {

uint32_t fpdu_size(uint16_t ulpdu_length, uint64_t start, const Markers& markers) {
  const uint32_t plain = (2u + ulpdu_length + 3u) / 4 * 4 + 4;
  if (!markers.in_use) {
    return plain;
  }
  // Between two markers there are 508 bytes. A marker that would stand right
  // behind the FPDU belongs to the next one.
  const auto phase = static_cast<uint32_t>((start - markers.origin) % Marker::kInterval);
  const uint32_t room = phase == 0 ? Marker::kInterval - Marker::kSize : Marker::kInterval - phase;
  uint32_t count = phase == 0 ? 1 : 0;
  if (plain > room) {
    constexpr uint32_t between = Marker::kInterval - Marker::kSize;
    count += (plain - room + between - 1) / between;
  }
  return plain + count * Marker::kSize;
}

void strip_markers(Bytes raw, uint64_t start, const Markers& markers, std::vector<uint8_t>& out) {
  out.clear();
  size_t i = 0;
  while (i < raw.size()) {
    const auto phase = static_cast<size_t>((start + i - markers.origin) % Marker::kInterval);
    if (phase < Marker::kSize) {
      i += Marker::kSize - phase;
      continue;
    }
    const size_t run = std::min(raw.size() - i, Marker::kInterval - phase);
    out.insert(out.end(), raw.begin() + static_cast<ptrdiff_t>(i),
               raw.begin() + static_cast<ptrdiff_t>(i + run));
    i += run;
  }
}

uint32_t crc32c(Bytes bytes) {
  return ~base::crc32c_register(0xFFFFFFFFu, bytes);
}

uint32_t crc32c_difference(Bytes difference) {
  return base::crc32c_register(0, difference);
}

FpduCrc fpdu_crc(Bytes raw) {
  const Bytes field = raw.last(4);
  return {crc32c(raw.first(raw.size() - 4)),
          uint32_t{field[0]} | uint32_t{field[1]} << 8 | uint32_t{field[2]} << 16 | uint32_t{field[3]} << 24};
}

std::optional<WrongMarker> find_wrong_marker(Bytes raw, uint64_t start, const Markers& markers) {
  if (!markers.in_use) {
    return std::nullopt;
  }
  const uint64_t length_field = start + (markers.at(start) ? Marker::kSize : 0);
  const uint64_t phase = (start - markers.origin) % Marker::kInterval;
  for (uint64_t at = phase == 0 ? 0 : Marker::kInterval - phase; at + Marker::kSize <= raw.size();
       at += Marker::kInterval) {
    const uint64_t position = start + at;
    const auto expected = static_cast<uint16_t>(position > length_field ? position - length_field : 0);
    const auto found = static_cast<uint16_t>(raw[at + 2] << 8 | raw[at + 3]);
    if (found != expected) {
      return WrongMarker{position, expected, found};
    }
  }
  return std::nullopt;
}

void encode_fpdu(std::vector<uint8_t>& out, Bytes ulpdu, bool crc, const Markers& markers,
                 uint64_t& position) {
  std::vector<uint8_t> plain;
  plain.push_back(static_cast<uint8_t>(ulpdu.size() >> 8));
  plain.push_back(static_cast<uint8_t>(ulpdu.size()));
  plain.insert(plain.end(), ulpdu.begin(), ulpdu.end());
  plain.resize((plain.size() + 3) / 4 * 4);
  const size_t begin = out.size();
  const uint64_t length_field = position + (markers.at(position) ? Marker::kSize : 0);
  const auto put = [&](uint8_t byte) {
    if (markers.at(position)) {
      const bool inside = position > length_field;
      wire::write(out, Marker{0, static_cast<uint16_t>(inside ? position - length_field : 0)});
      position += Marker::kSize;
    }
    out.push_back(byte);
    ++position;
  };
  for (uint8_t byte : plain) {
    put(byte);
  }
  if (markers.at(position)) {  // between pad and CRC field: covered as well
    wire::write(out, Marker{0, static_cast<uint16_t>(position - length_field)});
    position += Marker::kSize;
  }
  const uint32_t value = crc ? crc32c(Bytes(out).subspan(begin)) : 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    out.push_back(static_cast<uint8_t>(value >> shift));
    ++position;
  }
}

}  // namespace steertag::rdma::iwarp
