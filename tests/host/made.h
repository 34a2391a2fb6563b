// Captures as the tests of host/ read and write them: a folder of one test, and the bytes of a pcap.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace steertag::host {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "steertag-host-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name, const std::vector<uint8_t>& bytes) const {
    std::ofstream(path_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

inline void put_u32(std::vector<uint8_t>& out, uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    out.push_back(static_cast<uint8_t>(value >> shift));
  }
}

// A pcap of that link type with so many frames of 60 zeros, a second apart.
inline std::vector<uint8_t> pcap(uint32_t frames, uint32_t link_type = 1) {
  std::vector<uint8_t> bytes;
  for (const uint32_t word : {0xA1B2C3D4u, 0x00040002u, 0u, 0u, 65535u, link_type}) {
    put_u32(bytes, word);
  }
  for (uint32_t i = 0; i < frames; ++i) {
    for (const uint32_t word : {1000 + i, 0u, 60u, 60u}) {
      put_u32(bytes, word);
    }
    bytes.insert(bytes.end(), 60, 0);
  }
  return bytes;
}

}  // namespace steertag::host
