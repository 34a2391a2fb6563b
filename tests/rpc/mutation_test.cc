// Real captures, damaged one frame at a time: cut at every frame, each frame
// removed, doubled, swapped with the next (every tenth with the sanitizers). Whatever a missing frame hides
// must not be reported as something else: no Call with another's Reply, no bytes in another's segment, and
// `complete` false wherever less is reported than happened.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "support/recorder.h"
#include "support/trace.h"

using namespace steertag;
using namespace steertag::support;

namespace {

const char* const kCaptures[] = {
    "roce-nfsv42-xattr/capture.pcap",        // Position-Zero Read chunks, Reply chunks, RDMA_ERROR
    "iwarp-nfsv41-acl/capture.pcap",         // the same over TCP
    "roce-nfsv41-backchannel/capture.pcap",  // two directions
};

#ifdef STEERTAG_SANITIZED
constexpr size_t kStep = 10;
#else
constexpr size_t kStep = 1;
#endif

// What happened, by the frame of the Call.
using Truth = std::map<uint64_t, SeenExchange>;

Truth truth_of(const Trace& trace) {
  Recorder recorder;
  feed_all(recorder, trace);
  Truth truth;
  for (const SeenExchange& x : recorder.exchanges) {
    REQUIRE(x.call);
    truth[*x.call] = x;
  }
  return truth;
}

std::string problem(const SeenExchange& x, const Truth& truth) {
  const std::string who = "xid " + std::to_string(x.xid) + " call " + std::to_string(x.call.value_or(0)) +
                          " reply " + std::to_string(x.reply.value_or(0)) + ": ";
  if (!x.call) {
    return x.complete ? who + "complete without a Call" : "";
  }
  const auto found = truth.find(*x.call);
  if (found == truth.end()) {
    return who + "no Call was in that frame";
  }
  const SeenExchange& t = found->second;
  if (x.xid != t.xid || (x.reply && t.reply && x.reply != t.reply)) {
    return who + "paired with another Reply";
  }
  if (x.segments.size() != t.segments.size()) {
    return who + "other segments";
  }
  bool less = x.reply.has_value() != t.reply.has_value();
  for (size_t i = 0; i < x.segments.size(); ++i) {
    const SeenSegment& s = x.segments[i];
    const SeenSegment& ts = t.segments[i];
    if (s.moved > ts.moved || s.ops > ts.ops) {
      return who + "more moved than was";
    }
    if (!std::includes(ts.frames.begin(), ts.frames.end(), s.frames.begin(), s.frames.end())) {
      return who + "bytes of another segment";
    }
    less |= s.moved < ts.moved;
  }
  return less && x.complete ? who + "less is reported, yet complete" : "";
}

void check(const Trace& trace, const Truth& truth, const std::string& what) {
  Recorder recorder;
  feed_all(recorder, trace);
  for (const SeenExchange& x : recorder.exchanges) {
    const std::string wrong = problem(x, truth);
    if (!wrong.empty()) {
      FAIL_CHECK(what + ": " + wrong);
    }
  }
}

}  // namespace

TEST_CASE("damaged captures are never reported as something else") {
  for (const char* name : kCaptures) {
    const Trace whole = load(std::string(STEERTAG_ROOT) + "/captures/" + name);
    const Truth truth = truth_of(whole);
    REQUIRE(truth.size() > 10);
    const size_t n = whole.frames.size();
    for (size_t i = 0; i < n; i += kStep) {
      const auto at = static_cast<ptrdiff_t>(i);
      const std::string where = std::string(name) + " frame " + std::to_string(i + 1);
      Trace t = whole;
      t.frames.resize(i);
      check(t, truth, where + " cut before");

      t = whole;
      t.frames.erase(t.frames.begin(), t.frames.begin() + at);
      check(t, truth, where + " starts there");

      t = whole;
      t.frames.erase(t.frames.begin() + at);
      check(t, truth, where + " removed");

      t = whole;
      t.frames.insert(t.frames.begin() + at, t.frames[i]);
      check(t, truth, where + " doubled");

      if (i + 1 < n) {
        t = whole;
        std::swap(t.frames[i], t.frames[i + 1]);
        check(t, truth, where + " swapped with the next");
      }
    }
  }
}
