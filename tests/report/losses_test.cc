// The table of losses and the sums below it, as people read them.
#include "report/losses.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

using namespace steertag;

namespace {

track::Connection connection() {
  track::Connection made;
  made.number = 1;
  made.rpcrdma = true;
  return made;
}

flow::Loss lost(uint32_t first, uint64_t frame) {
  flow::Loss made;
  made.first = first;
  made.packets = made.resent_packets = 1;
  made.since = {.number = frame, .time_ns = static_cast<int64_t>(frame)};
  made.resent = {.number = frame + 1, .time_ns = static_cast<int64_t>(frame) + 1};
  return made;
}

std::string table(const loss::Ledger& ledger) {
  report::Buffer out;
  report::text_losses(out, ledger.entries(), {});
  return std::string(report::view(out));
}

size_t lines(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("losses: a packet that is lost again and again is one row") {
  loss::Ledger ledger;
  const track::Connection c = connection();
  for (const uint64_t frame : {10, 20, 30}) {
    ledger.note(c, lost(7, frame));
  }
  CHECK(lines(table(ledger)) == 2);
  CHECK(table(ledger).find("PSN 7, 3 times") != std::string::npos);
  ledger.note(c, lost(8, 40));
  CHECK(lines(table(ledger)) == 3);
}

TEST_CASE("losses: the text says how many losses the table leaves out") {
  loss::Ledger ledger;
  const track::Connection c = connection();
  for (size_t i = 0; i < loss::Ledger::kMostLosses + 2; ++i) {
    ledger.note(c, lost(7, 10));
  }
  report::Buffer out;
  report::text_loss_sums(out, ledger, ledger.entries().size(), {});
  CHECK(std::string(report::view(out)).starts_with("The table leaves out 2 of 65538 losses. "));
}
