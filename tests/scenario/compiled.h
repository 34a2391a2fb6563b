// What the scenario tests share: compiling a text that has to be right, reading
// tests/scenarios/, feeding an Analyzer, and taking single frames apart with
// the decoders that the Analyzer uses.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "analyzer.h"
#include "link/decoder.h"
#include "rdma/roce/icrc.h"
#include "rdma/roce/packet.h"
#include "scenario/scenario.h"

namespace steertag::test {

inline scenario::Trace compiled(std::string_view text, scenario::Choices choices = {}) {
  auto result = scenario::compile(text, choices);
  if (const auto* error = std::get_if<scenario::Error>(&result)) {
    FAIL("line " << error->line << ": " << error->message << "\n" << text);
  }
  return std::get<scenario::Trace>(std::move(result));
}

inline scenario::Error refused(std::string_view text) {
  auto result = scenario::compile(text);
  const auto* error = std::get_if<scenario::Error>(&result);
  if (!error) {
    FAIL("compiles, but should not:\n" << text);
  }
  return *error;
}

// "N1" and so on, from tests/scenarios/N1.txt.
inline std::string scenario_text(const std::string& name) {
  const auto folder = std::filesystem::path(STEERTAG_ROOT) / "tests/scenarios";
  std::ifstream file(folder / (name + ".txt"));
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Frame frame_of(const scenario::Trace& trace, size_t i) {
  const scenario::SynthFrame& frame = trace.frames[i];
  return {{.number = i + 1, .time_ns = frame.time_ns}, trace.link_type, frame.bytes, frame.original_length};
}

// The RC packets of a RoCE trace, with what they carry owned by the trace.
inline std::vector<rdma::roce::Packet> roce_packets(const scenario::Trace& trace) {
  link::Decoder decoder;
  std::vector<rdma::roce::Packet> packets;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    const link::Packet& packet = decoder.decode(frame_of(trace, i));
    rdma::roce::Packet made;
    REQUIRE(rdma::roce::decode(packet.payload, packet.payload_length, made));
    if (made.opcode != rdma::roce::Opcode::ud_send_only) {
      packets.push_back(made);
    }
  }
  return packets;
}

// The payloads of all Sends, whole: what the Analyzer says of them.
struct Listener : Observer {
  std::vector<std::vector<uint8_t>> sends;
  std::vector<flow::Exchange> exchanges;
  std::vector<uint32_t> versions;
  size_t connections = 0;

  void on(const Event& event) override {
    if (const auto* seen = std::get_if<MessageSeen>(&event)) {
      sends.emplace_back(seen->message.bytes.begin(), seen->message.bytes.end());
    } else if (const auto* done = std::get_if<ExchangeDone>(&event)) {
      exchanges.push_back(done->exchange);
    } else if (std::get_if<ConnectionNamed>(&event)) {
      ++connections;
    }
  }
};

struct Heard {
  Listener listener;
  Counters counters;
};

inline Heard analyzed(const scenario::Trace& trace) {
  Heard heard;
  Options options;
  options.verify_checksums = true;
  Analyzer analyzer(heard.listener, options);
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    analyzer.feed(frame_of(trace, i));
  }
  analyzer.finish();
  heard.counters = analyzer.counters();
  return heard;
}

inline Heard analyzed(std::string_view text, scenario::Choices choices = {}) {
  return analyzed(compiled(text, choices));
}

}  // namespace steertag::test
