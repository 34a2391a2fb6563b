#include "nfs/padded.h"

#include <type_traits>

namespace steertag::nfs {
namespace {

// A walk over the wrong reading ends too soon or too late, or takes pad for words that mean something.
bool misread(Reason reason) {
  return reason == Reason::past_end || reason == Reason::trailing || reason == Reason::unknown_arm ||
         reason == Reason::other_operation;
}

// What the last reading came upon, which was wrong as well.
void forget_arguments(CallWalk& into) {
  into.compound.keep(0);
  into.wanted.clear();
  into.most_listed = 0;
  into.back_channel.reset();
}

template <typename AnyWalk, typename MakeWalk>
bool try_readings(Stream& stream, const rpcrdma::v1::Padding& padding, uint32_t front, AnyWalk& into,
                  MakeWalk walk) {
  bool lengths = true;  // are all that speaks against a reading
  for (const uint64_t from : {uint64_t{front}, uint64_t{0}}) {
    for (const uint64_t above : {0, 1}) {
      stream.pad = {padding.align, padding.thresh + above, from};
      walk();
      if (!misread(into.reason)) {
        return true;
      }
      lengths &= into.reason == Reason::past_end || into.reason == Reason::trailing;
    }
  }
  into.reason = Reason::ambiguous;
  into.items.clear();
  into.pads.clear();
  if constexpr (std::is_same_v<AnyWalk, CallWalk>) {
    forget_arguments(into);
  }
  return !lengths;
}

}  // namespace

bool walk_padded_call(Stream stream, const rpcrdma::v1::Padding& padding, uint32_t front, CallWalk& into) {
  return try_readings(stream, padding, front, into, [&] { walk_call(stream, into); });
}

bool walk_padded_reply(Stream stream, const rpcrdma::v1::Padding& padding, uint32_t front,
                       const CallWalk& call, std::span<const uint64_t> returned, ReplyWalk& into) {
  return try_readings(stream, padding, front, into, [&] { walk_reply(stream, call, returned, into); });
}

}  // namespace steertag::nfs
