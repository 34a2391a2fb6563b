// Nanoseconds per transport header: decoding, and decoding with the outline.
#include <benchmark/benchmark.h>

#include <vector>

#include "rpcrdma/header.h"

namespace {

using namespace steertag;

// A Call with two Read segments, a Write chunk of two segments and a Reply chunk.
std::vector<uint8_t> call_header() {
  rpcrdma::TransportHeader header;
  header.xid = 0x12345678;
  header.version = 1;
  header.credit = 128;
  header.procedure = 0;
  for (uint32_t i = 0; i < 2; ++i) {
    rpcrdma::ReadSegment& read = header.chunks.reads.add();
    read = {};
    read.position = 128;
    read.target.handle = 0x8001 + i;
    read.target.length = 4096;
  }
  rpcrdma::WriteChunk& chunk = header.chunks.writes.add();
  for (uint32_t i = 0; i < 2; ++i) {
    chunk.target.push_back({0x9001 + i, 65536, 0, {}});
  }
  header.chunks.reply.add().target.push_back({0xA001, 4096, 0, {}});
  std::vector<uint8_t> bytes;
  rpcrdma::encode(header, bytes);
  return bytes;
}

void header(benchmark::State& state, std::vector<uint8_t> bytes) {
  rpcrdma::TransportHeader into;
  for (auto _ : state) {
    benchmark::DoNotOptimize(rpcrdma::decode(bytes, static_cast<uint32_t>(bytes.size()), into));
    benchmark::ClobberMemory();
  }
}

void outline(benchmark::State& state, std::vector<uint8_t> bytes) {
  std::vector<wire::Node> nodes;
  for (auto _ : state) {
    nodes.clear();
    benchmark::DoNotOptimize(rpcrdma::outline(bytes, static_cast<uint32_t>(bytes.size()), nodes));
  }
}

const std::vector<uint8_t> kPlain = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 32, 0, 0,
                                     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0, 0};

}  // namespace

BENCHMARK_CAPTURE(header, without_chunks, kPlain);
BENCHMARK_CAPTURE(header, with_chunks, call_header());
BENCHMARK_CAPTURE(outline, with_chunks, call_header());
