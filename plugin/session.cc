// SPDX-License-Identifier: GPL-2.0-or-later
#include "session.h"

#include <memory>

#include "analyzer.h"
#include "rules/engine.h"
#include "scribe.h"

namespace steertag::plugin::session {
namespace {

// What `steertag audit` uses, so that both come to the same verdicts.
constexpr uint32_t kPayloadLimit = 64 << 10;

Options analyzer_options(const Settings& settings) {
  Options options;
  const auto add = [](std::vector<uint16_t>& to, const std::vector<uint16_t>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  add(options.rpcrdma_ports, settings.rpcrdma_ports);
  add(options.roce_ports, settings.roce_ports);
  add(options.vxlan_ports, settings.vxlan_ports);
  add(options.geneve_ports, settings.geneve_ports);
  options.payload_limit = kPayloadLimit;
  options.for_rules = true;
  return options;
}

rules::Settings engine_settings(const Settings& settings) {
  rules::Settings chosen;
  chosen.profile = settings.profile;
  return chosen;
}

class Session final : public Observer, public rules::Listener {
 public:
  explicit Session(const Settings& settings)
      : engine_(*this, engine_settings(settings)), analyzer_(*this, analyzer_options(settings)) {}

  void feed(const Frame& frame, uint32_t in_front) {
    if (frame.at.number <= book.frames || book.finished) {
      return;
    }
    book.frames = static_cast<uint32_t>(frame.at.number);
    scribe_.begin(book.frames, slice(frame.bytes, in_front));
    analyzer_.feed(frame);
  }

  void finish() {
    if (book.finished) {
      return;
    }
    scribe_.begin(book.frames + 1, {});  // no frame: what is told now is known after the last
    analyzer_.finish();
    engine_.finish();
    book.finished = true;
  }

  Notebook book;

 private:
  void on(const Event& event) override {
    scribe_.on(event);
    engine_.on(event);
  }
  void on_finding(const rules::Finding& finding) override { scribe_.on_finding(finding); }

  Scribe scribe_{book};
  rules::Engine engine_;
  Analyzer analyzer_;
};

std::unique_ptr<Session> current;
const Notebook empty;

// Runs `work`; where it throws, for want of memory, the session is over.
template <typename Work>
void guarded(const Work& work) noexcept {
  try {
    work();
  } catch (...) {
    current.reset();
  }
}

}  // namespace

void open(const Settings& settings) noexcept {
  guarded([&] { current = std::make_unique<Session>(settings); });
}

void close() noexcept {
  current.reset();
}

void feed(const Frame& frame, uint32_t in_front) noexcept {
  if (current != nullptr) {
    guarded([&] { current->feed(frame, in_front); });
  }
}

void finish() noexcept {
  if (current != nullptr) {
    guarded([] { current->finish(); });
  }
}

size_t findings_at_end() noexcept {
  const Notebook& book = notebook();
  size_t count = 0;
  for (auto finding = book.findings.rbegin(); finding != book.findings.rend() && finding->told > book.frames;
       ++finding) {
    ++count;
  }
  return count;
}

const Notebook& notebook() noexcept {
  return current == nullptr ? empty : current->book;
}

}  // namespace steertag::plugin::session
