// Two ends that talk TCP, for tests of TcpStream: segments are written by direction, offset and
// text, and what comes out is noted in short words: "0:abc" bytes of direction 0, "0:hole(5)",
// "0:fin", "0:reset".
#pragma once

#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "link/tcp_stream.h"

namespace steertag::link::test {

struct Recorder : TcpStream::Sink {
  std::vector<std::string> heard;
  std::array<std::string, 2> data;
  std::array<uint64_t, 2> offset{};
  std::optional<Stamp> proof;  // of the latest hole
  std::string arrived;         // "0:2+3 ": bytes 2 to 4 of direction 0; "again" where they had come before

  void on_bytes(unsigned from, const StreamBytes& bytes) override {
    CHECK(bytes.offset == offset[from]);
    offset[from] = bytes.end();
    const std::string text(bytes.captured.begin(), bytes.captured.end());
    data[from] += text;
    heard.push_back(std::to_string(from) + ":" + text);
  }
  void on_hole(unsigned from, const StreamHole& hole, const Stamp&) override {
    CHECK(hole.begin == offset[from]);
    CHECK(hole.end > hole.begin);
    heard.push_back(std::to_string(from) + ":hole(" + std::to_string(hole.end - hole.begin) + ")");
    offset[from] = hole.end;
    proof = hole.proof;
  }
  void on_arrival(unsigned from, const StreamBytes& bytes, bool again) override {
    arrived += std::to_string(from) + ":" + std::to_string(bytes.offset) + "+" +
               std::to_string(bytes.length) + (again ? " again " : " ");
  }
  void on_fin(unsigned from, const Stamp&) override {
    ++offset[from];
    heard.push_back(std::to_string(from) + ":fin");
  }
  void on_reset(unsigned from, const Stamp&) override { heard.push_back(std::to_string(from) + ":reset"); }
};

// Both ends count their bytes from their initial sequence number.
struct Wire {
  Recorder out;
  TcpStream stream;
  std::array<uint32_t, 2> isn{1000, 5000};
  uint64_t frames = 0;

  void send(unsigned from, uint32_t offset, const std::string& text, uint32_t acked = 0, uint32_t cut = 0) {
    Packet p = packet(from, offset, acked);
    p.payload = Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size() - cut);
    p.payload_length = static_cast<uint32_t>(text.size());
    push(from, p);
  }
  void fin(unsigned from, uint32_t offset, uint32_t acked = 0) {
    Packet p = packet(from, offset, acked);
    p.tcp.fin = true;
    push(from, p);
  }
  void rst(unsigned from, uint32_t offset = 0) {
    Packet p = packet(from, offset, 0);
    p.tcp.rst = true;
    push(from, p);
  }
  void syn() {
    Packet p;
    p.tcp.syn = true;
    p.tcp.sequence = isn[0];
    push(0, p);
    p.tcp.ack = true;
    p.tcp.sequence = isn[1];
    p.tcp.acknowledgment = isn[0] + 1;
    push(1, p);
  }
  Packet packet(unsigned from, uint32_t offset, uint32_t acked) const {
    Packet p;
    p.carrier = Carrier::tcp;
    p.tcp.ack = true;
    p.tcp.sequence = isn[from] + 1 + offset;
    p.tcp.acknowledgment = isn[1 - from] + 1 + acked;
    return p;
  }
  void push(unsigned from, const Packet& p) { stream.push(from, p, Stamp{++frames, 0, 0}, out); }
  void finish() { stream.finish(Stamp{frames, 0, 0}, out); }
};

using Heard = std::vector<std::string>;

}  // namespace steertag::link::test
