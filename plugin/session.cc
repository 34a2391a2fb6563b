// SPDX-License-Identifier: GPL-2.0-or-later
#include "session.h"

#include <memory>

#include "rules/audit.h"
#include "scribe.h"

namespace steertag::plugin::session {
namespace {

Options analyzer_options(const Settings& settings) {
  Options options;
  const auto add = [](std::vector<uint16_t>& to, const std::vector<uint16_t>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  add(options.rpcrdma_ports, settings.rpcrdma_ports);
  add(options.roce_ports, settings.roce_ports);
  add(options.vxlan_ports, settings.vxlan_ports);
  add(options.geneve_ports, settings.geneve_ports);
  options.memory = size_t{settings.memory_mib} << 20;
  return options;
}

rules::Settings rule_settings(const Settings& settings) {
  rules::Settings chosen;
  chosen.profile = settings.profile;
  return chosen;
}

class Session final : public Observer, public rules::Listener {
 public:
  explicit Session(const Settings& settings)
      : audit_(*this, *this, analyzer_options(settings), rule_settings(settings)) {}

  void feed(const Frame& frame, uint32_t in_front) {
    if (frame.at.number <= book.frames || book.finished) {
      return;
    }
    book.frames = static_cast<uint32_t>(frame.at.number);
    scribe_.begin(book.frames, slice(frame.bytes, in_front));
    audit_.feed(frame);
  }

  void finish() {
    if (book.finished) {
      return;
    }
    scribe_.begin(book.frames + 1, {});  // no frame: what is reported now is known after the last
    audit_.finish();
    book.finished = true;
  }

  uint64_t given_up() const { return audit_.counters().given_up; }

  Notebook book;

 private:
  void on(const Event& event) override { scribe_.on(event); }
  void on_finding(const rules::Finding& finding) override { scribe_.on_finding(finding); }

  Scribe scribe_{book};
  rules::Audit audit_;
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
  for (auto finding = book.findings.rbegin();
       finding != book.findings.rend() && finding->known_from > book.frames; ++finding) {
    ++count;
  }
  return count;
}

uint64_t given_up() noexcept {
  return current == nullptr ? 0 : current->given_up();
}

const Notebook& notebook() noexcept {
  return current == nullptr ? empty : current->book;
}

}  // namespace steertag::plugin::session
