#include "host/out_of_memory.h"

#include <unistd.h>

#include <new>

#include "host/last_line.h"
#include "host/output.h"

namespace steertag::host {
namespace {

thread_local void (*stop_thread)(void*) = nullptr;
thread_local void* of_thread = nullptr;

// Before all that is initialised: 100 and less are the compiler's.
[[gnu::constructor(101)]] void watch_memory() {
  std::set_new_handler(out_of_memory);
}

}  // namespace

constinit Progressed progressed;

void on_out_of_memory(void (*stop)(void*), void* whose) {
  stop_thread = stop;
  of_thread = whose;
}

void out_of_memory() noexcept {
  if (stop_thread != nullptr) {
    stop_thread(of_thread);
    for (;;) {
      pause();
    }
  }
  LastLine line("out of memory");
  Output* const output = progressed.output;
  const bool written = output != nullptr && output->write_complete();
  if (const uint64_t frames = progressed.frames; frames != 0) {
    line.add(" after ");
    line.add(frames);
    line.add(frames == 1 ? " frame" : " frames");
    line.add(written && output->begun() ? "; the records that were complete by then are written" : "");
  }
  line.end();
}

}  // namespace steertag::host
