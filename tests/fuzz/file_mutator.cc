// mutate_file(): changes a capture (little-endian pcap, as those in captures/ are) frame by
// frame. A frame is lost, seen twice, late, cut, or its payload is changed; and then, most of
// the time, what depends on that is put right, in the frame (repair.h) and in those behind it:
// PSNs and sequence numbers are counted on. Whatever is no such file is changed byte by byte.
#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "base/bytes.h"
#include "repair.h"
#include "targets.h"

namespace steertag::fuzz {
namespace {

using Octets = std::vector<uint8_t>;

constexpr size_t kFileHeader = 24, kRecordHeader = 16;
constexpr size_t kSigfigsAt = 12, kChoices = 32;  // see file.cc

struct Record {
  uint32_t seconds = 0, micros = 0, cut = 0;  // cut: bytes that were on the wire, and not captured
  Octets bytes;
};

uint32_t number(Bytes bytes, size_t at) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void put(Octets& out, uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) {
    out.push_back(static_cast<uint8_t>(value >> shift));
  }
}

std::vector<Record> records_of(Bytes file) {
  std::vector<Record> records;
  for (size_t at = kFileHeader; at + kRecordHeader <= file.size();) {
    const uint32_t captured = number(file, at + 8), length = number(file, at + 12);
    const Bytes bytes = slice(file, at + kRecordHeader, captured);
    records.push_back({number(file, at), number(file, at + 4), length > captured ? length - captured : 0,
                       Octets(bytes.begin(), bytes.end())});
    at += kRecordHeader + bytes.size();
  }
  return records;
}

Octets file_of(Bytes header, const std::vector<Record>& records, size_t most) {
  Octets file(header.begin(), header.end());
  for (const Record& record : records) {
    const auto captured = static_cast<uint32_t>(record.bytes.size());
    if (file.size() + kRecordHeader + captured > most) {
      break;
    }
    put(file, record.seconds), put(file, record.micros), put(file, captured),
        put(file, captured + record.cut);
    file.insert(file.end(), record.bytes.begin(), record.bytes.end());
  }
  return file;
}

class Mutator {
 public:
  Mutator(std::vector<Record>& records, uint32_t seed) : records_(records), chance_(seed) {}

  void mutate() {
    const size_t at = below(records_.size());
    switch (below(12)) {
      case 0:
        shift(at, false);
        records_.erase(records_.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:
        records_.insert(records_.begin() + static_cast<std::ptrdiff_t>(at), Record(records_[at]));
        shift(at, true);
        break;
      case 2:
        std::swap(records_[at], records_[below(records_.size())]);
        break;
      case 3:
        records_[at].seconds += static_cast<uint32_t>(below(64));
        break;
      case 4:
        cut(records_[at]);
        break;
      case 5:
        graft(records_[at], records_[below(records_.size())]);
        break;
      default:
        change(records_[at]);
    }
  }
  size_t below(size_t limit) { return limit == 0 ? 0 : chance_() % limit; }

 private:
  bool usually() { return below(8) != 0; }

  void cut(Record& record) {
    const size_t kept = below(record.bytes.size() + 1);
    record.cut += static_cast<uint32_t>(record.bytes.size() - kept);
    record.bytes.resize(kept);
  }

  // Bytes of the payload, by libFuzzer's own means, where there is one; else of the frame.
  void change(Record& record) {
    const auto layers = layers_of(record.bytes);
    const size_t front = layers && usually() ? layers->payload : 0;
    const size_t size = record.bytes.size() - front;
    const size_t most = size + 64;
    record.bytes.resize(front + most);
    record.bytes.resize(front + LLVMFuzzerMutate(record.bytes.data() + front, size, most));
    mend(record);
  }

  // The payload of one frame in another.
  void graft(Record& onto, const Record& from) {
    const auto here = layers_of(onto.bytes), there = layers_of(from.bytes);
    if (here && there) {
      const Octets payload(from.bytes.begin() + static_cast<std::ptrdiff_t>(there->payload),
                           from.bytes.end());
      onto.bytes.resize(here->payload);
      onto.bytes.insert(onto.bytes.end(), payload.begin(), payload.end());
      mend(onto);
    }
  }

  void mend(Record& record) {
    if (record.cut == 0 && usually()) {
      repair(record.bytes);
    }
  }

  // Counts PSNs on, or sequence numbers, behind a frame that is there once more, or once less.
  void shift(size_t at, bool more) {
    const auto first = layers_of(records_[at].bytes);
    if (!first || !usually()) {
      return;
    }
    const bool tcp = first->tcp;
    // A QP, or the ports: which direction it is.
    const size_t key = tcp ? first->transport : first->payload + 5, width = tcp ? 4 : 3;
    const size_t counter = tcp ? first->transport + 4 : first->payload + 8;
    const auto by = static_cast<uint32_t>(tcp ? records_[at].bytes.size() - first->payload : 1);
    const Octets named = slice_of(records_[at].bytes, key, width);
    for (size_t i = at + 1; i < records_.size(); ++i) {
      Octets& bytes = records_[i].bytes;
      const auto layers = layers_of(bytes);
      if (!layers || layers->tcp != tcp || layers->payload != first->payload || bytes.size() < counter + 4 ||
          slice_of(bytes, key, width) != named) {
        continue;
      }
      uint32_t value = 0;
      for (size_t octet = 0; octet < 4; ++octet) {
        value = value << 8 | bytes[counter + octet];
      }
      const uint32_t counted = more ? value + by : value - by;
      value = tcp ? counted : (value & 0xFF000000) | (counted & 0xFFFFFF);
      for (size_t octet = 0; octet < 4; ++octet) {
        bytes[counter + octet] = static_cast<uint8_t>(value >> (8 * (3 - octet)));
      }
      mend(records_[i]);
    }
  }

  static Octets slice_of(const Octets& bytes, size_t at, size_t length) {
    const Bytes part = slice(bytes, at, length);
    return Octets(part.begin(), part.end());
  }

  std::vector<Record>& records_;
  std::minstd_rand chance_;
};

}  // namespace

size_t mutate_file(uint8_t* data, size_t size, size_t most, uint32_t seed) {
  const Bytes file(data, size);
  std::vector<Record> records;
  if (size > kFileHeader && number(file, 0) == 0xA1B2C3D4) {
    records = records_of(file);
  }
  Mutator mutator(records, seed);
  if (records.empty() || mutator.below(16) == 0) {
    return LLVMFuzzerMutate(data, size, most);
  }
  for (size_t changes = 1 + mutator.below(3); changes > 0 && !records.empty(); --changes) {
    mutator.mutate();
  }
  Octets made = file_of(file.first(kFileHeader), records, most);
  if (mutator.below(16) == 0) {
    made[kSigfigsAt] = static_cast<uint8_t>(mutator.below(kChoices));
    made[kSigfigsAt + 1] = static_cast<uint8_t>(mutator.below(256));
    made[kSigfigsAt + 2] = static_cast<uint8_t>(mutator.below(256));
  }
  std::copy(made.begin(), made.end(), data);
  return made.size();
}

}  // namespace steertag::fuzz
