// Products that have heard of a share of the hosts each, merged into one: it says what one says that has
// heard of everything.
#include <catch2/catch.hpp>
#include <memory>

#include "made.h"
#include "product/audit.h"
#include "product/connections.h"
#include "product/decode.h"
#include "product/flows.h"
#include "product/page.h"
#include "product/stats.h"

namespace steertag::product {
namespace {

using scenario::Fabric;

// The second Reply invalidates a handle that its Call does not allow it to.
const std::string kCalls =
    "version 2\nclient> connect\nclient> call nfs3 READ write(@d 8192)\nserver> write @d\nserver> reply\n"
    "client> call nfs3 READ write(@e 4096)\nserver> write @e\nserver> reply invalidate=@e\n"
    "client> call nfs3 WRITE read(@w 9000)\nserver> read @w\nserver> reply\nclient> disconnect\n";

template <typename Product, typename Options>
void check_shares(const Options& options, const char* format) {
  Settings settings;
  settings.format = format;
  const MakeProduct make = [&](Context& context) { return std::make_unique<Product>(context, options); };
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const support::Trace trace = two_pairs(kCalls, fabric);
    const Outcome one = whole(trace, settings, make);
    CAPTURE(format, one.text);
    CHECK(one.text.size() > 100);
    for (const uint32_t shares : {1, 2, 7}) {
      CHECK(in_shares(trace, shares, settings, make) == one);
    }
  }
}

}  // namespace

TEST_CASE("product: shares of an audit are merged") {
  AuditOptions options;
  options.tally = true;
  check_shares<AuditProduct>(options, "text");
  check_shares<AuditProduct>(options, "jsonl");
  check_shares<AuditProduct>(options, "junit");
}

TEST_CASE("product: shares of statistics are merged") {
  StatsOptions options;
  options.by = {"op", "conn"};
  check_shares<StatsProduct>(options, "text");
  check_shares<StatsProduct>(options, "jsonl");
  check_shares<StatsProduct>(options, "csv");
}

TEST_CASE("product: shares of RPCs are merged, also of the slowest alone") {
  FlowsOptions options;
  check_shares<FlowsProduct>(options, "jsonl");
  options.slowest = 2;
  check_shares<FlowsProduct>(options, "text");
}

TEST_CASE("product: shares of messages are merged") {
  check_shares<DecodeProduct>(DecodeOptions(), "jsonl");
}

TEST_CASE("product: shares of connections are merged") {
  check_shares<ConnectionsProduct>(ConnectionsOptions(), "text");
  check_shares<ConnectionsProduct>(ConnectionsOptions(), "jsonl");
}

TEST_CASE("product: shares of a page are merged, which keep what they show in one place") {
  Settings settings;
  settings.format = "jsonl";
  const PageOptions options;
  const support::Trace trace = two_pairs(kCalls);
  const auto made = [&](uint32_t shares) {
    PageRecords records(options.rpcs, settings.memory);
    const MakeProduct make = [&](Context& context) {
      return std::make_unique<PageProduct>(context, options, records);
    };
    return shares == 0 ? whole(trace, settings, make) : in_shares(trace, shares, settings, make);
  };
  const Outcome one = made(0);
  CHECK(one.text.find("\"type\":\"rpc\"") != std::string::npos);
  CHECK(made(2) == one);
  CHECK(made(7) == one);
}

}  // namespace steertag::product
