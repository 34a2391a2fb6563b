#include "report/diff.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "report/made.h"
#include "report/markdown_text.h"
#include "rules/catalog.h"

using namespace steertag;
using namespace steertag::report;
using diff::Difference;
using diff::Kind;
using diff::Unit;

namespace {

const stats::Operation kRead = {.program = 100003, .version = 3, .op = "READ"};

Counters counted(uint64_t frames, uint64_t rpcs, uint64_t connections) {
  Counters made;
  made.frames = frames;
  made.exchanges = rpcs;
  made.connections = connections;
  return made;
}

// Two captures, and in what they differ.
struct Made {
  std::vector<std::string> before = {"old.pcap"}, after = {"new.pcap"};
  Counters counters_before = counted(10, 4, 1), counters_after = counted(11, 5, 2);
  diff::Comparison comparison{};

  DiffReport report() const {
    return {comparison,
            {.files = Files{before}, .counters = counters_before, .found = {}, .cut = {}},
            {.files = Files{after}, .counters = counters_after, .found = {}, .cut = {}}};
  }
  Made& add(const Difference& difference) {
    comparison.differences.push_back(difference);
    return *this;
  }
  std::string text(unsigned width = 80, DiffExtent extent = DiffExtent::whole) const {
    return printed([&](Buffer& out) {
      TextStyle style;
      style.width = width;
      text_diff(out, report(), style, extent);
    });
  }
  std::string json() const {
    return printed([&](Buffer& out) { json_difference(out, comparison.differences[0], report()); });
  }
};

Difference slower() {
  return {.kind = Kind::latency,
          .what = "p99",
          .unit = Unit::ns,
          .before = {1'200'000, 40},
          .after = {8'900'000, 41},
          .regression = true,
          .operation = kRead,
          .seen_before = stamp(5),
          .seen_after = stamp(7)};
}

Difference found(uint64_t before, uint64_t after) {
  diff::Fault fault;
  fault.fingerprint = 0xabc;
  fault.severity = rules::Severity::error;
  for (const rules::Rule* rule : rules::catalog()) {
    fault.rule = rule->id == "MEM-09" ? rule : fault.rule;
  }
  fault.certainty = rules::Certainty::definite;
  fault.blame = rules::Blame::responder;
  fault.version = 1;
  fault.op = "READ";
  fault.shape = "Reply returns N bytes";
  Difference made{.kind = Kind::finding, .what = fault.shape, .before = {before, 4}, .after = {after, 5}};
  made.fault = fault;
  made.seen_after = stamp(9);
  return made;
}

}  // namespace

TEST_CASE("diff: text says clearly that there is no difference") {
  CHECK(Made().text() ==
        "before  old.pcap (10 frames, 4 RPCs, 1 connection)\n"
        "after   new.pcap (11 frames, 5 RPCs, 2 connections)\n"
        "\n"
        "No difference\n");
  CHECK(Made().text(80, DiffExtent::brief) == "No difference\n");
}

TEST_CASE("diff: text groups what differs, and marks what got worse") {
  Made made;
  made.add(found(0, 3)).add(slower());
  made.add({.kind = Kind::chunks,
            .what = "Write chunks",
            .measure = "RPCs",
            .before = {40, 40},
            .after = {0, 41},
            .operation = kRead});
  made.add({.kind = Kind::credits, .what = "granted", .before = {64}, .after = {4}});
  made.comparison.timed = 1;
  made.comparison.too_few = 2;
  CHECK(made.text(200) ==
        "before  old.pcap (10 frames, 4 RPCs, 1 connection)\n"
        "after   new.pcap (11 frames, 5 RPCs, 2 connections)\n"
        "\n"
        "findings\n"
        "  error: Responder: Reply returns N bytes (READ) [MEM-09]: 0 -> 3 in 5 RPCs, new; see new.pcap:9\n"
        "\n"
        "NFSv3 READ\n"
        "! p99: 1.20 ms -> 8.90 ms, x 7.4; see new.pcap:7\n"
        "  RPCs with Write chunks: 40 of 40 -> 0 of 41, gone\n"
        "\n"
        "connections\n"
        "  credits granted, at most: 64 -> 4, -94 %\n"
        "\n"
        "4 differences, 1 of them a regression (!)\n"
        "Latencies were compared for 1 of 3 operations; the others have too few RPCs for that.\n");
  const std::string narrow = made.text(40);
  for (size_t at = 0; at < narrow.size();) {
    const size_t end = narrow.find('\n', at);
    CHECK(end - at <= 40);
    at = end + 1;
  }
}

TEST_CASE("diff: JSON has the values, of how many, and where to look") {
  CHECK(Made().add(slower()).json() ==
        R"({"type":"difference","kind":"latency","what":"p99","op":"READ","protocol":"NFSv3","unit":"us",)"
        R"("before":1200,"before_of":40,"after":8900,"after_of":41,"regression":true,"before_frame":5,)"
        R"("before_file":"old.pcap","after_frame":7,"after_file":"new.pcap"})"
        "\n");
  CHECK(Made().add(found(0, 3)).json() ==
        R"({"type":"difference","kind":"finding","what":"Reply returns N bytes","rule":"MEM-09",)"
        R"("severity":"error","certainty":"definite","blame":"responder","version":1,"op":"READ",)"
        R"("fingerprint":"0000000000000abc","unit":"count","before":0,"before_of":4,"after":3,"after_of":5,)"
        R"("regression":false,"after_frame":9,"after_file":"new.pcap"})"
        "\n");
}

TEST_CASE("diff: the summary has both sides, and their sums") {
  Made made;
  made.add(slower());
  made.comparison.timed = 1;
  const std::string both =
      R"("before":{"files":1,"frames":10,"messages":0,"rpcs":4,"connections":1,"findings":{"error":0,"warning":0,"note":0},"lost":0},)"
      R"("after":{"files":1,"frames":11,"messages":0,"rpcs":5,"connections":2,"findings":{"error":0,"warning":0,"note":0},"lost":0})";
  const std::string sums =
      R"({"type":"summary","files":2,"frames":21,"messages":0,"rpcs":9,"connections":3,"lost":0,)";
  CHECK(printed([&](Buffer& out) { json_diff_summary(out, made.report(), ""); }) ==
        sums + R"("differences":1,"regressions":1,"operations_timed":1,"operations_too_few":0,)" + both +
            "}\n");
  CHECK(printed([&](Buffer& out) { json_diff_summary(out, made.report(), "interrupted"); }) ==
        sums + both + ",\"cut\":\"interrupted\"}\n");
}

TEST_CASE("diff: a table in Markdown") {
  Made made;
  made.add(slower());
  CHECK(printed([&](Buffer& out) { markdown_diff(out, made.report()); }) ==
        "### steertag diff: 1 difference, 1 of them a regression\n"
        "\n"
        "- before: old\\.pcap \\(10 frames, 4 RPCs, 1 connection\\)\n"
        "- after: new\\.pcap \\(11 frames, 5 RPCs, 2 connections\\)\n"
        "\n"
        "|   | what | before | after | change | see |\n"
        "|---|---|---|---|---|---|\n"
        "| **regression** | NFSv3 READ, p99 | 1\\.20 ms | 8\\.90 ms | x 7\\.4 | new\\.pcap\\:7 |\n");
  CHECK(printed([](Buffer& out) { markdown_diff(out, Made().report()); }).find('|') == std::string::npos);
}

TEST_CASE("diff: names of files stay names in every form") {
  Made made;
  made.before = {"a|b\n# `x` @team #12 <b>\xff\x1b[31m.pcap"};
  made.add(slower());
  made.comparison.differences[0].after.value = 0;  // so that one looks at the other side
  const std::string text = made.text(200);
  CHECK(text.find("see a|b?# `x` @team #12 <b>\\xff?[31m.pcap:5\n") != std::string::npos);
  CHECK(made.json().find(R"("before_file":"a|b\n# `x` @team #12 <b>)") != std::string::npos);
  const std::string table = printed([&](Buffer& out) { markdown_diff(out, made.report()); });
  CHECK(table.find(
            "| a\\|b\\?#<!-- --> \\`x\\` @<!-- -->team #<!-- -->12 \\<b\\>\\\\xff\\?\\[31m\\.pcap\\:5 |\n") !=
        std::string::npos);
}

TEST_CASE("markdown: words stay as they are") {
  CHECK(markdown_cell("Write chunk, 2 segments - 4/5") == "Write chunk, 2 segments - 4/5");
  CHECK(markdown_cell("www.a.b http://c a_b *d*") == "www\\.a\\.b http\\://c a\\_b \\*d\\*");
}
