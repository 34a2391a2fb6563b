// Damage: what becomes of a capture before the command gets it. A Capture is one of those that
// are kept; mutant() takes a part of it, or now and then all, and changes that by chance: frames and what
// is in them, kept plausible (fuzz/file_mutator.cc), or any bytes, lengths and headers of the file. The same
// numbers from `Chance` give the same mutant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace steertag::hostile {

using Octets = std::vector<uint8_t>;

class Chance {
 public:
  explicit Chance(uint64_t seed) : engine_(seed) {}
  size_t below(size_t limit) { return limit == 0 ? 0 : engine_() % limit; }
  bool one_in(size_t count) { return below(count) == 0; }

 private:
  std::mt19937_64 engine_;
};

struct Capture {
  std::string path;
  Octets bytes;
  std::vector<size_t>
      records;  // where each begins, and where the last ends; the file's header is before them
};

// Little-endian pcap or pcapng; of anything else it finds no records.
Capture read_capture(const std::string& path);

Octets mutant(const Capture& capture, Chance& chance);

}  // namespace steertag::hostile
