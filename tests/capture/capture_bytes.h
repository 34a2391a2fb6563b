// Capture files, written a field at a time, and what a capture::Reader finds in
// them as a line of text. The bytes are handed over in pieces of every size, each
// in memory of its own (but of what is long), and must always give the same.
#pragma once

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "capture/reader.h"

namespace capture_bytes {

using namespace steertag;

struct Text {
  bool big = false;
  std::vector<uint8_t> bytes{};

  Text& number(uint64_t value, int width) {
    for (int i = 0; i < width; ++i) {
      bytes.push_back(static_cast<uint8_t>(value >> 8 * (big ? width - 1 - i : i)));
    }
    return *this;
  }
  Text& u16(uint64_t value) { return number(value, 2); }
  Text& u32(uint64_t value) { return number(value, 4); }
  Text& put(std::string_view text) {
    bytes.insert(bytes.end(), text.begin(), text.end());
    return *this;
  }

  Text& pcap_header(uint32_t magic, uint16_t minor = 4, uint32_t snaplen = 65535) {
    return u32(magic).u16(2).u16(minor).u32(0).u32(0).u32(snaplen).u32(1);
  }

  Text& block(uint32_t kind, const Text& body) {
    const size_t padded = (body.bytes.size() + 3) / 4 * 4;
    u32(kind).u32(padded + 12);
    bytes.insert(bytes.end(), body.bytes.begin(), body.bytes.end());
    bytes.resize(bytes.size() + padded - body.bytes.size());
    return u32(padded + 12);
  }
  Text& section() { return block(0x0A0D0D0A, Text{big}.u32(0x1A2B3C4D).u16(1).u16(0).number(UINT64_MAX, 8)); }
  Text& interface(uint16_t link_type, uint32_t snaplen = 0, const std::vector<uint8_t>& options = {}) {
    Text body{big};
    body.u16(link_type).u16(0).u32(snaplen);
    body.bytes.insert(body.bytes.end(), options.begin(), options.end());
    return block(1, body);
  }
  // `options`: as spelled behind the data, which is padded.
  Text& packet(uint32_t interface, uint64_t ticks, std::string_view data,
               const std::vector<uint8_t>& options = {}) {
    Text body{big};
    body.u32(interface).u32(ticks >> 32).u32(ticks & 0xFFFFFFFF).u32(data.size()).u32(data.size()).put(data);
    body.bytes.resize((body.bytes.size() + 3) / 4 * 4);
    body.bytes.insert(body.bytes.end(), options.begin(), options.end());
    return block(6, body);
  }
  Text& statistics(uint32_t interface, const std::vector<uint8_t>& options) {
    Text body{big};
    body.u32(interface).u32(0).u32(0);
    body.bytes.insert(body.bytes.end(), options.begin(), options.end());
    return block(5, body);
  }
};

constexpr size_t kShort = 1000;

// "1@2.000003 [captured/length] 61 62 -4|end": frames, with how many were lost before them, then how it
// ended. New bytes come `piece` at a time.
inline std::string read_in_pieces(Bytes file, size_t piece) {
  using Kind = capture::Step::Kind;
  const auto reader = capture::recognise(file);
  REQUIRE(reader);
  std::string said;
  Frame frame;
  for (size_t used = 0, given = 0;;) {
    Bytes unread = slice(file, used, given - used);
    std::vector<uint8_t> own;
    if (file.size() < kShort) {
      own.assign(unread.begin(), unread.end());
      unread = own;
    }
    const capture::Step step = reader->next(unread, frame);
    REQUIRE(step.used <= unread.size());
    used += step.used;
    if (step.kind == Kind::frame) {
      const int64_t micros = frame.at.time_ns / 1000;
      said += fmt::format("{}@{}.{:06} [{}/{}]", frame.at.number, micros / 1'000'000, micros % 1'000'000,
                          frame.bytes.size(), frame.original_length);
      for (const uint8_t byte : frame.bytes) {
        said += fmt::format(" {:02x}", byte);
      }
      said += frame.dropped == 0 ? "|" : fmt::format(" -{}|", frame.dropped);
    } else if (step.kind == Kind::damaged) {
      return said + "damaged: " + reader->damage();
    } else if (step.kind == Kind::more) {
      REQUIRE(step.used == 0);
      REQUIRE(step.needed > unread.size());
      if (given == file.size()) {
        said += reader->dropped_behind() == 0 ? "" : fmt::format("-{}|", reader->dropped_behind());
        return said + (unread.empty() && reader->at_boundary() ? "end" : "cut");
      }
      given = std::min(file.size(), given + piece);
    }
  }
}

inline std::string read(Bytes file) {
  const std::string whole = read_in_pieces(file, file.size());
  if (file.size() < kShort) {
    for (const size_t piece : {1, 3, 24, 33}) {
      CHECK(read_in_pieces(file, piece) == whole);
    }
  }
  return whole;
}

}  // namespace capture_bytes
