// RunOptions: what a run is told besides what its product is told (product/settings.h): which captures, or
// which interface, it reads; where the result goes and how it is shown; by how many threads; with which
// rights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/output.h"
#include "host/shard.h"
#include "product/settings.h"
#include "report/palette.h"

namespace steertag::host {

// What is asked of a capture that is made here and now, beside what all runs have in common:
// which interface, which of its frames, until when. tap.h makes it; ring.h keeps its frames where that is
// asked for (RingOptions).
struct LiveOptions {
  std::string interface;  // empty: captures are read
  std::string filter;     // in libpcap's language; empty: capture_filters()
  uint32_t snaplen = 262144;
  uint64_t buffer = 64 << 20;  // bytes, of the kernel's ring
  int64_t duration_ns = 0;     // 0: until it is interrupted
  uint64_t count = 0;          // frames; 0: any number
  bool promiscuous = true;
  bool immediate = false;  // each frame at once, one in each slot of the ring

  explicit operator bool() const { return !interface.empty(); }
};

// Frames that are kept for a while, in files, of which those with a finding stay.
struct RingOptions {
  uint32_t files = 0;             // 0: none
  uint64_t size = 0;              // bytes of each
  std::string prefix;             // of their names
  std::string keep_on = "error";  // from this severity on a finding keeps its file
};

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

// What is captured where nobody says what: RoCE and NFS/RDMA over iWARP, behind VLAN tags and in fragments,
// and pause frames. The first that the interface's link type allows, each being simpler than the one before;
// the last is empty, and takes all frames. What is in a tunnel is not among it.
std::vector<std::string> capture_filters(const product::Settings& settings);

// How the result is shown on a terminal: Output::show().
void show(Output& output, const RunOptions& options);

}  // namespace steertag::host
