// Plain: what nearly all traffic is. A plain message is an RDMA_MSG of version one that can be
// read to its end, a new Call of the client or the Reply to its one open Call; a plain Exchange
// is the two of them, complete; a plain access goes to memory that is advertised for it. What
// most rules say of such a fact is known before they are asked: that it complies, or that they
// have nothing to do with it. So they declare it, and the Engine asks only the others:
//
//   .plain_message = plain::asked_with(plain::reads),
//
// In builds for developers the Engine asks all the same, and insists on the answer.
#pragma once

#include <cstdint>

namespace steertag::attempt {
struct Attempt;
}
namespace steertag::flow {
struct Access;
struct Exchange;
struct Incident;
struct Message;
}  // namespace steertag::flow

namespace steertag::rules {

struct Ending;

namespace plain {

// What a plain fact has; a set.
using Traits = uint8_t;
inline constexpr Traits plain =
    1;  // every plain fact; without it a fact is not plain, and all rules are asked
inline constexpr Traits reads = 2;  // Call, Exchange: a Read list. Access: it is an RDMA Read
inline constexpr Traits writes =
    4;  // Call, Reply, Exchange: a Write list on either side. Access: an RDMA Write
inline constexpr Traits reply_chunk = 8;   // Call, Reply, Exchange: a Reply chunk on either side
inline constexpr Traits invalidates = 16;  // it is a Send With Invalidate
inline constexpr Traits chunks = reads | writes | reply_chunk;

// What a rule says of plain facts: those with any of `asked` it has to be shown, of the others those with any
// of `kept` comply, and the rest is nothing that it applies to.
struct Says {
  Traits asked = plain;
  Traits kept = 0;
};
inline constexpr Says never{.asked = 0}, kept{.asked = 0, .kept = plain};
constexpr Says asked_with(Traits traits) {
  return {.asked = traits};
}
constexpr Says kept_with(Traits traits) {
  return {.asked = 0, .kept = traits};
}
constexpr Says kept_without(Traits traits) {
  return {.asked = traits, .kept = plain};
}

// 0 where the fact is not plain.
Traits traits_of(const flow::Message& message);
Traits traits_of(const flow::Exchange& exchange);
Traits traits_of(const flow::Access& access);
inline Traits traits_of(const flow::Incident&) {
  return 0;
}
inline Traits traits_of(const Ending&) {
  return 0;
}
inline Traits traits_of(const attempt::Attempt&) {
  return 0;
}

}  // namespace plain
}  // namespace steertag::rules
