// Settings: what every product is told of a run: how its captures are read, which forms the answer is printed
// in, and what was read to know what to do. Who runs the product adds what concerns files and threads
// (host/run_options.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer.h"
#include "report/policy_file.h"

namespace steertag::product {

struct Settings {
  std::string format = "text";  // of the result
  // The same answer in another form, beside the result.
  struct Report {
    std::string format;
    std::string path;  // of the file that it goes to; products do not read it
    // Its records are written as they come; otherwise, when all is known.
    bool streams() const { return streamed(format); }
  };
  std::vector<Report> reports;
  static constexpr const char* kRing = "ring";  // lines for what keeps the latest frames (host/ring.h)
  static bool streamed(const std::string& format) {
    return format == "text" || format == "jsonl" || format == kRing || format == "perfetto" ||
           format == "otlp";
  }

  std::vector<uint16_t> ports, udp_ports, vxlan_ports, geneve_ports;  // beside the usual ones
  bool checksums = false;
  double settle = 30;  // seconds
  std::optional<double> skew_ms;
  uint64_t memory = Options::kDefaultMemory;  // bytes

  bool quiet = false;
  bool allow_cut = false;                   // a truncated capture is not a failure
  std::vector<report::PolicyFile> told_by;  // the files that were read to know what to do

  bool jsonl() const { return format == "jsonl"; }
  Options analyzer() const;
};

}  // namespace steertag::product
