// load: a capture of a day and longer, in memory: frames beyond 2^32, connections that come and
// go, clocks that jump ahead, go back and wrap. The totals must be right, nobody is accused, and
// memory stays what it was.
//
//   load          half a minute, most of it for frames that pass
//   load --long   in addition 2^32 frames that are looked at, and 2^32 copies of a packet: a quarter of an
//   hour
#include <fmt/format.h>
#include <malloc.h>

#include <array>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "capture/reader.h"
#include "intake.h"
#include "load/day.h"
#include "report/stream.h"
#include "rules/catalog.h"
#include "support/scenario_trace.h"

namespace steertag::load {
namespace {

using scenario::Fabric;
using support::Trace;
using support::TraceFrame;

constexpr uint64_t kMany = uint64_t{1} << 32;
constexpr int64_t kSecondNs = 1'000'000'000, kHourNs = 3600 * kSecondNs, kYearNs = 8766 * kHourNs;
constexpr int64_t kStartNs = 1'700'000'000 * kSecondNs;

Trace compiled(const std::string& text, Fabric fabric) {
  std::optional<Trace> made = support::scenario_trace(text, fabric);
  check(made.has_value(), "the scenario is compiled");
  return made.value_or(Trace{});
}

const std::string kRpcs =
    "client> call nfs3 GETATTR\nserver> reply\n"
    "client> call nfs3 READ write(@d 8192)\nserver> write @d\nserver> reply\n"
    "client> call nfs3 WRITE read(@e 8192)\nserver> read @e\nserver> reply\n";
constexpr uint64_t kMessages = 6;  // of these

// Everything behind the Intake has seen 2^32 frames go by when a conversation comes.
void frames_that_pass() {
  Day day(true);
  Intake intake(Options{}.intake());
  int64_t time_ns = kStartNs;
  for (uint64_t i = 0; i < kMany; ++i) {
    time_ns += 20;
    day.audit().analyzer().feed(std::array{TakenFrame{.at = day.next(time_ns)}});
  }
  // The Position of one Read chunk is none that there can be.
  const Trace trace = compiled(
      "client> connect\n" + kRpcs + "client> call nfs3 WRITE read(pos=90 4096)\nclient> disconnect\n",
      Fabric::roce2);
  track::Arrival arrival;
  for (const TraceFrame& frame : trace.frames) {
    const Frame next{day.next(time_ns += 1000), trace.link_type, frame.bytes, frame.original_length};
    check(intake.take(next, arrival), "the frame is followed");
    arrival.order += kMany;
    day.audit().analyzer().feed(std::array{TakenFrame{.at = next.at, .arrival = &arrival}});
  }
  day.audit().finish();
  check(day.messages, kMessages + 1, "messages behind 2^32 frames");
  check(day.connections, 1, "connections behind 2^32 frames");
  const std::string_view json = report::view(day.json), text = report::view(day.text);
  const auto says = [](std::string_view all, const std::string& word) {
    check(all.find(word) != std::string_view::npos, "'" + word + "' is printed");
  };
  says(json, "\"frame\":42949673");
  says(json, "CHK-02");
  says(text, "42949673");
  for (size_t at = json.find("\"frame\":"); at != std::string_view::npos;
       at = json.find("\"frame\":", at + 1)) {
    check(json.substr(at + 8).starts_with("42949673"), "frame numbers are whole");
  }
}

// What is counted in 64 bits is printed in 64 bits.
void large_totals() {
  report::Summary summary;
  summary.counters = {};
  summary.counters.frames = kMany + 1;
  summary.counters.messages = kMany + 2;
  summary.counters.exchanges = kMany + 3;
  summary.counters.connections = kMany + 4;
  summary.counters.lost = kMany + 5;
  summary.counters.given_up = kMany + 6;
  report::FindingCounts found;
  found.error = kMany + 7;
  summary.findings = &found;
  report::Buffer json, text;
  report::json_summary(json, summary);
  const std::vector<rules::Tally> tallies(rules::catalog().size());
  report::text_audit_summary(text, summary.counters, found, tallies, {});
  for (const char* word : {"\"frames\":4294967297", "\"messages\":4294967298", "\"rpcs\":4294967299",
                           "\"connections\":4294967300", "\"lost\":4294967301",
                           "\"memory_evicted\":4294967302", "\"error\":4294967303"}) {
    check(report::view(json).find(word) != std::string_view::npos, fmt::format("{} is printed", word));
  }
  check(report::view(text).find("4294967303") != std::string_view::npos, "the errors are printed for people");

  track::Connection connection;
  connection.rpcrdma = true;
  connection.ends[0].retransmissions = connection.ends[0].gaps = connection.ends[1].cnps = kMany + 8;
  connection.ends[0].copies = connection.ends[1].ecn_ce = connection.pauses = kMany + 8;
  json.clear(), text.clear();
  report::json_connection(json, connection, connection.number, report::Stage::ended, {});
  report::text_connection(text, connection, connection.number, {});
  const auto times = [](std::string_view all) {
    size_t count = 0;
    for (size_t at = all.find("4294967304"); at != std::string_view::npos;
         at = all.find("4294967304", at + 1)) {
      ++count;
    }
    return count;
  };
  check(times(report::view(json)), 5, "large counts of a connection, for programs");  // no retransmissions
  check(times(report::view(text)), 6, "large counts of a connection, for people");
}

// Connections that come and go for a day and more, while the clock does what it likes.
void connections_of_a_day(uint64_t repetitions) {
  // A reconnect begins with other PSNs, as ever.
  const auto conversation = [](const std::string& options, Fabric fabric) {
    return compiled("client> connect" + options + "\n" + kRpcs + "client> disconnect\n", fabric);
  };
  const Trace traces[] = {conversation(" psn=0x1000/0x2000", Fabric::roce2), conversation("", Fabric::iwarp),
                          conversation(" psn=0x555000/0x666000", Fabric::roce2)};
  Day day;
  day.latest = kMany - 1000;
  int64_t time_ns = kStartNs;
  size_t warm = 0;
  for (uint64_t i = 0; i < repetitions; ++i) {
    const Trace& trace = traces[i % std::size(traces)];
    for (const TraceFrame& frame : trace.frames) {
      day.feed(trace, frame, time_ns + frame.at.time_ns - trace.frames[0].at.time_ns);
    }
    time_ns += 6 * kSecondNs;
    if (i % 1000 == 333) {
      time_ns -= 2 * kHourNs;
    } else if (i % 1000 == 500) {
      time_ns = (kMany - 2) * kSecondNs;  // 32 bits of seconds are about to wrap ...
    } else if (i % 1000 == 502) {
      time_ns = 0;
    } else if (i % 1000 == 800) {
      time_ns = kStartNs + static_cast<int64_t>(i / 1000 % 100) * kYearNs;
    }
    if (i == repetitions / 10) {
      warm = mallinfo2().uordblks - day.accusations.capacity();
    }
  }
  const size_t at_the_end = mallinfo2().uordblks - day.accusations.capacity();
  check(at_the_end <= warm + (64 << 10),
        fmt::format("memory is flat: {} bytes, {} after a tenth", at_the_end, warm));
  day.audit().finish();
  check(day.messages, kMessages * repetitions, "messages of a day");
  check(day.exchanges, kMessages / 2 * repetitions, "RPCs of a day");
  check(day.connections, repetitions, "connections of a day");
  check(day.audit().counters().messages, day.messages, "messages counted");
  check(day.audit().counters().frames, day.latest - (kMany - 1000), "frames counted");
  check(day.incomplete, 0, "incomplete RPCs of a day");
  check(day.accusations.empty(), "nobody is accused:\n" + day.accusations.substr(0, 2000));
}

// One connection, and a clock that jumps at any place in it, between a Call and its Reply, too.
void jumps(Fabric fabric, int64_t jump_ns) {
  constexpr uint64_t kRounds = 300;
  std::string text = "client> connect\n";
  for (uint64_t i = 0; i < kRounds; ++i) {
    text += kRpcs;
  }
  const Trace trace = compiled(text + "client> disconnect\n", fabric);
  for (size_t at = trace.frames.size() / 2; at < trace.frames.size() / 2 + 40; at += 3) {
    Day day;
    uint64_t late = 0;  // the most Replies whose RPC was not reported yet, once the clock has jumped
    for (size_t i = 0; i < trace.frames.size(); ++i) {
      day.feed(trace, trace.frames[i], kStartNs + trace.frames[i].at.time_ns + (i >= at ? jump_ns : 0));
      late = i < at ? 0 : std::max(late, day.messages / 2 - day.exchanges);
    }
    day.audit().finish();
    const std::string where = fmt::format(" ({} h at frame {})", jump_ns / kHourNs, at);
    check(day.messages == kMessages * kRounds, "messages around a jump" + where);
    check(day.exchanges == kMessages / 2 * kRounds, "RPCs around a jump" + where);
    check(day.incomplete == 0, fmt::format("{} incomplete RPCs around a jump", day.incomplete) + where);
    check(late < 16, fmt::format("{} RPCs wait for a clock that went back", late) + where);
    check(day.accusations.empty(), day.accusations.substr(0, 2000) + where);
  }
}

// Seconds of 32 bits that wrap in the file, in microseconds and in nanoseconds.
void wrapped_files() {
  const Trace trace = compiled("client> connect\n" + kRpcs + "client> disconnect\n", Fabric::roce2);
  for (const uint32_t magic : {0xA1B2C3D4u, 0xA1B23C4Du}) {
    std::vector<uint8_t> file;
    const auto u32 = [&](uint64_t value) {
      const auto cut = static_cast<uint32_t>(value);
      file.resize(file.size() + 4);
      std::memcpy(&file[file.size() - 4], &cut, 4);
    };
    for (const uint32_t word : {magic, 0x00040002u, 0u, 0u, 262144u, trace.link_type}) {
      u32(word);
    }
    for (size_t i = 0; i < trace.frames.size(); ++i) {
      u32(kMany - trace.frames.size() / 2 + i);  // a second after the other, around the wrap
      u32(magic == 0xA1B23C4Du ? 999'999'999 : 999'999);
      u32(trace.frames[i].bytes.size());
      u32(trace.frames[i].original_length);
      file.insert(file.end(), trace.frames[i].bytes.begin(), trace.frames[i].bytes.end());
    }
    Day day;
    const auto reader = capture::recognise(file);
    Bytes unread = file;
    Frame frame;
    int64_t first_ns = -1, last_ns = 0;
    for (;;) {
      const capture::Step step = reader->next(unread, frame);
      if (step.kind == capture::Step::Kind::more || step.kind == capture::Step::Kind::damaged) {
        break;
      }
      unread = unread.subspan(step.used);
      if (step.kind == capture::Step::Kind::frame) {
        first_ns = first_ns < 0 ? frame.at.time_ns : first_ns;
        last_ns = frame.at.time_ns;
        day.audit().feed(frame);
      }
    }
    day.audit().finish();
    check(first_ns > 4'294'967'000 * kSecondNs && last_ns < 100 * kSecondNs, "the seconds have wrapped");
    check(day.messages, kMessages, "messages around the wrap");
    check(day.exchanges, kMessages / 2, "RPCs around the wrap");
    check(day.accusations.empty(), day.accusations);
  }
}

// 2^32 frames that are looked at: of other protocols, pauses, and copies of a packet.
void frames_that_are_looked_at() {
  const Trace trace = compiled("client> connect\n" + kRpcs, Fabric::roce2);
  Day day;
  int64_t time_ns = kStartNs;
  for (const TraceFrame& frame : trace.frames) {
    day.feed(trace, frame, time_ns += 1000);
  }
  std::vector<uint8_t> pause(60);
  const uint8_t control[] = {0x88, 0x08, 0x01, 0x01, 0x00, 0x08};
  std::memcpy(&pause[12], control, sizeof control);
  pause[24] = 0xFF;
  const std::vector<uint8_t> other(60);
  const TraceFrame& packet = trace.frames.back();
  for (uint64_t i = 0; i < kMany; ++i) {
    day.audit().feed({day.next(time_ns), 1, other, 60});
    day.audit().feed({day.next(time_ns), 1, pause, 60});
    day.feed(trace, packet, time_ns);
  }
  day.audit().finish();
  check(day.audit().counters().frames, 3 * kMany + trace.frames.size(), "frames that were looked at");
  check(day.audit().counters().link.other, kMany, "frames of other protocols");
  check(day.audit().counters().pauses, kMany, "pauses");
  check(day.pauses, kMany, "pauses of the connection");
  check(day.copies, kMany, "copies");
  check(day.messages, kMessages, "messages among them");
  check(day.accusations.empty(), day.accusations);
}

}  // namespace
}  // namespace steertag::load

int main(int count, char** words) {
  using namespace steertag::load;
  const bool all = count > 1 && std::string_view(words[1]) == "--long";
  large_totals();
  wrapped_files();
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    for (const int64_t jump_ns : {-2 * kHourNs, 3 * kYearNs}) {
      jumps(fabric, jump_ns);
    }
  }
  connections_of_a_day(all ? 10'000'000 : 40'000);
  frames_that_pass();
  if (all) {
    frames_that_are_looked_at();
  }
  return failed ? 1 : 0;
}
