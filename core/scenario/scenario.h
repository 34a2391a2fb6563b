// compile(): turns a scenario, a dozen lines of text that describe traffic in
// the field's own terms, into frames: connection setup, Sends, RDMA Reads and
// Writes, acknowledgements, checksums, over RoCE or over iWARP from the same
// text. `steertag synth` writes them to a file; tests feed them to the
// Analyzer. README.md in this folder describes the language.
//
// The same text gives the same frames, byte for byte. Nothing is read but the
// text, and memory is bounded by the constants below, whatever the text says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace steertag::scenario {

constexpr size_t kMaxStatements = 20'000;       // lines, after `repeat` was unrolled
constexpr size_t kMaxFrames = 1'000'000;        // of one scenario
constexpr size_t kMaxBytes = 64 * 1024 * 1024;  // of the frames of one scenario, as they are kept
constexpr size_t kMaxMade =
    8 * kMaxBytes;  // of its messages and RDMA operations, before frames are cut or omitted
constexpr size_t kMaxWords = 500'000;             // between blanks and parentheses, all together ...
constexpr size_t kMaxLineWords = 1'000;           // ... and on a line, without what is in parentheses
constexpr size_t kMaxRepeated = 4 * 1024 * 1024;  // bytes of text inside `repeat`, after it was unrolled
constexpr size_t kMaxTunnels = 16;                // inside each other

// What a text does wrong, in one sentence that says what to do.
struct Error {
  uint32_t line = 0;  // 1-based; 0: the scenario as a whole
  std::string message;
};

enum class Fabric : uint8_t { roce2, roce1, iwarp };

// What the caller decides; unset: what the text says, else RoCEv2 and IPv4.
struct Choices {
  std::optional<Fabric> fabric;
  std::optional<bool> ipv6;
};

struct SynthFrame {
  int64_t time_ns = 0;  // since the epoch; ascending
  std::vector<uint8_t> bytes;
  uint32_t original_length = 0;  // more than bytes.size() where the scenario truncated the frame
  uint32_t source_line = 0;      // the line that made it
};

// The text after "#!" on a line, which a test compares with what was found in
// the frames of that line.
struct Expectation {
  uint32_t line = 0;
  std::string text;
};

struct Trace {
  uint32_t link_type = 1;  // LINKTYPE_ETHERNET
  std::vector<SynthFrame> frames;
  std::vector<Expectation> expectations;
};

std::variant<Trace, Error> compile(std::string_view text, const Choices& choices = {});

}  // namespace steertag::scenario
