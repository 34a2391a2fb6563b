// Kinds: the messages that a rule has something to say about, by what they are
// and by version. Its check is called for no others, so that it need not ask and
// an audit costs only the rules that concern the message at hand.
//
//   .about = kinds::replies & kinds::version_two,
#pragma once

#include <cstddef>
#include <cstdint>

#include "flow/message.h"

namespace steertag::rules {

using Kinds = uint32_t;  // a set: one bit for each of what a message can be, in each version

inline constexpr size_t kKindCount = 18;

namespace kinds {
// Messages that convey RPC messages, by their direction; unclear: where nothing shows it.
inline constexpr Kinds calls = 07, replies = 07 << 3, unclear = 07 << 6;
inline constexpr Kinds rpcs = calls | replies | unclear;
inline constexpr Kinds errors = 07 << 9;      // RDMA_ERROR of any version
inline constexpr Kinds optionals = 07 << 12;  // RDMA2_OPTIONAL
inline constexpr Kinds others = 07 << 15;     // RDMA_DONE, no procedure, too short to have one
// One bit of every three.
inline constexpr Kinds version_one = 0111111, version_two = version_one << 1, no_version = version_one << 2;
inline constexpr Kinds any = (Kinds{1} << kKindCount) - 1;
}  // namespace kinds

// The bit of a message: 0..kKindCount-1.
inline size_t kind_of(const flow::Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  const auto direction = message.direction_guessed ? flow::Direction::unknown : message.direction;
  const size_t sort = h.conveys_rpc()                     ? direction == flow::Direction::call    ? 0
                                                            : direction == flow::Direction::reply ? 1
                                                                                                  : 2
                      : h.is_error()                      ? 3
                      : h.is(rpcrdma::v2::Proc::optional) ? 4
                                                          : 5;
  const size_t version = h.version == 1 ? 0 : h.version == 2 ? 1 : 2;
  return sort * 3 + version;
}

}  // namespace steertag::rules
