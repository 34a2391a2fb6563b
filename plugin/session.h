// Session: the engine behind the plugin, one for each capture file: an Analyzer,
// the rules, and the Notebook that they fill. No word of Wireshark in here.
//
// plugin.cc opens one when a file is opened, feeds it each frame once and in
// order, and finishes it when the file has been read. Nothing is thrown. Where
// memory runs out in a frame, the analysis of this file is over, which ending()
// tells, and the Notebook has what was found before that frame; the engine is
// abandoned (fence.h), so that what it held is not given back.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer.h"
#include "frame.h"
#include "notebook.h"
#include "rules/rule.h"

namespace steertag::plugin {

struct Settings {
  rules::Profile profile = rules::Profile::deployed;
  std::vector<uint16_t> rpcrdma_ports;  // besides 20049
  std::vector<uint16_t> roce_ports;     // besides 4791
  std::vector<uint16_t> vxlan_ports;    // besides 4789
  std::vector<uint16_t> geneve_ports;   // besides 6081
  uint32_t memory_mib = Options::kDefaultMemory >> 20;
};

// The analysis of a file came to an early end.
struct Ending {
  uint32_t frame = 0;   // where that is shown, among the frames that there are
  char text[200] = "";  // how and where, without a capital letter

  explicit operator bool() const { return text[0] != '\0'; }
};

namespace session {

void open(Settings (*settings)()) noexcept;  // a new one in place of the last
void close() noexcept;
// Does nothing where that frame, or a later one, has been fed. `in_front`: bytes of
// the frame that Wireshark does not show.
void feed(const Frame& frame, uint32_t in_front) noexcept;
// The capture ends here. What becomes known by that will be shown, or not.
enum class Rest : uint8_t { shown, unseen };
void finish(Rest rest = Rest::shown) noexcept;
const Notebook* notebook() noexcept;  // null: none is open, or none could be
const Ending& ending() noexcept;
size_t unseen_findings() noexcept;  // that finish() brought
uint64_t given_up() noexcept;       // for want of memory: Counters::given_up

}  // namespace session

}  // namespace steertag::plugin
