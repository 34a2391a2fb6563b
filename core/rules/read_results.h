// What a Reply leaves to be read in chunks of their own (RFC 5666 §3.4, §3.5), for the rules about where
// these belong. That document lets any item of any result travel so, and bindings name none for Read lists of
// Replies, so no more is asked than that a chunk is the data of something: not the RPC header, not a part of
// a counted item, not its count. Nothing here judges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "rules/upper_layer.h"

namespace steertag::rules {

// Whether there is a Reply with such chunks that profile rfc5666 is about.
inline bool leaves_results(const flow::Exchange& exchange, UpperLayer& upper) {
  return exchange.version == 1 && exchange.call && exchange.reply && !exchange.error &&
         legible(exchange.reply_message) == Outcome::done && !upper.result_chunks().empty();
}

// The bytes of a Reply's RPC header that no result can be in: up to the body of the verifier, and the
// accept_stat that follows one of no bytes (RFC 5531 §9). The body is at Position 20.
constexpr bool in_rpc_header(const ReadChunk& chunk) {
  constexpr uint32_t kVerifierBody = 20, kThroughAcceptStat = 24;
  return chunk.position < kThroughAcceptStat && chunk.position != kVerifierBody;
}

struct MisplacedResult {
  const ReadChunk* chunk = nullptr;
  std::optional<uint64_t>
      wanted;  // where the item begins that it cuts through; unset: it is in the RPC header
};

// The first Read chunk of the Reply that is in no place where the data of a result can begin; unset where
// there is none, as far as is known.
inline std::optional<MisplacedResult> misplaced_result(UpperLayer& upper) {
  for (const ReadChunk& chunk : upper.result_chunks()) {
    if (in_rpc_header(chunk)) {
      return MisplacedResult{&chunk, std::nullopt};
    }
    const nfs::ReplyWalk* walk = upper.reply();
    if (walk == nullptr || chunk.position % 4 != 0) {
      return std::nullopt;  // roundup alone, or another rule's
    }
    if (chunk.carries == ReadChunk::Carries::item) {
      continue;
    }
    // A chunk that ends where the data of an item begins has its count.
    const auto cut = std::find_if(walk->items.begin(), walk->items.end(), [&](const nfs::Item& item) {
      const bool begins_in = item.position > chunk.position && item.position <= chunk.position + chunk.length;
      const bool ends_in = item.position < chunk.position && chunk.position < item.position + item.count;
      return begins_in || ends_in;
    });
    if (cut == walk->items.end()) {
      return std::nullopt;
    }
    return MisplacedResult{&chunk, cut->position};
  }
  return std::nullopt;
}

}  // namespace steertag::rules
