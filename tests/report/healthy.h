// Capture: a capture of healthy traffic, for the tests of what stands out of it, each of which adds what is
// to stand out; and the remarks that are then made, in words. Times are in nanoseconds; stats/made.h has the
// RPCs.
#pragma once

#include <string>

#include "report/made.h"
#include "report/text_stats.h"
#include "stats/made.h"

namespace steertag::report {

using stats::kMs;
using stats::kSecond;
using stats::kUs;
using stats::MadeRpc;

// Of one connection: 100 READs and 100 GETATTRs that took no time to speak of.
struct Capture {
  track::Connection connection = stats::made_connection();
  stats::Topics topics;
  stats::Loads loads;
  stats::Groups groups{{.op = true}};

  Capture() {
    for (uint64_t i = 0; i < 100; ++i) {
      add(MadeRpc(connection, 2 * i + 1).took(200 * kUs).took(30 * kUs, flow::Phase::write));
      add(MadeRpc(connection, 2 * i + 1, 0, "GETATTR").took(50 * kUs));
    }
  }
  void add(const flow::Exchange& exchange) {
    const stats::Rpc rpc = stats::rpc_of(exchange);
    topics.add(rpc);
    loads.note(exchange);
    groups.add(rpc);
  }
  std::string text() {
    loads.close(connection);
    TextStyle style;
    style.width = 1000;
    return printed([&](Buffer& out) { text_remarks(out, {topics, loads, groups.all()}, style); });
  }
};

}  // namespace steertag::report
