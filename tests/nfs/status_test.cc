// The names of nfsstat, and which procedures return one.
#include "nfs/status.h"

#include <catch2/catch.hpp>

namespace steertag::nfs {
namespace {

constexpr uint32_t kNfs = 100003, kAcl = 100227, kMount = 100005, kCallback = 0x40000000;

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
  CHECK(status_name(kMount, 3, 2).empty());
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
    CHECK_FALSE(returns_status(kNfs, version, 0));
    CHECK(returns_status(kNfs, version, 1));
  }
  CHECK_FALSE(returns_status(kNfs, 2, 3));
  CHECK_FALSE(returns_status(kNfs, 2, 7));
  CHECK(returns_status(kNfs, 2, 17));
  CHECK_FALSE(returns_status(kNfs, 2, 18));
  CHECK(returns_status(kNfs, 3, 3));
  CHECK(returns_status(kNfs, 3, 7));
  CHECK(returns_status(kNfs, 3, 21));
  CHECK_FALSE(returns_status(kNfs, 3, 22));
  CHECK_FALSE(returns_status(kNfs, 4, 2));
  CHECK(returns_status(kAcl, 2, 4));
  CHECK(returns_status(kAcl, 3, 2));
  CHECK_FALSE(returns_status(kAcl, 3, 0));
  CHECK_FALSE(returns_status(kAcl, 3, 3));
  CHECK(returns_status(kCallback, 1, 1));
  CHECK_FALSE(returns_status(kCallback, 1, 0));
  CHECK_FALSE(returns_status(kMount, 3, 1));
}

TEST_CASE("trouble is what is broken, not how it is with a file") {
  for (const uint32_t status : {5U, 6U, 19U, 70U, 10001U, 10006U, 10036U}) {
    CHECK(tells_of_trouble(status));
  }
  for (const uint32_t status : {0U, 1U, 2U, 13U, 17U, 28U, 10008U, 10013U}) {
    CHECK_FALSE(tells_of_trouble(status));
  }
}

}  // namespace steertag::nfs
