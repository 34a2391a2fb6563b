// What --shard takes, and which frames are followed together.
#include "host/shard.h"

#include <memory>

#include "host/ahead.h"
#include "host/made.h"
#include "host/nearest.h"

using namespace steertag;
using namespace steertag::host;

TEST_CASE("a shard is one of so many, from 1") {
  const std::optional<Shard> second = Shard::read("2/3");
  REQUIRE(second);
  CHECK(second->place == 2);
  CHECK(second->of == 3);
  CHECK(Shard::read("65536/65536"));
  for (const char* wrong :
       {"", "1", "/", "0/3", "4/3", "1/65537", "1/3 ", " 1/3", "-1/3", "1/3/5", "a/b", "1/"}) {
    INFO(wrong);
    CHECK_FALSE(Shard::read(wrong));
  }
}

TEST_CASE("frames are followed together until there are enough, or they lie in too many blocks") {
  const Block block(new uint8_t[60]{}), other(new uint8_t[60]{});
  const Frame frame{
      .at = {.number = 1}, .link_type = 1, .bytes = Bytes(block.get(), 60), .original_length = 60};
  Ahead ahead;
  for (size_t i = 1; i < Analyzer::kTogether; ++i) {
    CHECK_FALSE(ahead.add(frame, block));
  }
  CHECK(ahead.add(frame, block));
  CHECK(ahead.frames().size() == Analyzer::kTogether);
  CHECK(block.use_count() == 2);  // it keeps the memory ...
  ahead.clear();
  CHECK(block.use_count() == 1);  // ... until they were followed
  CHECK_FALSE(ahead.add(frame, block));
  CHECK_FALSE(ahead.add(frame, other));
  CHECK_FALSE(ahead.add(frame, block));
  CHECK(ahead.add(frame, other));
}

TEST_CASE("a word that is close to a name means it") {
  CHECK(did_you_mean("RAED", {"READ", "WRITE"}).find("READ") != std::string::npos);
  CHECK(did_you_mean("xyzzyx", {"READ", "WRITE"}).empty());
}
