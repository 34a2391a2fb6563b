// Usage: how RPCs made use of RDMA: whether their messages went inline, reduced or long, how many chunks of
// each kind they advertised and how much was moved through these, how many Replies invalidated remotely.
// What the capture does not show does not count. Those of parts add up to that of the whole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "flow/exchange.h"

namespace steertag::diff {

// How an RPC message was conveyed.
enum class Form : uint8_t {
  plain,    // inline, all of it
  reduced,  // data items by Read or Write chunks (RFC 8166 §3.4)
  lengthy,  // the whole message by a chunk (§3.5)
};
inline constexpr size_t kForms = 3;
inline constexpr std::array<std::string_view, kForms> form_names = {"inline", "reduced", "long"};

// How many of each.
using Forms = std::array<uint64_t, kForms>;
inline uint64_t sum(const Forms& forms) {
  return forms[0] + forms[1] + forms[2];
}

enum class Chunk : uint8_t {
  read,
  position_zero,
  write,
  reply,
  result,  // of a Reply, to be read (RFC 5666)
};
inline constexpr size_t kChunks = 5;
inline constexpr std::array<std::string_view, kChunks> chunk_names = {
    "Read chunks", "Position-Zero Read chunks", "Write chunks", "Reply chunk", "Read chunks of the Reply"};

struct ChunkUse {
  uint64_t rpcs = 0;  // that have one
  uint64_t segments = 0;
  uint64_t advertised = 0, moved = 0;  // bytes

  void add(const ChunkUse& other);
};

struct Usage {
  Forms calls{}, replies{};              // by Form
  std::array<ChunkUse, kChunks> chunks;  // by Chunk
  uint64_t with_chunks = 0;              // RPCs that were answered, and advertised memory
  uint64_t invalidated = 0;              // of them, by Send With Invalidate

  void add(const flow::Exchange& exchange);
  void add(const Usage& other);
};

}  // namespace steertag::diff
