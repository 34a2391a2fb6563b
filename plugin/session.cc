// SPDX-License-Identifier: GPL-2.0-or-later
#include "session.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "fence.h"
#include "product/overview.h"
#include "rules/audit.h"
#include "scribe.h"

namespace steertag::plugin::session {
namespace {

Options analyzer_options(const Settings& settings) {
  Options options;
  options.for_placements = true;
  const auto add = [](std::vector<uint16_t>& to, const std::vector<uint16_t>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  add(options.rpcrdma_ports, settings.rpcrdma_ports);
  add(options.roce_ports, settings.roce_ports);
  add(options.vxlan_ports, settings.vxlan_ports);
  add(options.geneve_ports, settings.geneve_ports);
  options.memory = size_t{settings.memory_mib} << 20;
  options.for_reports = true;
  return options;
}

rules::Settings rule_settings(const Settings& settings) {
  rules::Settings chosen;
  chosen.profile = settings.profile;
  return chosen;
}

// Fills the Notebook, which outlives it.
class Filler final : public Observer, public rules::Listener {
 public:
  Filler(Notebook& book, const Settings& settings)
      : book_(book), audit_(*this, *this, analyzer_options(settings), rule_settings(settings)) {}

  void feed(const Frame& frame, uint32_t in_front) {
    book_.frames = static_cast<uint32_t>(frame.at.number);
    book_.mark();
    scribe_.begin(book_.frames, slice(frame.bytes, in_front));
    audit_.feed(frame);
  }

  void finish() {
    book_.mark();
    scribe_.begin(book_.frames + 1, {});  // no frame: what is reported now is known after the last
    audit_.finish();
    book_.finished = true;
    sum_up();
  }

  uint64_t given_up() const { return audit_.counters().given_up; }

 private:
  void on(const Event& event) override {
    scribe_.on(event);
    overview_.observe(event);
  }
  void on_finding(const rules::Finding& finding) override {
    scribe_.on_finding(finding);
    overview_.found(finding);
  }

  void sum_up() {
    static const std::string kName = "FILE";  // Wireshark does not say what it is called
    const auto& incidents = overview_.finish(rules::Settings().answer_within_ns);
    if (audit_.counters().messages != 0 || !incidents.empty()) {
      report::Buffer text;
      overview_.print(text, audit_.counters(), {.palette = {}, .files = {{&kName, 1}}});
      book_.summary = report::view(text);
    }
  }

  Notebook& book_;
  Scribe scribe_{book_};
  product::Overview overview_;
  rules::Audit audit_;
};

// Freed where memory has run out, for Wireshark to go on with: its own allocator ends the process. Nobody
// writes to it, so that it takes addresses, and no memory. (Freeing 32 MiB or less would have glibc keep
// other blocks of that size for itself.)
constexpr size_t kReserve = 48 << 20;

std::unique_ptr<Notebook> book;
std::unique_ptr<Filler> filler;  // none: nothing is analysed, or nothing more
Ending ended;
uint64_t given_up_by_then;
bool rest_is_shown;
void* reserve;

void free_reserve() {
  free(std::exchange(reserve, nullptr));
}

enum class At : uint8_t { start, frame, end };

void describe(const fence::Exit& exit, At at) {
  const bool memory = exit.how == fence::Exit::How::out_of_memory;
  char where[32] = "before the first frame";
  if (at != At::start) {
    snprintf(where, sizeof where, at == At::end ? "after frame %u, the last" : "in frame %u", book->frames);
  }
  snprintf(ended.text, sizeof ended.text, "the analysis ended early: %s%s%s %s; %s",
           memory ? "out of memory" : "internal error (", exit.what, memory ? "" : ")", where,
           at == At::start   ? "nothing is shown"
           : at == At::frame ? "what is shown was found before it"
                             : "what is proven only at the end is missing");
}

// Runs `work`. Where it does not return, the analysis is over: the Notebook is put in order, and the engine
// left as it is.
void run(At at, const auto& work) noexcept {
  const fence::Exit exit = fence::run(work);
  if (exit) {
    return;
  }
  free_reserve();
  describe(exit, at);
  ended.frame = at == At::start ? 1 : book->frames;
  if (at != At::start) {
    book->take_back();
    given_up_by_then = filler->given_up();  // a number, whatever else is in disorder
  }
  static_cast<void>(filler.release());
}

}  // namespace

void open(Settings (*settings)()) noexcept {
  close();
  run(At::start, [settings] {
    const Settings chosen = settings();
    reserve = malloc(kReserve);
    book = std::make_unique<Notebook>();
    filler = std::make_unique<Filler>(*book, chosen);
  });
}

void close() noexcept {
  filler.reset();
  book.reset();
  free_reserve();
  ended = {};
  given_up_by_then = 0;
  rest_is_shown = false;
}

void feed(const Frame& frame, uint32_t in_front) noexcept {
  if (filler != nullptr && frame.at.number > book->frames && !book->finished) {
    run(At::frame, [&] { filler->feed(frame, in_front); });
  }
}

void finish(Rest rest) noexcept {
  rest_is_shown |= rest == Rest::shown;
  if (filler != nullptr && !book->finished) {
    run(At::end, [] { filler->finish(); });
    free_reserve();
  }
}

size_t unseen_findings() noexcept {
  size_t count = 0;
  for (size_t i = book == nullptr || rest_is_shown ? 0 : book->findings.size();
       i != 0 && book->findings[i - 1].known_from > book->frames; --i) {
    ++count;
  }
  return count;
}

uint64_t given_up() noexcept {
  return filler == nullptr ? given_up_by_then : filler->given_up();
}

const Notebook* notebook() noexcept {
  return book.get();
}

const Ending& ending() noexcept {
  return ended;
}

}  // namespace steertag::plugin::session
