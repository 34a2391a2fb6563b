#include "rpcrdma/programs.h"

#include <catch2/catch.hpp>

using namespace steertag::rpcrdma;

TEST_CASE("procedures are named as people name them") {
  CHECK(name(100003, 2, 17) == "NFSv2 STATFS");
  CHECK(name(100003, 3, 0) == "NFSv3 NULL");
  CHECK(name(100003, 3, 6) == "NFSv3 READ");
  CHECK(name(100003, 3, 21) == "NFSv3 COMMIT");
  CHECK(name(100003, 4, 1) == "NFSv4 COMPOUND");
  CHECK(name(100227, 3, 1) == "NFSACLv3 GETACL");
  CHECK(name(100005, 3, 1) == "MOUNTv3 MNT");
  CHECK(name(100021, 4, 2) == "NLMv4 LOCK");
  CHECK(name(100021, 4, 20) == "NLMv4 SHARE");
  CHECK(name(100024, 1, 6) == "NSMv1 NOTIFY");
  CHECK(name(100000, 2, 3) == "RPCBINDv2 GETPORT");
  CHECK(name(100417, 1, 1) == "RDMACONFIGv1 CONF_RDMA");
}

TEST_CASE("a program of the transient range, version one, is the NFSv4 callback") {
  CHECK(name(0x40000000, 1, 0) == "NFSv4 CB_NULL");
  CHECK(name(0x40000000, 1, 1) == "NFSv4 CB_COMPOUND");
  CHECK(name(0x5fffffff, 1, 1) == "NFSv4 CB_COMPOUND");
  CHECK(name(0x40000000, 2, 1) == "program 1073741824 version 2 procedure 1");
}

TEST_CASE("what has no name is spelled in numbers") {
  CHECK(name(400122, 1, 3) == "program 400122 version 1 procedure 3");
  CHECK(name(100003, 3, 22) == "NFSv3 procedure 22");
  CHECK(name(100003, 9, 0) == "NFSv9 procedure 0");
  CHECK(name(100227, 3, 3) == "NFSACLv3 procedure 3");
  CHECK(name(100021, 4, 17) == "NLMv4 procedure 17");
}
