// What becomes of findings once they are weighed.
#include "rules/docket.h"

#include <catch2/catch.hpp>

#include "rules/made.h"
#include "rules/precedence.h"

using namespace steertag;
using namespace steertag::rules;
using rdma::Side;

namespace {

struct Docketing {
  Heard heard;
  Docket docket{heard, {}};
  track::Connection one, other;

  void add(std::string_view id, uint64_t frame, bool hold = false,
           Certainty certainty = Certainty::definite) {
    Finding finding = made(one, rule(id), frame);
    finding.certainty = certainty;
    docket.add(std::move(finding), hold);
  }
  void both_speak() {
    docket.on_heard(one, Side::a);
    docket.on_heard(one, Side::b);
  }
};

// Of no rule there is: reported once a connection.
const Rule kHabit = [] {
  Rule habit;
  habit.id = "ZZZ-01";
  habit.habit = true;
  return habit;
}();

}  // namespace

TEST_CASE("a version that does not exist explains everything but itself and its answer") {
  for (const Rule* effect : catalog()) {
    INFO(effect->id);
    CHECK(explains(rule("VER-01"), *effect) == (effect->id != "VER-01" && effect->id != "VER-04"));
  }
}

TEST_CASE_METHOD(Docketing,
                 "what need not wait is reported when its fact is judged, in the order of the rules") {
  add("CHK-02", 1);
  add("MEM-05", 1);
  CHECK(heard.take().empty());
  docket.settle();
  CHECK(heard.take() == Words{"CHK-02 definite 1", "MEM-05 definite 1"});
}

TEST_CASE_METHOD(Docketing, "what another finding about the same fact explains is dropped, all of it") {
  add("MEM-05", 1);
  add("MEM-05", 1);
  add("MEM-03", 1);
  docket.settle();
  CHECK(heard.take() == Words{"MEM-03 definite 1"});
  add("MEM-05", 2);
  docket.settle();
  CHECK(heard.take() == Words{"MEM-05 definite 2"});
}

TEST_CASE("no rule explains itself") {
  for (const Rule* one : catalog()) {
    CHECK_FALSE(explains(*one, *one));
  }
}

TEST_CASE_METHOD(Docketing, "what is not wanted still explains") {
  Docket some(heard, [](const Rule& asked) { return asked.id != "MEM-03"; });
  some.add(made(one, rule("MEM-03"), 1), false);
  some.add(made(one, rule("MEM-05"), 1), false);
  some.add(made(one, rule("CHK-02"), 1), false);
  some.settle();
  CHECK(heard.take() == Words{"CHK-02 definite 1"});
}

TEST_CASE_METHOD(Docketing,
                 "what has to wait is reported when both sides have sent, what is only possible at once") {
  add("CHK-02", 1, true);
  add("MEM-01", 1, true, Certainty::possible);
  docket.settle();
  CHECK(heard.take() == Words{"MEM-01 possible 1"});
  both_speak();
  CHECK(heard.take() == Words{"CHK-02 definite 1"});
}

TEST_CASE_METHOD(Docketing, "a finding that stands for many says how many") {
  Finding finding = made(one, rule("CHK-02"), 1);
  finding.count = 4;
  docket.add(std::move(finding), false);
  docket.settle();
  CHECK(heard.texts == Words{"text; and 3 more like it"});
}

TEST_CASE_METHOD(Docketing,
                 "a habit is reported when its connection is over, once for each end and certainty") {
  for (uint64_t frame = 1; frame <= 3; ++frame) {
    docket.add(made(one, kHabit, frame), false);
    docket.settle();
  }
  Finding many = made(one, kHabit, 4);
  many.count = 5;
  docket.add(std::move(many), false);
  docket.settle();
  Finding of_b = made(one, kHabit, 5);
  of_b.by = Side::b;
  docket.add(std::move(of_b), false);
  docket.settle();
  docket.add(made(other, kHabit, 6), false);
  docket.settle();
  CHECK(heard.take().empty());
  docket.close(one);
  CHECK(heard.take() == Words{"ZZZ-01 definite 1", "ZZZ-01 definite 5", "over"});
  CHECK(heard.texts == Words{"text; and 7 more like it", "text"});
}

TEST_CASE_METHOD(Docketing, "at the end of a connection what waits is likely") {
  add("CHK-02", 1, true);
  docket.settle();
  docket.on_end(one);
  docket.close(one);
  CHECK(heard.take() == Words{"CHK-02 likely 1", "over"});
}

TEST_CASE_METHOD(Docketing, "at the end of the capture what waits is likely, whatever its connection") {
  add("CHK-02", 1, true);
  docket.settle();
  docket.add(made(other, kHabit, 2), true);
  docket.settle();
  docket.finish();
  CHECK(heard.take() == Words{"CHK-02 likely 1", "ZZZ-01 likely 2"});
}

TEST_CASE_METHOD(Docketing,
                 "others refer to what is held back before what was reported, and never to notes") {
  const auto any = [](const Finding&) { return true; };
  CHECK(docket.newest(one, any) == nullptr);
  add("CHK-02", 1, true);
  docket.settle();
  add("MEM-01", 2);
  docket.settle();
  CHECK(docket.newest(one, any)->at.number == 1);
  CHECK(docket.newest(one, [](const Finding& f) { return f.rule->id == "MEM-01"; })->at.number == 2);
  CHECK(docket.newest(other, any) == nullptr);
  both_speak();
  CHECK(docket.newest(one, any)->at.number == 1);  // reported last
  Finding note = made(one, rule("MEM-01"), 3);
  note.severity = Severity::note;
  docket.add(std::move(note), false);
  docket.settle();
  CHECK(docket.newest(one, any)->at.number == 1);
  note = made(one, rule("MEM-01"), 4);
  note.severity = Severity::note;
  docket.add(std::move(note), true);
  docket.settle();
  CHECK(docket.newest(one, any)->at.number == 1);
  docket.close(one);
  CHECK(docket.newest(one, any) == nullptr);
}

TEST_CASE_METHOD(Docketing, "only the last few that were reported are remembered") {
  for (uint64_t frame = 1; frame <= Docket::kMaxRecent + 1; ++frame) {
    add("CHK-02", frame);
    docket.settle();
  }
  const auto first = [](const Finding& finding) { return finding.at.number == 1; };
  const auto second = [](const Finding& finding) { return finding.at.number == 2; };
  CHECK(docket.newest(one, first) == nullptr);
  CHECK(docket.newest(one, second) != nullptr);
}
