#include "damage.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>

#include "fuzz/targets.h"

namespace steertag::hostile {
namespace {

constexpr uint32_t kPcap = 0xA1B2C3D4, kPcapNs = 0xA1B23C4D, kSection = 0x0A0D0D0A;
constexpr size_t kFileHeader = 24, kRecordHeader = 16, kBlockHeader = 8, kLeastBlock = 12;
constexpr uint32_t kPacket = 6;        // pcapng's Enhanced Packet Block
constexpr size_t kSome = 40;           // frames of a usual part
constexpr size_t kWindow = 200;        // frames of the longest part
constexpr size_t kSetup = 24;          // frames at the front, among which connections begin
constexpr size_t kRoom = 64 * 1024;    // bytes that a mutant may be larger
constexpr size_t kSmall = 256 * 1024;  // bytes of captures that are taken as a whole more often

Chance* byte_chance = nullptr;  // of LLVMFuzzerMutate()

uint32_t number(const Octets& bytes, size_t at) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void put_number(Octets& bytes, size_t at, uint32_t value) {
  if (at + sizeof value <= bytes.size()) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
}

std::vector<size_t> records_of(const Octets& bytes) {
  std::vector<size_t> records;
  const uint32_t magic = bytes.size() < kFileHeader ? 0 : number(bytes, 0);
  if (magic == kPcap || magic == kPcapNs) {
    for (size_t at = kFileHeader; at + kRecordHeader <= bytes.size();) {
      records.push_back(at);
      at += kRecordHeader + number(bytes, at + 8);
    }
  } else if (magic == kSection) {
    for (size_t at = 0; at + kBlockHeader <= bytes.size();) {
      if (!records.empty() || number(bytes, at) == kPacket) {
        records.push_back(at);
      }
      at += std::max<size_t>(number(bytes, at + 4), kLeastBlock);
    }
  }
  records.push_back(bytes.size());
  return records;
}

void append(Octets& out, const Octets& from, size_t begin, size_t end) {
  out.insert(out.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
             from.begin() + static_cast<std::ptrdiff_t>(end));
}

// A stretch of the capture: its first frames, or any, often with those behind which connections begin.
Octets part(const Capture& capture, Chance& chance) {
  const auto& records = capture.records;
  const size_t count = records.size() - 1;
  if (chance.one_in(capture.bytes.size() <= kSmall ? 64 : 512)) {
    return capture.bytes;
  }
  const size_t length = std::min(count, 1 + chance.below(chance.one_in(8) ? kWindow : kSome));
  const size_t begin = chance.one_in(3) ? 0 : chance.below(count - length + 1);
  const size_t setup = chance.one_in(3) ? 0 : std::min(begin, kSetup);
  Octets out;
  append(out, capture.bytes, 0, records[setup]);
  append(out, capture.bytes, records[begin], records[begin + length]);
  return out;
}

using Damage = void (*)(Octets& bytes, const std::vector<size_t>& records, Chance& chance);

void flip_bits(Octets& bytes, const std::vector<size_t>& /*records*/, Chance& chance) {
  for (size_t flips = 1 + chance.below(8); flips > 0; --flips) {
    bytes[chance.below(bytes.size())] ^= static_cast<uint8_t>(1 << chance.below(8));
  }
}

void cut_short(Octets& bytes, const std::vector<size_t>& /*records*/, Chance& chance) {
  bytes.resize(chance.below(bytes.size()));
}

// One in three frames gets a wrong byte where headers are.
void wrong_headers(Octets& bytes, const std::vector<size_t>& records, Chance& chance) {
  constexpr size_t kHeaders = 150;
  for (size_t i = 0; i + 1 < records.size(); ++i) {
    const size_t begin = records[i] + kRecordHeader;
    if (begin < records[i + 1] && chance.one_in(3)) {
      const size_t at = begin + chance.below(std::min(kHeaders, records[i + 1] - begin));
      bytes[at] = chance.one_in(2) ? static_cast<uint8_t>(chance.below(2) * 255)
                                   : static_cast<uint8_t>(chance.below(256));
    }
  }
}

// Of a record's header: its length, the length on the wire, its time.
void wrong_record(Octets& bytes, const std::vector<size_t>& records, Chance& chance) {
  constexpr std::array<uint32_t, 8> kLimits = {0, 1, 3, 0xFFFF, 0x10000, 0x1000001, 0x7FFFFFFF, 0xFFFFFFFF};
  const size_t at = records[chance.below(records.size())] + 4 * chance.below(7);
  put_number(
      bytes, at,
      chance.one_in(3) ? static_cast<uint32_t>(chance.below(4096)) : kLimits[chance.below(kLimits.size())]);
}

// Of the file's header: magic numbers, versions, the snap length, the link type.
void wrong_file(Octets& bytes, const std::vector<size_t>& records, Chance& chance) {
  constexpr std::array<uint32_t, 14> kValues = {
      0, 1, 101, 113, 276, 247, 197, 109, 0xA1B23C4D, 0xD4C3B2A1, 0x1A2B3C4D, 0x0A0D0D0A, 0xFFFFFFFF, 0x52};
  const size_t header = std::max<size_t>(records.front(), 8);
  put_number(bytes, 4 * chance.below(header / 4), kValues[chance.below(kValues.size())]);
}

// Frames once more, in another order, or left out.
void shuffle(Octets& bytes, const std::vector<size_t>& records, Chance& chance) {
  std::vector<size_t> order;
  const size_t how = chance.below(3), period = 2 + chance.below(5);
  for (size_t i = 0; i + 1 < records.size(); ++i) {
    const bool chosen = chance.one_in(period);
    if (how != 0 || !chosen) {
      order.push_back(i);
    }
    if (how == 1 && chosen) {
      order.push_back(i);
    }
    if (how == 2 && chosen) {
      std::swap(order.back(), order[order.size() - 1 - chance.below(std::min<size_t>(order.size(), 4))]);
    }
  }
  Octets out;
  append(out, bytes, 0, records.front());
  for (const size_t i : order) {
    append(out, bytes, records[i], records[i + 1]);
  }
  bytes = std::move(out);
}

// All frames end where a snap length cuts them.
void shorten(Octets& bytes, const std::vector<size_t>& records, Chance& chance) {
  const size_t snap = 14 + chance.below(200);
  Octets out;
  append(out, bytes, 0, records.front());
  for (size_t i = 0; i + 1 < records.size(); ++i) {
    const size_t begin = records[i], end = std::min(records[i + 1], begin + kRecordHeader + snap);
    append(out, bytes, begin, end);
    if (end > begin + kRecordHeader) {
      put_number(out, out.size() - (end - begin) + 8, static_cast<uint32_t>(end - begin - kRecordHeader));
    }
  }
  bytes = std::move(out);
}

// The same stretch of bytes elsewhere, or somewhere more or fewer of them.
void any_bytes(Octets& bytes, const std::vector<size_t>& /*records*/, Chance& /*chance*/) {
  const size_t used = bytes.size();
  bytes.resize(used + kRoom);
  bytes.resize(LLVMFuzzerMutate(bytes.data(), used, bytes.size()));
}

constexpr std::array<Damage, 8> kDamages = {flip_bits,  cut_short, wrong_headers, wrong_record,
                                            wrong_file, shuffle,   shorten,       any_bytes};

void plausible(Octets& bytes, Chance& chance) {
  const size_t used = bytes.size();
  bytes.resize(used + kRoom);
  bytes.resize(
      fuzz::mutate_file(bytes.data(), used, bytes.size(), static_cast<uint32_t>(1 + chance.below(1U << 30))));
}

}  // namespace

Capture read_capture(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Capture capture{path, Octets(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()), {}};
  capture.records = records_of(capture.bytes);
  return capture;
}

Octets mutant(const Capture& capture, Chance& chance) {
  byte_chance = &chance;
  Octets bytes = part(capture, chance);
  const size_t kind = chance.below(8);  // plausible, or damaged, or both
  for (size_t changes = kind == 0 ? 0 : 1 + chance.below(4); kind < 6 && changes > 0; --changes) {
    plausible(bytes, chance);
  }
  for (size_t changes = 1 + chance.below(2); kind >= 4 && changes > 0 && !bytes.empty(); --changes) {
    if (const auto records = records_of(bytes); records.front() <= bytes.size()) {
      kDamages[chance.below(kDamages.size())](bytes, records, chance);
    }
  }
  return bytes;
}

}  // namespace steertag::hostile

// What mutate_file() changes bytes by, where there is no libFuzzer.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most) {
  using steertag::hostile::byte_chance;
  const size_t at = byte_chance->below(size);
  const size_t length =
      std::min({1 + byte_chance->below(byte_chance->one_in(16) ? 64 : 8), size - at, most - size});
  switch (byte_chance->below(5)) {
    case 0:
      std::memmove(data + at + length, data + at, size - at);
      return size + length;
    case 1:
      std::memmove(data + at, data + at + length, size - at - length);
      return size - length;
    case 2:
      std::memmove(data + byte_chance->below(size - length + 1), data + at, length);
      return size;
    case 3:
      std::fill_n(data + at, std::min<size_t>(length, 4), byte_chance->one_in(2) ? 0 : 0xFF);
      return size;
    default:
      if (size != 0) {
        data[at] = static_cast<uint8_t>(byte_chance->below(256));
      }
      return size;
  }
}
