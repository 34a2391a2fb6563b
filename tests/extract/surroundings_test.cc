// Which frames of a trace are near what was chosen, frame by frame.
#include "extract/surroundings.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "support/compiled.h"

namespace steertag::extract {
namespace {

using scenario::Fabric;
using support::compiled;
using support::feed_all;
using support::Trace;
using support::TraceFrame;

// Chooses the RPC with XID 0xabcd, or all of the first connection, as the command does.
class Chooser final : public Observer {
 public:
  Chosen chosen;
  bool whole = false;

  void on(const Event& event) override {
    if (const auto* seen = std::get_if<MessageSeen>(&event); seen != nullptr && !whole) {
      const flow::Message& message = seen->message;
      if (message.header->xid == 0xABCD) {
        frames_.insert(frames_.end(), message.frames.begin(), message.frames.end());
        for (const rpcrdma::ReadSegment& segment : message.header->chunks.reads) {
          memory_.push_back({message.at.time_ns, message.at.time_ns + 20'000'000, {segment.target.handle}});
        }
      }
    } else if (const auto* closed = std::get_if<ConnectionClosed>(&event);
               closed != nullptr && chosen.connections.empty()) {
      ChosenConnection& connection = chosen.connection(closed->connection);
      connection.whole = whole;
      connection.memory = memory_;
      for (const Stamp& frame : frames_) {
        chosen.add(connection, frame);
      }
    }
  }

 private:
  std::vector<Stamp> frames_;
  std::vector<ChosenMemory> memory_;
};

// The Level of each frame, a digit each.
std::string levels(const Trace& trace, std::vector<uint64_t> setups = {}, bool whole = false) {
  Chooser chooser;
  chooser.whole = whole;
  feed_all(chooser, trace);
  for (const uint64_t number : setups) {
    chooser.chosen.setups.lower({.number = number}, 0);
  }
  Surroundings around(chooser.chosen, {});
  for (const TraceFrame& frame : trace.frames) {
    around.pass({frame.at, trace.link_type, frame.bytes, frame.original_length});
  }
  std::string shown;
  for (const TraceFrame& frame : trace.frames) {
    shown += static_cast<char>('0' + around.level(frame.at));
  }
  return shown;
}

std::string calls(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "client> call nfs3 GETATTR\nserver> reply\n";
  }
  return text;
}

const std::string kChosen =
    "client> call nfs3 WRITE xid=0xabcd read(@d 8192)\nserver> read @d\nserver> reply\n";

TEST_CASE("surroundings: one RPC of a connection") {
  const std::string text = "client> connect\n" + calls(20) + kChosen + calls(8) + "client> disconnect\n";
  CHECK(levels(compiled(text, Fabric::roce2)) ==
        "55533333333333333333333333333333333333333333333333333333333111111111111111111111"
        "11100001111111001111111144444444444444444444444455");
  CHECK(levels(compiled(text, Fabric::iwarp)) ==
        "00000001111111133333333333333333333333333333333333333333333333311111111111111111"
        "111111100001111110011111111444444444444444444444444445");
}

TEST_CASE("surroundings: a Reply that acknowledges its Call is acknowledged itself") {
  const std::string text =
      "client> connect\n" + calls(2) + "client> call nfs3 GETATTR xid=0xabcd noack\nserver> reply\n";
  CHECK(levels(compiled(text, Fabric::iwarp)) == "000000011111111000");
}

TEST_CASE("surroundings: what is between two of them, and how the connection was set up") {
  const std::string text = "client> connect\n" + kChosen + calls(12) + kChosen + "client> disconnect\n";
  CHECK(levels(compiled(text, Fabric::roce2), {1, 2}) ==
        "0000000111111100111111112222222222222222111111111111111111111111000011111110044");
  CHECK(levels(compiled(text, Fabric::iwarp), {4, 6}) ==
        "00000000000111111001111111122222222222222221111111111111111111111110000111111001"
        "15");
}

// The same, with every datagram of IPv4 in two fragments.
Trace fragmented(const Trace& whole) {
  constexpr size_t kEthernet = 14, kFront = kEthernet + 20, kFirst = 24;  // bytes
  const auto piece = [](const TraceFrame& frame, size_t begin, size_t end, size_t flags_and_offset) {
    TraceFrame made = frame;
    made.bytes.assign(frame.bytes.begin(), frame.bytes.begin() + kFront);
    made.bytes.insert(made.bytes.end(), frame.bytes.begin() + static_cast<ptrdiff_t>(kFront + begin),
                      frame.bytes.begin() + static_cast<ptrdiff_t>(kFront + end));
    const size_t length = 20 + end - begin;
    const size_t words[] = {length, frame.at.number, flags_and_offset};  // the second is the identification
    for (size_t i = 0; i < std::size(words); ++i) {
      made.bytes[kEthernet + 2 + 2 * i] = static_cast<uint8_t>(words[i] >> 8);
      made.bytes[kEthernet + 3 + 2 * i] = static_cast<uint8_t>(words[i]);
    }
    made.original_length = static_cast<uint32_t>(made.bytes.size());
    return made;
  };
  Trace trace;
  trace.link_type = whole.link_type;
  for (const TraceFrame& frame : whole.frames) {
    const size_t length = frame.bytes.size() - kFront;
    trace.frames.push_back(piece(frame, 0, kFirst, 0x2000));
    trace.frames.push_back(piece(frame, kFirst, length, kFirst / 8));
  }
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    trace.frames[i].at.number = i + 1;
  }
  return trace;
}

TEST_CASE("surroundings: all fragments of what was chosen, and of what is near") {
  const Trace whole =
      compiled("client> connect\n" + calls(8) + kChosen + calls(4) + "client> disconnect\n", Fabric::roce2);
  const std::string one = levels(whole), two = levels(fragmented(whole));
  REQUIRE(two.size() == 2 * one.size());
  for (size_t i = 0; i < one.size(); ++i) {
    INFO(i << " of " << two);
    CHECK(two[2 * i] == two[2 * i + 1]);
    CHECK((two[2 * i] == '0') == (one[i] == '0'));
  }
  CHECK(two.find('1') != std::string::npos);
}

// The same, with sequence numbers of TCP that begin elsewhere.
Trace shifted(Trace trace, uint32_t by) {
  constexpr size_t kTcp = 14 + 20;
  for (TraceFrame& frame : trace.frames) {
    for (const size_t at : {kTcp + 4, kTcp + 8}) {
      uint32_t number = by;
      for (size_t i = 0; i < 4; ++i) {
        number += uint32_t{frame.bytes[at + i]} << (24 - 8 * i);
      }
      for (size_t i = 0; i < 4; ++i) {
        frame.bytes[at + i] = static_cast<uint8_t>(number >> (24 - 8 * i));
      }
    }
  }
  return trace;
}

TEST_CASE("surroundings: what acknowledges, wherever sequence numbers begin") {
  const Trace whole = compiled("client> connect\n" + calls(2) + kChosen + calls(4), Fabric::iwarp);
  const std::string expected = levels(whole);
  for (const uint32_t by : {0x40000000U, 0x70000000U, 0x7FFFF000U, 0xC0000000U, 0xFFFFF000U}) {
    INFO(by);
    CHECK(levels(shifted(whole, by)) == expected);
  }
}

TEST_CASE("surroundings: all of a connection, and another between the same hosts") {
  const std::string text =
      "client> connect\n" + calls(2) + "client> disconnect\nwait 1s\nclient> connect\n" + calls(1);
  CHECK(levels(compiled(text, Fabric::roce2), {1, 2}, true) == "00000000000005555555");
  CHECK(levels(compiled(text, Fabric::iwarp), {4, 6}, true) == "00000000000000000555555555555");
}

}  // namespace
}  // namespace steertag::extract
