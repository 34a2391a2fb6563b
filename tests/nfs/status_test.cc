// The names of nfsstat, and which procedures return one.
#include "nfs/status.h"

#include <catch2/catch.hpp>

namespace steertag::nfs {
namespace {

constexpr uint32_t kNfs = 100003, kAcl = 100227, kMount = 100005, kNlm = 100021, kNsm = 100024,
                   kCallback = 0x40000000;

}  // namespace

TEST_CASE("a status has the name that its version gives it") {
  CHECK(status_name(kNfs, 2, 2) == "NFSERR_NOENT");
  CHECK(status_name(kNfs, 2, 99) == "NFSERR_WFLUSH");
  CHECK(status_name(kNfs, 3, 2) == "NFS3ERR_NOENT");
  CHECK(status_name(kNfs, 3, 13) == "NFS3ERR_ACCES");
  CHECK(status_name(kNfs, 3, 10008) == "NFS3ERR_JUKEBOX");
  CHECK(status_name(kNfs, 4, 1) == "NFS4ERR_PERM");
  CHECK(status_name(kNfs, 4, 13) == "NFS4ERR_ACCESS");
  CHECK(status_name(kNfs, 4, 10008) == "NFS4ERR_DELAY");
  CHECK(status_name(kNfs, 4, 10052) == "NFS4ERR_BADSESSION");       // 4.1
  CHECK(status_name(kNfs, 4, 10094) == "NFS4ERR_OFFLOAD_NO_REQS");  // 4.2
  CHECK(status_name(kNfs, 4, 10096) == "NFS4ERR_XATTR2BIG");        // extended attributes
  CHECK(status_name(kCallback, 1, 10049) == "NFS4ERR_BADIOMODE");
  CHECK(status_name(kAcl, 2, 13) == "NFSERR_ACCES");
  CHECK(status_name(kAcl, 3, 13) == "NFS3ERR_ACCES");
}

TEST_CASE("a status that a version does not define has no name there, nor has OK") {
  CHECK(status_name(kNfs, 2, 10001).empty());
  CHECK(status_name(kNfs, 3, 99).empty());
  CHECK(status_name(kNfs, 3, 10009).empty());
  CHECK(status_name(kNfs, 4, 19).empty());  // NODEV is NFSv3's
  CHECK(status_name(kNfs, 4, 10073).empty());
  CHECK(status_name(kNfs, 4, 10097).empty());
  CHECK(status_name(kNfs, 4, UINT32_MAX).empty());
  for (const uint32_t version : {2U, 3U, 4U}) {
    CHECK(status_name(kNfs, version, 0).empty());
  }
  CHECK(status_name(kNfs, 5, 2).empty());
  CHECK(status_name(kAcl, 4, 2).empty());
}

TEST_CASE("the names of a version are all different, and its own") {
  const auto prefix = [](uint32_t version) {
    return version == 2 ? "NFSERR_" : version == 3 ? "NFS3ERR_" : "NFS4ERR_";
  };
  const size_t counts[] = {17, 28, 112};
  for (const uint32_t version : {2U, 3U, 4U}) {
    size_t named = 0;
    std::string_view before;
    for (uint32_t status = 0; status < 11000; ++status) {
      const std::string_view name = status_name(kNfs, version, status);
      if (!name.empty()) {
        ++named;
        CHECK(name.starts_with(prefix(version)));
        CHECK(name != before);
        before = name;
      }
    }
    CHECK(named == counts[version - 2]);
  }
}

TEST_CASE("procedures that return a status: all of NFS but NULL, and two of NFSv2 without results") {
  for (const uint32_t version : {2U, 3U, 4U}) {
    CHECK(status_place(kNfs, version, 0) == StatusPlace::none);
    CHECK(status_place(kNfs, version, 1) == StatusPlace::first);
  }
  CHECK(status_place(kNfs, 2, 3) == StatusPlace::none);
  CHECK(status_place(kNfs, 2, 7) == StatusPlace::none);
  CHECK(status_place(kNfs, 2, 17) == StatusPlace::first);
  CHECK(status_place(kNfs, 2, 18) == StatusPlace::none);
  CHECK(status_place(kNfs, 3, 3) == StatusPlace::first);
  CHECK(status_place(kNfs, 3, 7) == StatusPlace::first);
  CHECK(status_place(kNfs, 3, 21) == StatusPlace::first);
  CHECK(status_place(kNfs, 3, 22) == StatusPlace::none);
  CHECK(status_place(kNfs, 4, 2) == StatusPlace::none);
  CHECK(status_place(kAcl, 2, 4) == StatusPlace::first);
  CHECK(status_place(kAcl, 3, 2) == StatusPlace::first);
  CHECK(status_place(kAcl, 3, 0) == StatusPlace::none);
  CHECK(status_place(kAcl, 3, 3) == StatusPlace::none);
  CHECK(status_place(kCallback, 1, 1) == StatusPlace::first);
  CHECK(status_place(kCallback, 1, 0) == StatusPlace::none);
}

TEST_CASE("neighbours of NFS have a status of their own, where their results begin with one") {
  for (const uint32_t version : {1U, 2U, 3U}) {
    CHECK(status_place(kMount, version, 0) == StatusPlace::none);
    CHECK(status_place(kMount, version, 1) == StatusPlace::first);
    CHECK(status_place(kMount, version, 2) == StatusPlace::none);
    CHECK(status_place(kMount, version, 5) == StatusPlace::none);
  }
  CHECK(status_place(kMount, 4, 1) == StatusPlace::none);
  for (const uint32_t version : {1U, 3U, 4U}) {
    for (uint32_t procedure = 0; procedure < 30; ++procedure) {
      const bool at_once = (procedure >= 1 && procedure <= 5) || (procedure >= 20 && procedure <= 22);
      CHECK(status_place(kNlm, version, procedure) ==
            (at_once ? StatusPlace::after_cookie : StatusPlace::none));
    }
  }
  CHECK(status_place(kNlm, 5, 1) == StatusPlace::none);
  CHECK(status_place(kNsm, 1, 1) == StatusPlace::first);
  CHECK(status_place(kNsm, 1, 2) == StatusPlace::first);
  CHECK(status_place(kNsm, 1, 3) == StatusPlace::none);
  CHECK(status_place(kNsm, 2, 1) == StatusPlace::none);
}

TEST_CASE("the statuses of neighbours have their own names") {
  CHECK(status_name(kMount, 1, 13) == "EACCES");
  CHECK(status_name(kMount, 2, 2) == "ENOENT");
  CHECK(status_name(kMount, 1, 63).empty());
  CHECK(status_name(kMount, 3, 1) == "MNT3ERR_PERM");
  CHECK(status_name(kMount, 3, 13) == "MNT3ERR_ACCES");
  CHECK(status_name(kMount, 3, 10006) == "MNT3ERR_SERVERFAULT");
  CHECK(status_name(kMount, 3, 70).empty());
  CHECK(status_name(kNlm, 4, 1) == "NLM4_DENIED");
  CHECK(status_name(kNlm, 4, 4) == "NLM4_DENIED_GRACE_PERIOD");
  CHECK(status_name(kNlm, 4, 9) == "NLM4_FAILED");
  CHECK(status_name(kNlm, 4, 10).empty());
  CHECK(status_name(kNlm, 1, 1) == "LCK_DENIED");
  CHECK(status_name(kNlm, 3, 5) == "LCK_DEADLCK");
  CHECK(status_name(kNlm, 3, 6).empty());
  CHECK(status_name(kNsm, 1, 1) == "STAT_FAIL");
  for (const uint32_t program : {kMount, kNlm, kNsm}) {
    for (const uint32_t version : {1U, 2U, 3U, 4U}) {
      CHECK(status_name(program, version, 0).empty());
    }
  }
}

TEST_CASE("trouble is what is broken, not how it is with a file") {
  for (const uint32_t status : {5U, 6U, 19U, 70U, 10001U, 10006U, 10036U}) {
    CHECK(tells_of_trouble(kNfs, status));
  }
  for (const uint32_t status : {0U, 1U, 2U, 13U, 17U, 28U, 10008U, 10013U}) {
    CHECK_FALSE(tells_of_trouble(kNfs, status));
  }
  CHECK(tells_of_trouble(kMount, 10006));
  for (const uint32_t status : {2U, 7U, 9U}) {
    CHECK(tells_of_trouble(kNlm, status));
  }
  for (const uint32_t status : {0U, 1U, 3U, 4U, 5U, 6U, 8U}) {
    CHECK_FALSE(tells_of_trouble(kNlm, status));
    CHECK_FALSE(tells_of_trouble(kNsm, status));
  }
}

}  // namespace steertag::nfs
