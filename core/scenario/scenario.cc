// compile() as a story: the text becomes lines, the lines a script; the stage
// plays it statement by statement; each packet gets a time, its network headers
// and a place in the capture.
#include "scenario/scenario.h"

#include <fmt/core.h>

#include "scenario/faults.h"
#include "scenario/lexer.h"
#include "scenario/network.h"
#include "scenario/parser.h"
#include "scenario/stage.h"

namespace steertag::scenario {
namespace {

constexpr int64_t kStart = 1'767'225'600'000'000'000;  // 2026-01-01 00:00:00 UTC, ns
constexpr int64_t kPace = 2'000'000;                   // ns between lines, unless the text says otherwise,
constexpr int64_t kPacketGap = 2'000;                  // between packets of a line,
constexpr int64_t kTurn = 20'000;                      // and before the first packet that answers

class Recorder {
 public:
  explicit Recorder(const Script& script)
      : script_(script), framer_(script.fabric, script.ipv6, script.vlan) {
    for (const ConnectionSpec& spec : script.connections) {
      specs_.push_back(spec);
    }
  }

  // Ports and addresses may change where a connection is set up again.
  void reconnect(uint32_t connection, const ConnectionSpec& spec) { specs_[connection] = spec; }

  void wait(int64_t ns) { now_ += ns; }
  void pace(int64_t ns) { pace_ = ns; }
  void capture(const CaptureLine& line) { of_ = line.of; }

  void record(const std::vector<Datagram>& line, Problem& problem) {
    now_ += pace_;
    std::optional<Side> speaker;
    for (const Datagram& datagram : line) {
      now_ += datagram.delay_ns;
      now_ += speaker.value_or(datagram.from) == datagram.from ? kPacketGap : kTurn;
      speaker = datagram.from;
      std::vector<uint8_t> bytes = framer_.frame(specs_[datagram.connection], datagram);
      if (bytes.empty()) {
        problem.line = datagram.line;
        return problem.say("icmp is about the latest packet of the other end, and there is none.");
      }
      for (const Tunnel tunnel : script_.tunnels) {
        bytes = enclose(tunnel, bytes);
      }
      if (!of_[rdma::index(datagram.from)] || !datagram.recorded) {
        continue;
      }
      const auto length = static_cast<uint32_t>(bytes.size());
      const uint32_t kept = std::min(datagram.truncate.value_or(length), script_.snaplen.value_or(length));
      if (kept < length) {
        bytes.resize(kept);
        bytes.shrink_to_fit();
      }
      bytes_ += kept;
      trace_.frames.push_back({now_, std::move(bytes), length, datagram.line});
      from_.push_back(datagram.from);
    }
    if (bytes_ > kMaxBytes || trace_.frames.size() > kMaxFrames) {
      problem.say(fmt::format(
          "The scenario makes more than {} frames or {} MiB; use shorter chunks or fewer repetitions.",
          kMaxFrames, kMaxBytes >> 20));
    }
  }

  Trace finish() {
    apply_taps(script_.taps, script_.skew_ns, from_, trace_.frames);
    trace_.expectations = script_.expectations;
    return std::move(trace_);
  }

 private:
  const Script& script_;
  Framer framer_;
  std::vector<ConnectionSpec> specs_;
  Trace trace_;
  std::vector<Side> from_;  // who sent each frame
  int64_t now_ = kStart;
  int64_t pace_ = kPace;
  uint64_t bytes_ = 0;
  std::array<bool, 2> of_{true, true};  // whose packets are in the capture
};

}  // namespace

std::variant<Trace, Error> compile(std::string_view text, const Choices& choices) {
  std::vector<Line> lines;
  if (auto error = lex(text, lines)) {
    return *error;
  }
  Script script;
  if (auto error = parse(lines, choices, script)) {
    return *error;
  }
  Problem problem;
  Stage stage(script, problem);
  Recorder recorder(script);
  const std::span<const Statement> statements(script.statements);
  for (size_t i = 0; i < statements.size() && !problem.any(); ++i) {
    const Statement& statement = statements[i];
    if (const auto* wait = std::get_if<WaitLine>(&statement.action)) {
      recorder.wait(wait->ns);
    } else if (const auto* pace = std::get_if<PaceLine>(&statement.action)) {
      recorder.pace(pace->ns);
    } else if (const auto* capture = std::get_if<CaptureLine>(&statement.action)) {
      recorder.capture(*capture);
    } else {
      if (const auto* connect = std::get_if<ConnectLine>(&statement.action)) {
        recorder.reconnect(statement.connection, connect->spec);
      }
      std::vector<Datagram> packets;
      stage.play(statement, statements.subspan(i + 1), packets);
      recorder.record(packets, problem);
    }
  }
  if (problem.any()) {
    return *problem.error;
  }
  return recorder.finish();
}

}  // namespace steertag::scenario
