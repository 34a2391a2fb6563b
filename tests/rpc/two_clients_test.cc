// Two clients of one server that use the same R_Keys, XIDs, QPNs and ports, their
// frames interleaved one by one: nothing of one may show in the other.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "support/recorder.h"
#include "support/trace.h"

using namespace steertag;
using namespace steertag::support;

namespace {

constexpr uint64_t kOther = 100'000;  // added to the frame numbers of the second client

// The same traffic of another client: 10.9.0.2 becomes 10.9.0.77 wherever an
// IPv4 header in an Ethernet frame names it.
Trace other_client(Trace trace) {
  for (TraceFrame& frame : trace.frames) {
    frame.at.number += kOther;
    for (const size_t at : {26u, 30u}) {
      if (frame.bytes.size() >= at + 4 && frame.bytes[12] == 0x08 && frame.bytes[13] == 0x00 &&
          frame.bytes[at] == 10 && frame.bytes[at + 1] == 9 && frame.bytes[at + 3] == 2) {
        frame.bytes[at + 3] = 77;
      }
    }
  }
  return trace;
}

std::vector<SeenExchange> of_client(const Recorder& recorder, const std::string& address) {
  std::vector<SeenExchange> found;
  for (const SeenExchange& x : recorder.exchanges) {
    if (x.client.rfind(address + ":", 0) == 0) {
      found.push_back(x);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const SeenExchange& x, const SeenExchange& y) { return x.call < y.call; });
  return found;
}

void require_same(const std::vector<SeenExchange>& got, const std::vector<SeenExchange>& expected,
                  uint64_t shift) {
  REQUIRE(got.size() == expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const SeenExchange& x = got[i];
    const SeenExchange& e = expected[i];
    INFO("call in frame " << *e.call);
    REQUIRE(*x.call == *e.call + shift);
    REQUIRE(x.reply.value_or(0) == (e.reply ? *e.reply + shift : 0));
    REQUIRE(x.xid == e.xid);
    REQUIRE(x.complete == e.complete);
    REQUIRE(x.procedure == e.procedure);
    REQUIRE(x.invalidated == e.invalidated);
    REQUIRE(x.segments.size() == e.segments.size());
    for (size_t k = 0; k < x.segments.size(); ++k) {
      REQUIRE(x.segments[k].handle == e.segments[k].handle);
      REQUIRE(x.segments[k].moved == e.segments[k].moved);
      REQUIRE(x.segments[k].ops == e.segments[k].ops);
      REQUIRE(x.segments[k].returned == e.segments[k].returned);
      std::set<uint64_t> frames;
      for (const uint64_t frame : e.segments[k].frames) {
        frames.insert(frame + shift);
      }
      REQUIRE(x.segments[k].frames == frames);
    }
  }
}

void check(const char* name, size_t skip) {
  Trace first = load(std::string(STEERTAG_ROOT) + "/captures/" + name + "/capture.pcap");
  first.frames.erase(first.frames.begin(), first.frames.begin() + static_cast<ptrdiff_t>(skip));
  const Trace second = other_client(first);
  Trace both;
  both.link_type = first.link_type;
  for (size_t i = 0; i < first.frames.size(); ++i) {
    both.frames.push_back(first.frames[i]);
    both.frames.push_back(second.frames[i]);
  }
  Recorder alone;
  feed_all(alone, first);
  Recorder together;
  feed_all(together, both);
  const std::vector<SeenExchange> expected = of_client(alone, "10.9.0.2");
  REQUIRE(expected.size() > 10);
  REQUIRE(together.exchanges.size() == 2 * alone.exchanges.size());
  require_same(of_client(together, "10.9.0.2"), expected, 0);
  require_same(of_client(together, "10.9.0.77"), expected, kOther);
}

}  // namespace

TEST_CASE("two clients with equal R_Keys, XIDs and QPNs stay apart over RoCE") {
  check("roce-nfsv42-xattr", 0);
}

TEST_CASE("two clients with equal R_Keys, XIDs and QPNs stay apart over RoCE without their setup") {
  check("roce-nfsv42-xattr", 30);
}

TEST_CASE("two clients with equal STags, XIDs and ports stay apart over iWARP") {
  check("iwarp-nfsv41-acl", 0);
}

TEST_CASE("two clients with equal STags, XIDs and ports stay apart over iWARP without their setup") {
  check("iwarp-nfsv41-acl", 12);
}
