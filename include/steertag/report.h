// Report: what a command of steertag prints, byte for byte, as text: an audit as SARIF, RPCs as a table or as
// JSON Lines. report() does it in one call, for a capture that is in memory. Nothing here throws, as with
// Analysis.
#pragma once

#include <steertag/analysis.h>
#include <steertag/capture.h>
#include <steertag/version.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace steertag::v0 {

enum class Command : uint8_t { audit, flows, stats, decode, connections };

// "text" and "jsonl" first; of audit also "sarif", "junit", "gitlab", "github" and "markdown".
std::vector<std::string> formats(Command command);

struct ReportOptions {
  Command command = Command::audit;
  std::string format = "text";
  std::string capture = "capture";  // what the capture is called in it
  std::string folder = {};          // that this is relative to, in formats that have paths; empty: not known
};

class Report {
 public:
  explicit Report(const ReportOptions& options, const Settings& settings = {});
  ~Report();
  Report(Report&& other) noexcept;
  Report& operator=(Report&& other) noexcept;

  void feed(const Frame& frame);
  // The capture ends here. `truncated`, `damaged`: it was not read to its end, as the report will say.
  void finish(bool truncated = false, bool damaged = false);
  std::string
  take();  // the text that has come since it was last called; some formats have all of it at the end
  int status()
      const;  // once it is finished: 0, 1: something that counts was found, 2: it was not read to its end
  const std::string& error() const;  // empty: all is well

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct Text {
  std::string text;
  int status = 2;     // as Report::status()
  std::string error;  // one line; there may be text all the same, of what was read
};

// Of all bytes of a pcap or pcapng file.
Text report(std::span<const uint8_t> file, const ReportOptions& options = {}, const Settings& settings = {});

}  // namespace steertag::v0
