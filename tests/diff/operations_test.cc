#include <catch2/catch.hpp>

#include "diff/made.h"

using namespace steertag;
using namespace steertag::diff;
using flow::ChunkKind;

TEST_CASE("operations: a few RPCs, or a few per cent of them, more or less are no difference") {
  const auto reads = [](size_t count) { return MadeCapture().add(count, kMs); };
  CHECK(both(reads(16), reads(19)).there.empty());
  CHECK(both(reads(100), reads(110)).there.empty());
  CHECK(both(reads(16), reads(20)).there == "operation READ NFSv3 READ: 16 -> 20\n");
  CHECK(both(reads(16), reads(20)).back == "operation READ NFSv3 READ: 20 -> 16\n");
  CHECK(both(reads(100), reads(112)).back == "operation READ NFSv3 READ: 112 -> 100\n");
  CHECK(compared(reads(16), reads(17), {.count = 0, .few = 0}) == "operation READ NFSv3 READ: 16 -> 17\n");
}

TEST_CASE("operations: one that only one side has is a difference, on whichever side it is") {
  MadeCapture reads, more;
  reads.add(10, kMs);
  more.add(10, kMs).add(6, kMs, "COMMIT").add(3, kMs, "ACCESS");
  CHECK(both(reads, more).there == "operation COMMIT NFSv3 COMMIT: 0 -> 6\n");
  CHECK(both(reads, more).back == "operation COMMIT NFSv3 COMMIT: 6 -> 0\n");
}

TEST_CASE("failures: a new one is a regression, however few, but an answer like any other is counted") {
  MadeCapture good, bad;
  good.add(40, kMs);
  bad.add(39, kMs).add(bad.next().failed("NFS3ERR_STALE").took(kMs));
  CHECK(both(good, bad).there == "failure READ NFS3ERR_STALE: 0 of 40 -> 1 of 40!\n");
  CHECK(both(good, bad).back == "failure READ NFS3ERR_STALE: 1 of 40 -> 0 of 40\n");
  CHECK(compared(good, bad, {.failed = 0.05}) == "failure READ NFS3ERR_STALE: 0 of 40 -> 1 of 40\n");
  const Comparison comparison = compare(good.view(), bad.view(), {});
  CHECK(comparison.differences[0].seen_after->number == 81);
  CHECK(!comparison.differences[0].seen_before);

  MadeCapture absent, more_absent;
  absent.add(40, kMs);
  more_absent.add(36, kMs);
  for (int i = 0; i < 4; ++i) {
    more_absent.add(more_absent.next().failed("NFS3ERR_NOENT").took(kMs));
  }
  CHECK(compared(absent, more_absent) == "failure READ NFS3ERR_NOENT: 0 of 40 -> 4 of 40\n");
}

TEST_CASE("failures: as large a part of more RPCs is no difference, a larger one is a regression") {
  const auto failing = [](int good, int bad) {
    MadeCapture made;
    made.add(static_cast<size_t>(good), kMs);
    for (int i = 0; i < bad; ++i) {
      made.add(made.next().failed("NFS3ERR_IO").took(kMs));
    }
    return made;
  };
  const std::string scaled = compared(failing(36, 4), failing(360, 40));
  CHECK(scaled == "operation READ NFSv3 READ: 40 -> 400\n");
  CHECK(compared(failing(36, 4), failing(28, 12)) == "failure READ NFS3ERR_IO: 4 of 40 -> 12 of 40!\n");
  CHECK(compared(failing(28, 12), failing(36, 4)) == "failure READ NFS3ERR_IO: 12 of 40 -> 4 of 40\n");
  CHECK(compared(failing(36, 4), failing(28, 12), {.failed = 0.25}) ==
        "failure READ NFS3ERR_IO: 4 of 40 -> 12 of 40\n");
}

TEST_CASE("failures: an operation that is new and fails is a regression") {
  MadeCapture none, failing;
  none.add(5, kMs, "READ");
  failing.add(5, kMs, "READ").add(failing.next("COMMIT").failed("NFS3ERR_IO"));
  CHECK(compared(none, failing) == "failure COMMIT NFS3ERR_IO: 0 -> 1 of 1!\n");
}

TEST_CASE("failures: a Call without a Reply counts once it has waited for a second") {
  MadeCapture good, ends, hangs;
  good.add(10, kMs);
  ends.add(9, kMs).add(ends.next().no_reply(10 * kMs));
  hangs.add(9, kMs).add(hangs.next().no_reply(2000 * kMs));
  CHECK(compared(good, ends).empty());
  CHECK(compared(good, hangs) == "failure READ no Reply: 0 of 10 -> 1 of 10!\n");
}

TEST_CASE("operations: Calls sent again, and sizes of messages") {
  MadeCapture calm, again, larger;
  calm.add(40, kMs);
  again.add(30, kMs);
  for (int i = 0; i < 10; ++i) {
    again.add(again.next().took(kMs).again(2, 1, kMs));
  }
  CHECK(compared(calm, again) == "retries READ Calls sent again: 0 of 40 -> 10 of 40\n");
  for (int i = 0; i < 40; ++i) {
    MadeRpc rpc = larger.next().took(kMs);
    rpc.exchange.subject.results_length = 8000;
    rpc.exchange.subject.arguments_length = 500;  // 400 bytes more: no more than another name
    larger.add(rpc);
  }
  CHECK(compared(calm, larger) == "size READ results: 4000 of 40 -> 8000 of 40\n");
}

TEST_CASE("usage: from inline to chunks, and from one kind of chunk to another") {
  MadeCapture plain, reduced, whole;
  plain.add(40, kMs);
  reduced.add(40, made_segment(ChunkKind::write, 4096));
  whole.add(40, made_segment(ChunkKind::reply, 4096));
  CHECK(compared(plain, reduced) ==
        "replies READ reduced: 0 of 40 -> 40 of 40\n"
        "chunks READ Write chunks RPCs: 0 of 40 -> 40 of 40\n");
  CHECK(compared(reduced, whole) ==
        "replies READ reduced: 40 of 40 -> 0 of 40\n"
        "replies READ long: 0 of 40 -> 40 of 40\n"
        "chunks READ Write chunks RPCs: 40 of 40 -> 0 of 40\n"
        "chunks READ Reply chunk RPCs: 0 of 40 -> 40 of 40\n");

  MadeCapture inline_write, reduced_write, long_write;
  inline_write.add(2, kMs, "WRITE");
  reduced_write.add(2, made_segment(ChunkKind::read, 4096, 120), "WRITE");
  long_write.add(2, made_segment(ChunkKind::read, 4096, 0), "WRITE");
  CHECK(compared(inline_write, reduced_write) == "calls WRITE reduced: 0 of 2 -> 2 of 2\n");  // however few
  CHECK(compared(inline_write, long_write) == "calls WRITE long: 0 of 2 -> 2 of 2\n");
}

TEST_CASE("usage: a chunk that is advertised and not used leaves the Reply inline") {
  MadeCapture used, unused;
  flow::SegmentFlow segment = made_segment(ChunkKind::reply, 4096);
  used.add(10, segment);
  segment.returned = 0;
  unused.add(10, segment);
  CHECK(compared(used, unused) == "replies READ long: 10 of 10 -> 0 of 10\n");
}

TEST_CASE("usage: segments, and bytes that were advertised, on the average of RPCs that have such chunks") {
  MadeCapture one, two, larger;
  one.add(20, made_segment(ChunkKind::write, 8192));
  for (int i = 0; i < 20; ++i) {
    MadeRpc rpc = two.next();
    rpc.exchange.segments.push_back(made_segment(ChunkKind::write, 4096));
    rpc.exchange.segments.push_back(made_segment(ChunkKind::write, 4096));
    two.add(rpc);
  }
  larger.add(20, made_segment(ChunkKind::write, 16384));
  CHECK(compared(one, two) == "chunks READ Write chunks segments: 20 of 20 -> 40 of 20\n");
  CHECK(compared(one, larger) == "chunks READ Write chunks advertised: 8192 of 20 -> 16384 of 20\n");
}

TEST_CASE("usage: what was not captured does not count") {
  MadeCapture whole, cut;
  whole.add(10, made_segment(ChunkKind::write, 4096));
  for (int i = 0; i < 10; ++i) {
    MadeRpc rpc = cut.next();
    rpc.exchange.call_legible = rpc.exchange.reply_legible = false;
    cut.add(rpc);
  }
  CHECK(compared(whole, cut).empty());
}
