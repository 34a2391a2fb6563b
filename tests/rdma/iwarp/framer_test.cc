// Where FPDUs end, if bytes of them are missing.
#include "rdma/iwarp/framer.h"

#include "rdma/iwarp/wire.h"

using namespace steertag;
using namespace steertag::rdma;
using namespace steertag::rdma::iwarp;
using test::Buffer;
using test::Link;
using test::pattern;

TEST_CASE("a hole that ends with its FPDU leaves the next boundary known") {
  Link link;
  link.open();
  link.a.send(pattern(6000, 1));
  const Buffer first = link.a.take();
  link.segment(Side::a, slice(first, 0, 2000));
  link.lose(Side::a, first.size() - 2000);
  link.a.send(pattern(50, 2));
  link.flush(Side::a);
  link.ack(Side::b);
  link.finish();
  REQUIRE(link.out.ops.size() == 2);
  CHECK(link.out.ops[1].bytes == pattern(50, 2));
  CHECK(link.out.gaps[0] == 1);
  CHECK(link.tcp().counters().resyncs == 0);
}
