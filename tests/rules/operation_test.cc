// Which operation a finding is about: that of its Call, of the Call that a Reply answers, of the RPC.
#include <catch2/catch.hpp>
#include <string>

#include "rules/audit.h"
#include "rules/made.h"
#include "support/compiled.h"

using namespace steertag;
using namespace steertag::rules;
using scenario::Fabric;

namespace {

// The first finding of that rule: its operation.
std::string operation(const std::string& text, std::string_view rule, Fabric fabric) {
  struct Ear final : Observer, Listener {
    std::string_view wanted;
    std::string heard = "-";
    void on(const Event&) override {}
    void on_finding(const Finding& finding) override {
      heard = finding.rule->id == wanted && heard == "-" ? finding.op : heard;
    }
  } ear;
  ear.wanted = rule;
  Audit audit(ear, ear, {}, {});
  support::feed_to_end(
      audit, support::compiled("client> connect\nclient> call nfs4 GETATTR\nserver> reply\n" + text, fabric));
  return ear.heard;
}

}  // namespace

TEST_CASE("finding: the operation that it is about") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    CHECK(operation("client> call nfs3 WRITE read(pos=90 4096)\nserver> reply\n", "CHK-02", fabric) ==
          "WRITE");
    CHECK(operation("client> call nfs3 GETATTR rdma_credit=0\nserver> reply\n", "CRD-04", fabric) ==
          "GETATTR");
    CHECK(operation("client> call nfs4 WRITE read(@d 4096) rdma_credit=0\nserver> read @d\nserver> reply\n",
                    "CRD-04", fabric) == "WRITE");
    CHECK(operation("client> call nfs4 GETATTR rdma_credit=0\n", "CRD-04", fabric) == "GETATTR");
    CHECK(operation("client> call nfs3 GETATTR\nserver> reply rdma_credit=0\n", "CRD-01", fabric) ==
          "GETATTR");
    CHECK(operation("client> call nfs4 READ write(@d 4096)\nserver> reply rdma_credit=0\n", "CRD-01",
                    fabric) == "READ");
    CHECK(operation("client> call nfs3 READ write(@d 4096)\nserver> reply write(4096)\n", "MEM-09", fabric) ==
          "READ");
  }
}
