// The plugin's session, without Wireshark, with one allocation that fails, each in its turn: the analysis
// ends in the frame at hand and says so, what the Notebook shows is what it showed before that frame, whole,
// and a capture opened next is analysed as if nothing had been. Each fault in a process of its own.
//
//   interrupted_session [--all] CAPTURE...
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "capture/reader.h"
#include "session.h"
#include "shown.h"

namespace {

bool armed = false;
uint64_t calls = 0, failing = 0;  // allocations while it is armed, and which of them fails
thread_local bool fails_here = false;

bool refused() {
  return std::exchange(fails_here, false) || (armed && ++calls == failing);
}

}  // namespace

void* operator new(size_t size) {
  for (bool none = refused();; none = false) {
    if (void* found = none ? nullptr : malloc(size)) {
      return found;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) {
      throw std::bad_alloc();
    }
    handler();
  }
}
// What sorts asks in this way for room that it can do without.
void* operator new(size_t size, const std::nothrow_t& /*nothrow*/) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
[[gnu::noinline]] void operator delete(void* gone) noexcept {
  free(gone);
}
[[gnu::noinline]] void operator delete(void* gone, size_t) noexcept {
  free(gone);
}
[[gnu::noinline]] void operator delete(void* gone, const std::nothrow_t& /*nothrow*/) noexcept {
  free(gone);
}

namespace {

using namespace steertag;
using namespace steertag::plugin;

// Faults of the first capture that are all tried, and about so many of the rest, and of others.
#ifdef STEERTAG_SANITIZED
constexpr uint64_t kFirst = 0, kSample = 12;
#else
constexpr uint64_t kFirst = 300, kSample = 60;
#endif

class Trial {
 public:
  explicit Trial(const char* capture) {
    std::ifstream file(capture, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    Bytes unread = bytes_;
    const std::unique_ptr<capture::Reader> reader = capture::recognise(unread);
    Frame frame;
    for (capture::Step step = reader->next(unread, frame);
         step.kind == capture::Step::Kind::frame || step.kind == capture::Step::Kind::nothing;
         unread = slice(unread, step.used), step = reader->next(unread, frame)) {
      if (step.kind == capture::Step::Kind::frame) {
        frames_.push_back(frame);
      }
    }
    failing = 0;
    size_t step = 0,
           last = 0;  // what comes behind the last frame with a note is left out: then the end has its own
    analyse([&] {
      wanted_.push_back(show());
      last = step != 0 && step <= frames_.size() && wanted_[step].size() != wanted_[step - 1].size() ? step
                                                                                                     : last;
      ++step;
    });
    frames_.resize(last);
    wanted_.clear();
    analyse([this] { wanted_.push_back(show()); });
    allocations = calls;
  }

  // In a process of its own. Whether the analysis ended as it should, and the next one not at all.
  bool survives(uint64_t fault) const {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      _exit(interrupt(fault));
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
      printf("fault %llu: signal %d\n", static_cast<unsigned long long>(fault), WTERMSIG(status));
    }
    return status == 0;
  }

  uint64_t allocations = 0;

 private:
  // Everything that happens to a session, with `look()` after each step: it was opened, it was fed a frame,
  // ..., it was finished.
  template <typename Look>
  void analyse(const Look& look) const {
    const auto step = [&](const auto& work) {
      armed = true;
      work();
      armed = false;
      look();
    };
    calls = 0;
    step([] { session::open([] { return Settings(); }); });
    for (const Frame& frame : frames_) {
      step([&] { session::feed(frame, 0); });
    }
    step([] { session::finish(); });
  }

  void judge(size_t step) const {
    const Ending& ending = session::ending();
    const std::string text = ending.text;
    require(text.find("out of memory") != std::string::npos, "it does not say why it ended");
    if (step == 0) {
      require(show().empty() && ending.frame == 1, "something is shown that was not analysed");
      return;
    }
    compare(show(), wanted_[step - 1], wanted_[step]);
    const bool in_frame = step <= frames_.size();
    const std::string number = std::to_string(in_frame ? step : frames_.size());
    require(std::to_string(ending.frame) == number, "it is shown elsewhere");
    require(text.find((in_frame ? "in frame " : "after frame ") + number) != std::string::npos,
            "it does not say where it ended");
  }

  int interrupt(uint64_t fault) const {
    try {
      size_t step = 0, ended_in = 0;
      failing = fault;
      analyse([&] {
        ended_in += session::ending() ? 0 : 1;
        step += 1;
      });
      require(ended_in < step, "nothing is said of its end");
      judge(ended_in);
      failing = 0;
      Shown last;
      analyse([&] { last = show(); });
      require(!session::ending(), "the next one ended early, too");
      compare(last, wanted_.back(), wanted_.back());
      session::close();
      require(std::get_new_handler() == nullptr, "a handler of new is left behind");
      return 0;
    } catch (const std::exception& wrong) {
      printf("fault %llu: %s: %s\n", static_cast<unsigned long long>(fault), wrong.what(),
             session::ending().text);
      fflush(stdout);
      return 1;
    }
  }

  std::vector<uint8_t> bytes_;
  std::vector<Frame> frames_;
  std::vector<Shown> wanted_;  // after each step
};

// Another thread that finds no memory while the session is at work is not the session.
void test_other_thread() {
  static bool thrown;
  session::open([] {
    std::thread other([] {
      try {
        fails_here = true;
        operator delete(operator new(1));
      } catch (const std::bad_alloc&) {
        thrown = true;
      }
    });
    other.join();
    return Settings();
  });
  require(thrown && !session::ending(), "another thread ends the session");
}

void test_exceptions() {
  session::open([]() -> Settings { throw std::out_of_range("no such port"); });
  require(std::string(session::ending().text).find("internal error (no such port)") != std::string::npos,
          "an exception is not told");
  session::open([]() -> Settings { throw 1; });
  require(session::ending() && session::notebook() == nullptr, "an exception of no class is not told");
  session::open([] { return Settings(); });
  require(!session::ending() && session::notebook() != nullptr, "there is no session after an exception");
}

}  // namespace

int main(int count, char** words) {
  uint64_t wrong = 0;
  const bool all = count > 1 && std::string_view(words[1]) == "--all";
  try {
    test_other_thread();
    test_exceptions();
  } catch (const std::logic_error& error) {
    printf("%s\n", error.what());
    wrong += 1;
  }
  uint64_t first = kFirst;
  for (int i = all ? 2 : 1; i < count; ++i, first = 0) {
    const Trial trial(words[i]);
    const uint64_t rest = trial.allocations - std::min(trial.allocations, first);
    const uint64_t step = all ? 1 : rest / kSample + 1;
    uint64_t tried = 0;
    for (uint64_t fault = 1; fault <= trial.allocations; fault += fault < first ? 1 : step, ++tried) {
      wrong += trial.survives(fault) ? 0 : 1;
    }
    printf("%s: %llu of %llu allocations, %llu wrong\n", words[i], static_cast<unsigned long long>(tried),
           static_cast<unsigned long long>(trial.allocations), static_cast<unsigned long long>(wrong));
  }
  return wrong == 0 ? 0 : 1;
}
