// RunOptions: what a run is told besides what its product is told (product/settings.h): which captures, or
// which interface, it reads; where the result goes and how it is shown; by how many threads; with which
// rights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/live_options.h"
#include "host/output.h"
#include "host/shard.h"
#include "product/settings.h"
#include "report/palette.h"

namespace steertag::host {

struct RunOptions : product::Settings {
  std::vector<std::string> captures;  // paths, "-" for standard input
  size_t others = 0;                  // captures of another trace that are open at the same time
  LiveOptions live;                   // and its interface the one capture, where it is captured now
  RingOptions ring;                   // where it is
  std::string output;                 // a path; empty: standard output
  std::string color = "auto";         // auto, always, never
  static constexpr uint32_t kMostThreads = 256;
  uint32_t threads = 0;        // 0: as many as there are cores
  std::optional<Shard> shard;  // only the connections of one of so many shares; from 1
  bool pager = false;          // where git would use one (pages())
  bool sandbox = true;         // read nothing before most rights are given up

  std::vector<std::string> outputs() const;  // names of files that it writes, "" and "-": standard output
  // Whether a pager is wanted for the result. What comes in by a pipe may be live, and is shown as it comes.
  bool pages() const;
  // Colours, where asked for; with "auto" on a terminal, unless NO_COLOR is set
  // or TERM is "dumb".
  report::Palette palette(bool terminal) const;
};

// How the result is shown on a terminal: Output::show().
void show(Output& output, const RunOptions& options);

}  // namespace steertag::host
