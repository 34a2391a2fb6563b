// A REJ of the CM for a connection that is up: it ends it where it has its Communication IDs and nothing
// follows.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/compiled.h"
#include "support/trace.h"

namespace steertag::support::rejection {
namespace {

using scenario::Fabric;

const std::string kUp = "client> connect\nclient> call nfs3 GETATTR\nserver> reply\n";
const std::string kReject = "client> connect rejected=6 omit(1) comm=";

// How each connection ended, in the order of their ends.
std::vector<std::string> ends(const Trace& trace) {
  struct Log final : Observer {
    std::vector<std::string> ends;
    void on(const Event& event) override {
      if (const auto* closed = std::get_if<ConnectionClosed>(&event)) {
        const track::Connection& c = closed->connection;
        ends.push_back(!c.ended                                  ? "open"
                       : *c.ended == rdma::EndReason::disconnect ? "disconnect"
                       : *c.ended == rdma::EndReason::replaced   ? "replaced"
                       : *c.ended == rdma::EndReason::reject && c.rejection
                           ? c.end(*c.ended_by).address.text() + " " + std::to_string(c.rejection->reason)
                           : "?");
      }
    }
  };
  Log log;
  feed_all(log, trace);
  return log.ends;
}

std::vector<std::string> ends(const std::string& text) {
  return ends(compiled(text, Fabric::roce2));
}
using Ends = std::vector<std::string>;

}  // namespace

TEST_CASE("a REJ with the IDs of a connection ends it") {
  CHECK(ends(kUp + kReject + "1\n") == Ends{"10.0.0.2 6"});
  CHECK(ends(kUp + kReject + "2\n") == Ends{"open"});
  CHECK(ends(kUp + "client> disconnect\n" + kReject + "1\n") == Ends{"disconnect"});
  // The next connection of the same QPs does not hide it.
  CHECK(ends(kUp + kReject + "1\nclient> connect psn=77/88\nclient> call nfs3 NULL\nserver> reply\n") ==
        Ends{"10.0.0.2 6", "open"});
}

TEST_CASE("a REJ behind which the connection goes on changes nothing") {
  Trace trace = compiled(kUp + "client> call nfs3 GETATTR\nserver> reply\n" + kReject + "1\n", Fabric::roce2);
  std::rotate(trace.frames.end() - 2, trace.frames.end() - 1, trace.frames.end());
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    trace.frames[i].at.number = i + 1;
  }
  CHECK(ends(trace) == Ends{"open"});
}

TEST_CASE("a REJ that names its receiver's ID alone may be about an earlier REQ") {
  Trace trace = compiled(kUp + kReject + "1\n", Fabric::roce2);
  constexpr size_t kIds = 14 + 20 + 8 + 12 + 8 + 24;  // behind the header of the MAD
  uint8_t* const ids = trace.frames.back().bytes.data() + kIds;
  std::fill_n(ids, 4, uint8_t{0});
  CHECK(ends(trace) == Ends{"open"});
  ids[8] = 2 << 6;  // about no REQ
  CHECK(ends(trace) == Ends{"10.0.0.2 6"});
  ids[7] ^= 1;
  CHECK(ends(trace) == Ends{"open"});
}

}  // namespace steertag::support::rejection
