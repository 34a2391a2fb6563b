// The ledger as the scorecard reads it: lines, and whom their words address.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "rules/catalog.h"
#include "rules/ledger.h"
#include "rules/traffic.h"

namespace steertag::rules {
namespace {

constexpr LedgerFile kLedger{
    "RFC 8166",
    "# A comment -> CHK-01\n"
    "3.3.1 MUST NOT: a Requester has no more Calls: none -> CRD-03\n"
    "4.3.2 should: eligible results are pushed -> DDP-04 MEM-09\n"
    "8.1 REQUIRED: providers follow RFC 5042 -> not traffic: addressed to providers\n"
    "8.2 MAY: nobody minds -> CRD-01\n"
    "9 WOULD: no level -> CRD-01\n"
    "9 MUST: no answer\n"
    "\n"};

TEST_CASE("ledger: a line is where, how strongly, what, and its answer") {
  const std::vector<Requirement> all = read_ledger(kLedger);
  REQUIRE(all.size() == 4);
  CHECK(all[0].document == "RFC 8166");
  CHECK(all[0].section == "3.3.1");
  CHECK(all[0].level == Level::must);
  CHECK(all[0].words == "a Requester has no more Calls: none");
  CHECK(all[0].names("CRD-03"));
  CHECK(all[0].family() == "CRD");
  CHECK(all[0].addressee == Addressee::requester);
  CHECK(all[1].level == Level::should);
  CHECK(all[1].rules == std::vector<std::string_view>{"DDP-04", "MEM-09"});
  CHECK(all[1].family() == "DDP");
  CHECK(all[1].addressee == Addressee::both);
  CHECK(all[2].level == Level::must);
  CHECK_FALSE(all[2].checkable());
  CHECK(all[2].family().empty());
  CHECK(all[2].reason == "not traffic: addressed to providers");
  CHECK(all[3].level == Level::may);
}

TEST_CASE("ledger: what is compiled in names rules that exist, and every document has some") {
  const std::vector<Requirement> all = read_ledger();
  CHECK(all.size() > 400);
  for (const Requirement& one : all) {
    for (const std::string_view rule : one.rules) {
      INFO(one.document << ' ' << one.section << ' ' << rule);
      CHECK(known(rule));
    }
  }
  for (const LedgerFile& file : ledger_files()) {
    CHECK(std::any_of(all.begin(), all.end(), [&](const Requirement& one) {
      return one.document == file.document && one.checkable();
    }));
  }
}

TEST_CASE("ledger: the first words say whom a requirement addresses") {
  const auto forward = [](std::string_view words) { return addressee_of(words, false); };
  for (const std::string_view words :
       {"a Requester keeps a receive buffer ready for every Reply it expects",
        "Calls beyond the latest grant are not sent", "clients go to that port without asking rpcbind",
        "where no Reply comes, the Requester takes its memory back itself",
        "a Reply with a defective header is dropped, and nothing answers it"}) {
    INFO(words);
    CHECK(forward(words) == Addressee::requester);
  }
  for (const std::string_view words :
       {"a Responder writes no roundup into a Write chunk", "one Reply answers one Call",
        "and the Reply has a Write chunk without segments in the same place",
        "such a Call is answered by ERR_CHUNK", "an NFSv2 or NFSv3 server offers MOUNT, NLM and NSM over TCP",
        "a Call with an argument reduced against the binding is not executed"}) {
    INFO(words);
    CHECK(forward(words) == Addressee::responder);
  }
  for (const std::string_view words : {"no grant is zero", "what a Call advertises is registered memory",
                                       "who lets the Responder choose has no handles that outlive one RPC",
                                       "results for which the Call has a Write list are put there"}) {
    INFO(words);
    CHECK(forward(words) == Addressee::both);
  }
}

TEST_CASE("ledger: where the server calls it is the Requester") {
  const std::vector<Requirement> all = read_ledger({"RFC 8267",
                                                    "6.5.2 MUST: a server sends callbacks -> DIR-04\n"
                                                    "6.4.1 MUST: a server reads -> DIR-04"});
  CHECK(all[0].addressee == Addressee::requester);
  CHECK(all[1].addressee == Addressee::responder);
  CHECK(addressee_of("the client sends", true) == Addressee::responder);
}

TEST_CASE("ledger: a requirement is about the traffic that its place and its words name") {
  const auto about = [](std::string_view document, std::string_view section, const std::string& words) {
    const std::string line = std::string(section) + " MUST: " + words + " -> XID-01";
    return read_ledger({document, line})[0].about;
  };
  CHECK(about("RFC 8166", "4", "words") == version_one);
  CHECK(about("version-two-02", "5", "words") == version_two);
  CHECK(about("version-two-02", "3.1", "in the backward direction, words") == (version_two | backward));
  CHECK(about("xcharext-02", "2", "words") == (version_two | characteristics));
  CHECK(about("RFC 8167", "2.4", "words") == any_traffic);
  CHECK(about("RFC 8167", "5.1", "words") == backward);
  CHECK(about("RFC 8267", "4", "words") == (version_one | nfs_early));
  CHECK(about("RFC 8267", "5.1", "words") == (version_one | nfs_beside));
  CHECK(about("RFC 8267", "6.4.1", "words") == (version_one | nfs_four));
  CHECK(about("reminv-design-09", "5.2.1", "words") == version_one);
  CHECK(about("reminv-design-09", "6.3", "words") == version_two);
  CHECK(about("reminv-design-09", "6.2", "words") == any_traffic);
}

}  // namespace
}  // namespace steertag::rules
