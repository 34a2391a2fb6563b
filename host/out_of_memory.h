// Out of memory: what the command does then. Nothing is unwound, since a table that could not
// grow is in no order that its owner knows: whoever asked for the memory never gets an
// answer. The records that are complete are written, one line says how far the run came,
// and the status is 2; a file that would have been replaced stays as it was.
//
// Only the thread that writes may end the command. Another one says by StopsOnOutOfMemory
// how it lets that one know.
#pragma once

#include <atomic>
#include <cstdint>

namespace steertag::host {

class Output;

// The answer of every allocation that fails, from before main() on: what is initialised there asks for
// memory, too. To be called by whoever was told so by a library that is not C++.
[[noreturn]] void out_of_memory() noexcept;

// What is to be written, and how far the run has come.
struct Progressed {
  std::atomic<Output*> output = nullptr;
  std::atomic<uint64_t> frames = 0;
};
extern Progressed progressed;

// A thread that does not write: stop(whose) is called in it, and it goes no further.
void on_out_of_memory(void (*stop)(void*), void* whose);

}  // namespace steertag::host
