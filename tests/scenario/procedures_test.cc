#include "scenario/procedures.h"

#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rules/audit.h"
#include "rules/catalog.h"
#include "support/compiled.h"

using namespace steertag;

namespace {

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> found;
  size_t at = 0;
  for (size_t end = 0; end != std::string::npos; at = end + 1) {
    end = text.find(' ', at);
    found.push_back(text.substr(at, end - at));
  }
  return found;
}

class Findings final : public rules::Listener {
 public:
  void on_finding(const rules::Finding& finding) override {
    if (finding.severity != rules::Severity::note) {
      found += fmt::format("{} {}\n", finding.rule->id, finding.text);
    }
  }
  std::string found;
};

// Calls and Replies travel whole in chunks, so that PAY-07 walks them to their last byte.
std::string audited(const std::string& text) {
  Findings findings;
  rules::Audit audit(findings);
  support::feed_to_end(audit, support::compiled("client> connect\n" + text, scenario::Fabric::iwarp));
  uint64_t judged = 0;
  for (size_t i = 0; i < audit.tallies().size(); ++i) {
    judged += rules::catalog()[i]->id == "PAY-07" ? audit.tallies()[i].kept : 0;
  }
  CHECK(judged != 0);
  return findings.found;
}

std::string audited(const std::string& call, const std::string& reply) {
  return audited(
      fmt::format("client> call {} read(@call pos=0) reply(4096)\nserver> serve {}\n", call, reply));
}

std::string called_back(const std::string& call) {
  return audited(
      fmt::format("client> call nfs4 CREATE_SESSION\nserver> reply\n"
                  "server> call cb {} read(@call pos=0) reply(4096)\nclient> serve\n",
                  call));
}

void check(const std::string& family, const std::string& names, const std::string& more) {
  for (const std::string& name : words(names)) {
    CAPTURE(family, name);
    CHECK(audited(fmt::format("{} {} {} data=300", family, name, more), "data=300").empty());
    CHECK((name == "NULL" || audited(fmt::format("{} {} {}", family, name, more), "status=5").empty()));
  }
}

}  // namespace

TEST_CASE("each procedure that a scenario calls is a whole message, with success and without") {
  check("nfs3", scenario::nfs3_names.list(), "");
  check("nfsacl", scenario::acl_names.list(), "");
  for (const std::string& name : words(scenario::nfs4_names.list())) {
    const bool sessions = name.find("SESSION") != std::string::npos || name == "SEQUENCE" ||
                          name == "EXCHANGE_ID" || name == "DESTROY_CLIENTID" || name == "TEST_STATEID" ||
                          name == "RECLAIM_COMPLETE";
    const bool second = name == "READ_PLUS" || name == "COPY" || name == "CLONE" || name == "SEEK" ||
                        name.find("ALLOCATE") != std::string::npos || name.find("XATTR") != std::string::npos;
    check("nfs4", name, "minor=2");
    if (!second) {
      check("nfs4", name, "");
      if (!sessions) {
        check("nfs4", name, "minor=0");
      }
    }
  }
}

TEST_CASE("each callback of a scenario is a whole message") {
  for (const std::string& name : words(scenario::callback_names.list())) {
    CAPTURE(name);
    for (const std::string more : {"", " minor=2"}) {
      CHECK(called_back(name + more).empty());
    }
  }
}

TEST_CASE("minor version zero has no SEQUENCE, and no CB_SEQUENCE") {
  using namespace scenario;
  CHECK(nfs4_compound(nfs4::kRead, 0).operations == std::vector<uint32_t>{nfs4::kPutfh, nfs4::kRead});
  CHECK(nfs4_compound(nfs4::kRead).operations ==
        std::vector<uint32_t>{nfs4::kSequence, nfs4::kPutfh, nfs4::kRead});
  CHECK(callback_compound(nfs4::kCbRecall, 0).operations == std::vector<uint32_t>{nfs4::kCbRecall});
  CHECK(callback_compound(nfs4::kCbRecall, 2).operations ==
        std::vector<uint32_t>{nfs4::kCbSequence, nfs4::kCbRecall});
}
