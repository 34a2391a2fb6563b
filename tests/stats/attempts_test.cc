// A Call that was sent several times is one RPC, in whatever order its attempts are reported.
#include "stats/attempts.h"

#include <catch2/catch.hpp>
#include <vector>

#include "stats/made.h"

using namespace steertag;
using namespace steertag::stats;

namespace {

struct Counted {
  std::vector<uint64_t> frames;  // of the Calls
  Attempts attempts{[this](const Rpc& rpc) { frames.push_back(rpc.began.number); }};
};

}  // namespace

TEST_CASE("Attempts: the last stands for all, whichever is reported first") {
  const track::Connection connection = made_connection(1), later = made_connection(2);
  const Rpc first = MadeRpc(connection, 11).no_reply(kSecond);
  const Rpc second = MadeRpc(connection, 13, kSecond).no_reply(kSecond).again(2, 11, kSecond);
  const Rpc third = MadeRpc(later, 15, 2 * kSecond).took(kMs).again(3, 13, 2 * kSecond);
  for (const std::vector<Rpc>& order : {std::vector{first, second, third},
                                        {first, third, second},
                                        {second, first, third},
                                        {second, third, first},
                                        {third, first, second},
                                        {third, second, first}}) {
    Counted counted;
    for (const Rpc& rpc : order) {
      counted.attempts.add(rpc);
    }
    counted.attempts.finish();
    CHECK(counted.frames == std::vector<uint64_t>{15});
  }
  CHECK(third.took_ns() == 2 * kSecond + kMs);
  CHECK(third.first_ns == 0);
  CHECK(second.waited_in_vain_ns() == 2 * kSecond);
}

TEST_CASE("Attempts: what is not sent again counts, at the latest in the end") {
  const track::Connection connection = made_connection();
  Counted counted;
  counted.attempts.add(MadeRpc(connection, 11).no_reply(kSecond));
  counted.attempts.add(MadeRpc(connection, 13));  // its Reply may not have arrived
  counted.attempts.add(MadeRpc(connection, 15).took(kMs));
  MadeRpc no_call(connection, 17);
  no_call.exchange.call.reset();
  counted.attempts.add(no_call);
  CHECK(counted.frames == std::vector<uint64_t>{15, 18});
  MadeRpc other(connection, 19);  // of another XID
  other.exchange.xid = 7;
  counted.attempts.add(other.took(kMs).again(2, 11, kSecond));
  counted.attempts.finish();
  CHECK(counted.frames == std::vector<uint64_t>{15, 18, 19, 11, 13});
}

TEST_CASE("bounds: attempts that are held back") {
  const track::Connection connection = made_connection();
  for (const size_t count : {Attempts::kMost - 1, Attempts::kMost, Attempts::kMost + 1}) {
    Counted counted;
    for (uint64_t frame = 1; frame <= count; ++frame) {
      counted.attempts.add(MadeRpc(connection, frame).no_reply(kSecond));
    }
    CHECK(counted.frames == (count > Attempts::kMost ? std::vector<uint64_t>{1} : std::vector<uint64_t>{}));
    counted.attempts.finish();
    CHECK(counted.frames.size() == count);
  }
}
