// What an RPC was about, read from traffic: inline, through chunks, under RPCSEC_GSS.
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "support/compiled.h"

namespace steertag::timing {

namespace {

class SubjectEar final : public Observer {
 public:
  std::map<uint32_t, Subject> subjects;  // by XID

  void on(const Event& event) override {
    if (const auto* done = std::get_if<ExchangeTimed>(&event)) {
      subjects[done->exchange.xid] = done->exchange.subject;
    }
  }
};

std::map<uint32_t, Subject> hear(const std::string& text, scenario::Fabric fabric, bool for_reports = true) {
  SubjectEar ear;
  Options options;
  options.for_reports = for_reports;
  support::feed_all(ear, support::compiled("client> connect\n" + text, fabric), options);
  return ear.subjects;
}

std::string listed(const Subject& subject) {
  std::string names;
  for (const std::string& name : subject.ops) {
    names += (names.empty() ? "" : " ") + name;
  }
  return names;
}

}  // namespace

TEST_CASE("the subject is read from inline messages, Position-Zero Read chunks and Reply chunks") {
  for (const scenario::Fabric fabric : {scenario::Fabric::roce2, scenario::Fabric::iwarp}) {
    const auto rpcs = hear(
        "client> call xid=1 nfs4 ops(SEQUENCE PUTFH GETATTR)\nserver> reply\n"
        "client> call xid=2 nfs4 ops(SEQUENCE PUTFH LOOKUP GETFH) read(pos=0) reply(4096)\nserver> serve\n"
        "client> call xid=3 nfs3 LOOKUP read(pos=0) reply(@all 4096)\nserver> serve status=2\n"
        "client> call xid=4 nfs4 ops(SEQUENCE PUTFH READ GETATTR) write(8192) data=5001\nserver> serve\n"
        "client> call xid=5 nfs4 ops(SEQUENCE PUTFH WRITE GETATTR) read(8192) data=8190\nserver> serve\n"
        "server> call xid=6 cb CB_RECALL\nclient> reply\n",
        fabric);
    REQUIRE(rpcs.size() == 6);
    CHECK(rpcs.at(1).op == "GETATTR");
    CHECK(rpcs.at(1).nfs_status == 0U);
    CHECK(rpcs.at(2).op == "LOOKUP");
    CHECK(listed(rpcs.at(2)) == "SEQUENCE PUTFH LOOKUP GETFH");
    CHECK(rpcs.at(2).nfs_status == 0U);
    CHECK(rpcs.at(3).op == "LOOKUP");
    CHECK(rpcs.at(3).nfs_status_name == "NFS3ERR_NOENT");
    CHECK(rpcs.at(3).results_length.value_or(0) >= 28);
    CHECK(rpcs.at(4).op == "READ");
    CHECK(listed(rpcs.at(4)) == "SEQUENCE PUTFH READ GETATTR");
    CHECK(rpcs.at(4).results_length.value_or(0) > 5001);
    CHECK(rpcs.at(5).op == "WRITE");
    CHECK(listed(rpcs.at(5)) == "SEQUENCE PUTFH WRITE GETATTR");  // behind what is not kept of the chunk
    CHECK(rpcs.at(5).ops_whole);
    CHECK(rpcs.at(5).arguments_length.value_or(0) % 4 == 0);
    CHECK(rpcs.at(5).arguments_length.value_or(0) > 8192);
    CHECK(rpcs.at(6).op == "CB_RECALL");
    CHECK(listed(rpcs.at(6)) == "CB_SEQUENCE CB_RECALL");
    CHECK(rpcs.at(6).nfs_status == 0U);
  }
}

TEST_CASE("a body with integrity is read, one with privacy is not") {
  const auto rpcs = hear(
      "client> call xid=1 nfs4 ops(SEQUENCE PUTFH LOOKUP) auth=krb5\nserver> reply status=2\n"
      "client> call xid=2 nfs4 ops(SEQUENCE PUTFH LOOKUP) auth=krb5i\nserver> reply status=2\n"
      "client> call xid=3 nfs4 ops(SEQUENCE PUTFH LOOKUP) auth=krb5p\nserver> reply status=2\n"
      "client> call xid=4 nfs3 LOOKUP auth=krb5i\nserver> reply status=13\n"
      "client> call xid=5 nfs3 LOOKUP auth=krb5p\nserver> reply status=13\n",
      scenario::Fabric::roce2);
  REQUIRE(rpcs.size() == 5);
  for (const uint32_t xid : {1U, 2U}) {
    CHECK(rpcs.at(xid).op == "LOOKUP");
    CHECK(listed(rpcs.at(xid)) == "SEQUENCE PUTFH LOOKUP");
    CHECK(rpcs.at(xid).nfs_status_name == "NFS4ERR_NOENT");
  }
  CHECK(rpcs.at(3).op.empty());
  CHECK(rpcs.at(3).ops.empty());
  CHECK_FALSE(rpcs.at(3).nfs_status);
  CHECK(rpcs.at(4).nfs_status_name == "NFS3ERR_ACCES");
  CHECK(rpcs.at(5).op == "LOOKUP");
  CHECK_FALSE(rpcs.at(5).nfs_status);
}

TEST_CASE("an RDMA_ERROR and a refusal are no status of NFS") {
  const auto rpcs = hear(
      "client> call xid=1 nfs3 LOOKUP\nserver> error chunk\n"
      "client> call xid=2 nfs3 LOOKUP\nserver> reply accept_stat=4\n"
      "client> call xid=3 nfs3 LOOKUP\n",
      scenario::Fabric::roce2);
  REQUIRE(rpcs.size() == 3);
  for (const auto& [xid, subject] : rpcs) {
    CHECK(subject.op == "LOOKUP");
    CHECK_FALSE(subject.nfs_status);
    CHECK(subject.arguments_length);
    CHECK(subject.results_length.has_value() == (xid == 2));
  }
}

TEST_CASE("the operations of an RDMA_MSGP are found behind its pad") {
  const auto rpcs = hear(
      "client> call xid=1 nfs4 ops(SEQUENCE PUTFH WRITE GETATTR) data=300 msgp(align=256 thresh=256)\n"
      "server> reply\n",
      scenario::Fabric::roce2);
  REQUIRE(rpcs.size() == 1);
  CHECK(rpcs.at(1).op == "WRITE");
  CHECK(listed(rpcs.at(1)) == "SEQUENCE PUTFH WRITE GETATTR");
  CHECK(rpcs.at(1).ops_whole);
}

TEST_CASE("nobody is told of subjects who did not ask for them") {
  CHECK(hear("client> call xid=1 nfs3 LOOKUP\nserver> reply\n", scenario::Fabric::roce2, false).empty());
}

}  // namespace steertag::timing
