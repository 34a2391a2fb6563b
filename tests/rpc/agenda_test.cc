// Who is asked to report, when, and in which order.
#include "rpc/agenda.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace steertag::rpc;

namespace {

std::string said;

struct Sleeper final : Agenda::Client {
  explicit Sleeper(char called, uint64_t first_frame = 0) : name(called), began(first_frame) {}
  void flush(int64_t now_ns) override {
    said += name;
    due_ns = due_ns <= now_ns ? next_ns : due_ns;
  }
  int64_t due() const override { return due_ns; }
  uint64_t order() const override { return began; }
  void expect_flush(Nearing step) const override { said += step == Nearing::itself ? '-' : name; }

  char name;
  uint64_t began;
  int64_t due_ns = INT64_MAX;
  int64_t next_ns = INT64_MAX;  // when it is due again
};

struct AgendaFixture {
  steertag::Moment now{.frame = 1};
  Agenda agenda{now};
  Sleeper a{'a', 3}, b{'b', 2}, c{'c', 1};

  void add(Sleeper& who, int64_t due_ns, uint32_t file = 0) {
    who.due_ns = std::min(who.due_ns, due_ns);
    agenda.add(who, file, due_ns);
  }
  std::string advance(int64_t now_ns, uint32_t file = 0) {
    agenda.advance(file, now_ns);
    ++now.frame;
    return std::exchange(said, "");
  }
};

}  // namespace

TEST_CASE_METHOD(AgendaFixture, "each is called when it is due, and not before") {
  add(a, 100);
  add(b, 50);
  CHECK(advance(49).empty());
  CHECK(advance(50) == "b");
  CHECK(advance(99).empty());
  CHECK(advance(1000) == "a");
  CHECK(advance(5000).empty());
}

TEST_CASE_METHOD(AgendaFixture, "of several who are due the one that waits longest comes first") {
  add(a, 100);
  advance(1);
  add(b, 50);
  advance(2);
  add(c, 70);
  add(a, 60);  // earlier, but it has its turn
  CHECK(advance(200) == "abc");
}

TEST_CASE_METHOD(AgendaFixture, "of those who wait since one frame the one that began first comes first") {
  add(a, 100);
  add(c, 70);
  add(b, 50);
  CHECK(advance(200) == "cba");
}

TEST_CASE_METHOD(AgendaFixture, "who is due again keeps its turn") {
  a.next_ns = 300;
  add(a, 100);
  CHECK(advance(150) == "a");
  add(b, 200);
  a.next_ns = INT64_MAX;
  CHECK(advance(400) == "ab");
}

TEST_CASE_METHOD(AgendaFixture, "the frames of another file hasten nothing") {
  add(a, 100, 1);
  CHECK(advance(1000, 2).empty());
  CHECK(advance(100, 1) == "a");
}

TEST_CASE_METHOD(AgendaFixture, "who is gone is not called") {
  {
    Sleeper gone('x');
    add(gone, 10);
    add(a, 10);
  }
  CHECK(advance(20) == "a");
}

TEST_CASE_METHOD(AgendaFixture, "those who are due soon are told to expect it, and nothing comes of that") {
  add(a, 100);
  add(b, 200);
  advance(1);
  agenda.expect(99);
  CHECK(advance(2).empty());
  agenda.expect(150);
  CHECK(advance(3) == "-a");
  CHECK(advance(250) == "ba");  // b began first
}

TEST_CASE("many come, change and go, and each is called in time") {
  steertag::Moment moment;
  Agenda agenda{moment};
  std::mt19937 random(3);
  std::vector<std::unique_ptr<Sleeper>> sleepers;
  for (int64_t now = 0; now < 2000; ++now) {
    if (sleepers.size() < 50 || random() % 3 == 0) {
      sleepers.push_back(std::make_unique<Sleeper>('.'));
    }
    Sleeper& one = *sleepers[random() % sleepers.size()];
    const int64_t due = now + 1 + random() % 100;
    one.due_ns = std::min(one.due_ns, due);
    agenda.add(one, 0, due);
    if (random() % 4 == 0) {
      std::swap(sleepers[random() % sleepers.size()], sleepers.back());
      sleepers.pop_back();
    }
    agenda.advance(0, now);
    for (const auto& sleeper : sleepers) {
      REQUIRE(sleeper->due_ns > now);
    }
  }
  said.clear();
}
