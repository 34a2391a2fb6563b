// The base captures and negative controls, from the files in tests/scenarios/:
// on every fabric the frames are correct down to their checksums, and the
// Analyzer hears the conversation that the text describes.
#include "scenario/compiled.h"

namespace steertag::test {
namespace {

using scenario::Fabric;

struct Expected {
  const char* name;
  uint64_t messages, rpcs;
  size_t connections;
};

constexpr Expected kBase[] = {
    {"N1", 2, 1, 1},   {"N2", 2, 1, 1},   {"R1", 2, 1, 1},    {"R2", 2, 1, 1},   {"W1", 2, 1, 1},
    {"W2", 2, 1, 1},   {"L1", 2, 1, 1},   {"L2", 2, 1, 1},    {"C1", 8, 4, 1},   {"C2", 8, 4, 1},
    {"M1", 80, 40, 1}, {"V21", 4, 2, 1},  {"X2", 8, 1, 1},    {"FP1", 2, 1, 1},  {"FP3", 2, 1, 1},
    {"FP4", 3, 2, 2},  {"FP6", 8, 4, 1},  {"FP7", 20, 10, 1}, {"FP9", 2, 1, 1},  {"FP10", 2, 1, 1},
    {"FP11", 4, 2, 1}, {"FP12", 2, 1, 1}, {"FP13", 4, 2, 1},  {"FP14", 4, 2, 1}, {"FP15", 6, 3, 1},
    {"FP16", 2, 1, 1}, {"FP17", 2, 1, 1}, {"FP18", 2, 1, 1},  {"FP19", 2, 1, 1}, {"FP20", 2, 1, 1},
};

std::vector<scenario::Choices> every_choice() {
  std::vector<scenario::Choices> choices;
  for (const Fabric fabric : {Fabric::roce2, Fabric::roce1, Fabric::iwarp}) {
    for (const bool ipv6 : {false, true}) {
      choices.push_back({fabric, ipv6});
    }
  }
  return choices;
}

}  // namespace

TEST_CASE("base captures: the Analyzer hears what the text describes, on every fabric") {
  for (const Expected& expected : kBase) {
    const std::string text = scenario_text(expected.name);
    for (const scenario::Choices& choices : every_choice()) {
      INFO(expected.name << " fabric " << static_cast<int>(*choices.fabric) << " ipv6 " << *choices.ipv6);
      const Heard heard = analyzed(text, choices);
      CHECK(heard.counters.messages == expected.messages);
      CHECK(heard.counters.exchanges == expected.rpcs);
      CHECK(heard.listener.connections == expected.connections);
      CHECK(heard.counters.lost == 0);
      CHECK(heard.counters.checksum_errors == 0);
      for (const flow::Exchange& exchange : heard.listener.exchanges) {
        CHECK(exchange.complete);
        for (const flow::SegmentFlow& segment : exchange.segments) {
          if (segment.returned && exchange.status == flow::Status::complete) {
            CHECK(segment.moved().total() == *segment.returned);
          }
          CHECK_FALSE(segment.after_reply);
        }
      }
    }
  }
}

TEST_CASE("base captures: a capture that starts in the middle, and one that is cut short") {
  for (const scenario::Choices& choices : every_choice()) {
    const Heard middle = analyzed(scenario_text("FP2"), choices);
    CHECK(middle.counters.messages == 3);
    REQUIRE(middle.listener.exchanges.size() == 2);
    CHECK(middle.listener.exchanges[0].status == flow::Status::no_call);
    CHECK(middle.listener.exchanges[1].status == flow::Status::complete);
    for (const scenario::SynthFrame& frame : compiled(scenario_text("FP5"), choices).frames) {
      CHECK(frame.bytes.size() <= 96);
      CHECK(frame.original_length >= frame.bytes.size());
    }
  }
}

TEST_CASE("base captures: every RoCE packet has a valid ICRC") {
  for (const Expected& expected : kBase) {
    for (const bool ipv6 : {false, true}) {
      const scenario::Trace trace = compiled(scenario_text(expected.name), {Fabric::roce2, ipv6});
      link::Decoder decoder;
      for (size_t i = 0; i < trace.frames.size(); ++i) {
        const link::Packet& packet = decoder.decode(frame_of(trace, i));
        INFO(expected.name << " frame " << i + 1);
        REQUIRE(packet.carrier == link::Carrier::roce2);
        REQUIRE(rdma::roce::icrc(packet));
        CHECK(rdma::roce::icrc(packet) == rdma::roce::stored_icrc(packet));
      }
    }
  }
}

TEST_CASE("base captures: the same text gives the same bytes") {
  const scenario::Trace first = compiled(scenario_text("W1")), second = compiled(scenario_text("W1"));
  REQUIRE(first.frames.size() == second.frames.size());
  for (size_t i = 0; i < first.frames.size(); ++i) {
    CHECK(first.frames[i].bytes == second.frames[i].bytes);
    CHECK(first.frames[i].time_ns == second.frames[i].time_ns);
  }
}

}  // namespace steertag::test
