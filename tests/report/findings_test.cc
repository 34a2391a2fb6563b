// What is printed with a finding only sometimes: a count, who is to blame, a colour, an arrow.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "made.h"
#include "report/finding.h"
#include "report/select.h"
#include "report/text.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

const rules::Rule& of_habit(bool habit) {
  const auto all = rules::catalog();
  return **std::find_if(all.begin(), all.end(),
                        [&](const rules::Rule* rule) { return rule->habit == habit; });
}

struct MadeFinding {
  track::Connection connection = made_connection();
  rules::Finding finding;

  explicit MadeFinding(bool habit = false) {
    finding.rule = &of_habit(habit);
    finding.connection = &connection;
    finding.at = stamp(9);
  }
  bool shows(std::string_view part) const {
    return printed([&](Buffer& out) { json_finding(out, finding, {}); }).find(part) != std::string::npos;
  }
};

TEST_CASE("finding: a habit has a count, and so has what stands for several") {
  MadeFinding one, several, habit(true);
  several.finding.count = 3;
  CHECK_FALSE(one.shows("\"count\""));
  CHECK(several.shows("\"count\":3"));
  CHECK(habit.shows("\"count\":1"));
}

TEST_CASE("finding: who did it is said where somebody is to blame, and it is known who") {
  MadeFinding made;
  CHECK_FALSE(made.shows("\"by\""));
  made.finding.by = rdma::Side::b;
  CHECK_FALSE(made.shows("\"by\""));
  made.finding.blame = rules::Blame::responder;
  CHECK(made.shows("\"by\":\"10.9.0.1\""));
  made.finding.by.reset();
  CHECK_FALSE(made.shows("\"by\""));
}

TEST_CASE("finding: for a report: when its related frames were captured") {
  MadeFinding made;
  const auto shows = [&](FindingDetail detail) {
    return printed([&](Buffer& out) { json_finding(out, made.finding, {}, nullptr, detail); })
        .find(R"("related":[3,5],"related_times":["0.000000007","1.000000000"])");
  };
  CHECK(shows(FindingDetail::times) == std::string::npos);
  made.finding.related = {stamp(3, 7), stamp(5, 1'000'000'000)};
  CHECK(shows(FindingDetail::plain) == std::string::npos);
  CHECK(shows(FindingDetail::times) != std::string::npos);
  CHECK(shows(FindingDetail::report) != std::string::npos);
  CHECK(made.shows(R"("related":[3,5]})"));
}

TEST_CASE("finding: counts add up, by severity and in all") {
  FindingCounts found{.error = 5, .warning = 3, .note = 1};
  CHECK(found.all() == 9);
  found.add(FindingCounts{.error = 10, .warning = 20, .note = 40});
  found.add(rules::Severity::warning);
  CHECK(found.error == 15);
  CHECK(found.warning == 24);
  CHECK(found.note == 41);
}

TEST_CASE("rule: other documents that have it are a list, which is left out where there are none") {
  const auto shown = [](bool wanted) {
    const auto all = rules::catalog();
    const rules::Rule& rule =
        **std::find_if(all.begin(), all.end(), [&](const auto* one) { return one->also.empty() != wanted; });
    return std::pair(printed([&](Buffer& out) { json_rule(out, rule, false); }), std::string(rule.also));
  };
  CHECK(shown(false).first.find("\"also\"") == std::string::npos);
  auto [text, also] = shown(true);
  for (size_t comma = also.find(','); comma != std::string::npos; comma = also.find(',', comma + 3)) {
    also.replace(comma, 1, "\",\"");
  }
  CHECK(text.find("\"also\":[\"" + also + "\"]") != std::string::npos);
}

TEST_CASE("finding: the summary has the colour of the worst") {
  TextStyle style;
  style.palette = Palette::ansi();
  const auto begins_with = [&](const FindingCounts& found, std::string_view colour) {
    return printed([&](Buffer& out) { text_audit_summary(out, {}, found, {}, style); }).starts_with(colour);
  };
  CHECK(begins_with({}, style.palette.good));
  CHECK(begins_with({.note = 1}, style.palette.good));
  CHECK(begins_with({.warning = 1, .note = 1}, style.palette.warn));
  CHECK(begins_with({.error = 1, .warning = 1}, style.palette.bad));
}

TEST_CASE("message: where the roles are not known, it comes from a or b") {
  MadeMessage made(made_header(1, 0));
  made.connection.client.reset();
  made.message.from = rdma::Side::a;
  const auto shown = [&] { return printed([&](Buffer& out) { text_message(out, made.message, {}); }); };
  CHECK(shown().find("a>") != std::string::npos);
  made.message.from = rdma::Side::b;
  CHECK(shown().find("b>") != std::string::npos);
}

TEST_CASE("procedure: a number alone is no name of one") {
  CHECK(can_be_procedure("NFSv3 procedure 99"));
  CHECK_FALSE(can_be_procedure("7"));
  CHECK_FALSE(can_be_procedure("procedure"));
}

}  // namespace
}  // namespace steertag::report
