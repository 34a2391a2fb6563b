// Selecting RPCs by what they were about.
#include "report/select.h"

#include <catch2/catch.hpp>

namespace steertag::report {

TEST_CASE("an operation is asked for by its name, with or without that of its version") {
  flow::Exchange exchange;
  exchange.procedure = flow::Exchange::Procedure{.program = 100003, .version = 4, .procedure = 1};
  CHECK_FALSE(has_operation(exchange, "READ"));
  CHECK_FALSE(has_operation(exchange, "COMPOUND"));
  exchange.subject.op = "READ";
  exchange.subject.ops.add() = "PUTFH";
  exchange.subject.ops.add() = "READ";
  CHECK(has_operation(exchange, "read"));
  CHECK(has_operation(exchange, "NFSv4 Read"));
  CHECK_FALSE(has_operation(exchange, "NFSv3 READ"));
  CHECK_FALSE(has_operation(exchange, "PUTFH"));
  CHECK(has_procedure(exchange, "COMPOUND"));
  exchange.subject.op = "4711";
  CHECK(has_operation(exchange, "4711"));
}

TEST_CASE("operations that there are: of COMPOUNDs, callbacks, and procedures, and any number") {
  for (const char* name :
       {"READ", "nfsv4 read", "NFSv3 READDIRPLUS", "SEQUENCE", "ILLEGAL", "CB_RECALL", "NFSv4 CB_ILLEGAL",
        "REMOVEXATTR", "MNT", "NULL", "NFSv4 NULL", "CB_NULL", "GETACL", "77"}) {
    INFO(name);
    CHECK(can_be_operation(name));
  }
  for (const char* name : {"RAED", "COMPOUND", "NFSv4 COMPOUND", "CB_COMPOUND", "NFSv3 SEQUENCE", "", "7x"}) {
    INFO(name);
    CHECK_FALSE(can_be_operation(name));
  }
}

}  // namespace steertag::report
