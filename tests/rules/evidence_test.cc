// What a finding says besides its text: the end that is to blame, the bytes at fault, and the
// earlier frames that it rests on; and where a note is not due. The pages of the rules hold
// text and frame, and pass over notes that nobody expects.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rules/audit.h"
#include "rules/made.h"
#include "support/compiled.h"

using namespace steertag;
using namespace steertag::rules;
using rdma::Side;

namespace {

struct Kept final : Listener {
  std::vector<Finding> found;
  void on_finding(const Finding& finding) override { found.push_back(finding); }
};

// The findings of that rule. Frames 1 to 3 are the setup.
std::vector<Finding> found(std::string_view id, const std::string& text) {
  Kept kept;
  Settings settings;
  Audit audit(kept, {}, settings);
  support::feed_to_end(audit, support::compiled(text, scenario::Fabric::roce2));
  std::erase_if(kept.found, [&](const Finding& finding) { return finding.rule->id != id; });
  return kept.found;
}

Finding only(std::string_view id, const std::string& text) {
  const std::vector<Finding> all = found(id, text);
  REQUIRE(all.size() == 1);
  return all[0];
}

std::vector<uint64_t> related(const Finding& finding) {
  std::vector<uint64_t> numbers;
  for (const Stamp& stamp : finding.related) {
    numbers.push_back(stamp.number);
  }
  return numbers;
}

using Numbers = std::vector<uint64_t>;
const std::string kListing =
    "version 2\nclient> connect\nclient> call nfs3 READDIR read(@call pos=0) reply(@listing 8192)";

}  // namespace

TEST_CASE("evidence: a Position-Zero Read chunk that holds a Reply is its sender's mistake") {
  const Finding finding = only("DIR-02", kListing + " rpc.mtype=1\nserver> serve\n");
  CHECK(finding.by == Side::a);
}

TEST_CASE("evidence: a Reply that says it is a Call is shown with the Call that is open") {
  const Finding finding = only(
      "DIR-02", kListing + "\nserver> read @call\nserver> write @listing\nserver> reply rdma_direction=0\n");
  CHECK(related(finding) == Numbers{4});
}

TEST_CASE("evidence: an operation past its segment is shown with the Call that advertised it") {
  const Finding finding =
      only("MEM-05",
           "version 1\nclient> connect\nclient> call nfs3 READ write(0x8f01:4096@0x10000)\n"
           "server> write 0x8f01:8192@0x10000\n");
  CHECK(related(finding) == Numbers{4});
}

TEST_CASE("evidence: a mtype that is neither is in the second word of the payload") {
  const Finding finding = only("PAY-02", "version 1\nclient> connect\nclient> call nfs3 NULL rpc.mtype=9\n");
  CHECK(finding.where == Range{32, 4});
}

TEST_CASE("evidence: a connection that ended with open Calls is shown with what went wrong before") {
  const Finding finding =
      only("NET-11",
           "version 1\nclient> connect\nclient> call nfs3 READ write(0x8f01:4096@0x10000)\n"
           "server> write 0x8f01:8192@0x10000\nclient> disconnect\n");
  REQUIRE(related(finding).size() == 2);
  CHECK(related(finding)[0] == 4);
  CHECK(related(finding)[1] > 4);
}

TEST_CASE("evidence: only ERR_CHUNK asks for another XID when more room is offered") {
  const auto retried_after = [](const std::string& error) {
    return found("ERR-13",
                 "version 1\nclient> connect\nclient> call xid=9 nfs3 READDIR reply(64) data=2048\nserver> " +
                     error + "\nclient> call xid=9 nfs3 READDIR reply(8192) data=2048\n")
        .size();
  };
  CHECK(retried_after("error chunk") == 1);
  CHECK(retried_after("error vers(2 2)") == 0);
}

TEST_CASE("evidence: a Call with an unknown procedure, and no Reply, is not taken for answered") {
  const std::string text = "version 2\nclient> connect\nclient> call nfs3 NULL rdma_proc=9\n";
  CHECK(found("PRC-01", text).size() == 1);
  CHECK(found("ERR-05", text).empty());
  CHECK(found("ERR-05", text + "client> disconnect\n").empty());
}

TEST_CASE("evidence: before the agreement on a version, an INITXCH is too long only if a server sends it") {
  const std::string agreed = "client> call nfs3 NULL\nserver> reply\n";
  const std::string value = " 0x77=hex:" + std::string(2 * 1200, '0') + "\n";
  const auto late = [](const std::string& text) {
    return found("XCH-06", "version 2\nclient> connect\n" + text).size();
  };
  CHECK(late("client> initxch RBSIZ=8192\n" + agreed) == 0);
  CHECK(late("client> initxch" + value + agreed) == 0);  // VER-06 speaks of it
  CHECK(late("client> call nfs3 NULL\nserver> initxch" + value) == 1);
  CHECK(late(agreed + "server> initxch" + value) == 0);
}
