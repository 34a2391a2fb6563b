// Fence: how the plugin enters the core, and any other code that asks C++ for memory.
// No exception comes out, and memory that runs out does not end Wireshark: an
// allocation that fails leaves the fence by longjmp, without unwinding, since a
// table that could not grow is in no order that its destructor knows. Whatever was
// being changed is abandoned by the caller: neither used nor destroyed.
//
// What may still be used is what the standard library leaves as it was when an
// element cannot be added: a deque, a vector, a string.
//
// Nothing within a fence may call Wireshark, nor enter a fence.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace steertag::plugin::fence {

struct Exit {
  enum class How : uint8_t { returned, out_of_memory, thrown };
  How how = How::returned;
  char what[80] = "";  // was thrown: what() of it

  explicit operator bool() const { return how == How::returned; }
};

Exit run(void (*work)(void*), void* argument) noexcept;

template <typename Work>
Exit run(Work work) noexcept {
  return run([](void* it) { (*static_cast<Work*>(it))(); }, &work);
}

}  // namespace steertag::plugin::fence
