// A little capture of any link type, through the whole Analyzer and the JSON
// report. Layout of the input: 1 byte link type (index), then frames of
// 2 bytes captured length, 2 bytes cut off by the snaplen, 2 bytes milliseconds
// since the frame before, and the captured bytes.
#include <array>
#include <variant>

#include "analyzer.h"
#include "input.h"
#include "report/json.h"

using namespace steertag;

namespace {

constexpr std::array<uint32_t, 6> link_types = {1, 113, 276, 101, 197, 247};

class Checker final : public Observer {
 public:
  void on(const Event& event) override {
    out_.clear();
    if (const auto* named = std::get_if<ConnectionNamed>(&event)) {
      report::json_connection(out_, named->connection, named->connection.number, report::Stage::named, {});
    } else if (const auto* closed = std::get_if<ConnectionClosed>(&event)) {
      report::json_connection(out_, closed->connection, closed->connection.number, report::Stage::ended, {});
    } else if (const auto* seen = std::get_if<MessageSeen>(&event)) {
      ++messages_;
      fuzz::require(seen->message.bytes.size() <= seen->message.length,
                    "captured bytes are a prefix of the message");
      report::json_message(out_, seen->message, {});
    } else if (const auto* placed = std::get_if<PlacementSeen>(&event)) {
      fuzz::require(uint64_t{placed->offset} + placed->length <= placed->segment.target.length,
                    "a placement lies inside its segment");
    } else if (const auto* done = std::get_if<ExchangeDone>(&event)) {
      ++exchanges_;
      for (const flow::SegmentFlow& segment : done->exchange.segments) {
        fuzz::require(segment.moved().total() <= segment.target.length,
                      "no more bytes moved than the segment has");
      }
      report::json_rpc(out_, done->exchange, {});
    }
  }

  uint64_t messages() const { return messages_; }
  uint64_t exchanges() const { return exchanges_; }

 private:
  report::Buffer out_;
  uint64_t messages_ = 0;
  uint64_t exchanges_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  Checker checker;
  Options options;
  const auto choice = static_cast<uint8_t>(input.number(1));
  options.verify_checksums = (choice & 0x80) != 0;
  Analyzer analyzer(checker, options);
  Frame frame;
  frame.link_type = link_types[choice % 0x80 % link_types.size()];
  frame.at.time_ns = 1'700'000'000'000'000'000;
  while (!input.empty()) {
    const auto captured = static_cast<uint32_t>(input.number(2));
    const auto cut = static_cast<uint32_t>(input.number(2));
    frame.at.number += 1;
    frame.at.time_ns += static_cast<int64_t>(input.number(2)) * 1'000'000;
    frame.bytes = input.take(captured);
    frame.original_length = static_cast<uint32_t>(frame.bytes.size()) + cut;
    analyzer.feed(frame);
  }
  analyzer.finish();
  fuzz::require(analyzer.counters().frames == frame.at.number, "every frame is counted");
  fuzz::require(analyzer.counters().messages == checker.messages(), "messages reported = messages counted");
  fuzz::require(analyzer.counters().exchanges == checker.exchanges(),
                "exchanges reported = exchanges counted");
  return 0;
}
