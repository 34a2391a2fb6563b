// Statistics as JSON Lines, as CSV, and as a table.
#include "report/stats.h"

#include <catch2/catch.hpp>
#include <string>

#include "report/made.h"
#include "report/table.h"
#include "report/text_stats.h"
#include "stats/made.h"

using namespace steertag;
using namespace steertag::report;
using stats::kMs;
using stats::kSecond;
using stats::MadeRpc;

namespace {

stats::Groups some(const stats::Grouping& by) {
  static const track::Connection connection = stats::made_connection(7);
  stats::Groups groups(by);
  groups.add(MadeRpc(connection, 1, 10 * kSecond).took(kMs + 700).took(2 * kMs, flow::Phase::write));
  groups.add(MadeRpc(connection, 3, 12 * kSecond).took(9 * kMs).failed("NFS3ERR_STALE"));
  groups.add(MadeRpc(connection, 5, 12 * kSecond, "WRITE").no_reply(kSecond));
  return groups;
}

std::string lines(const stats::Groups& groups, void (*line)(Buffer&, const Stat&)) {
  return printed([&](Buffer& out) {
    for (const stats::Group* group : groups.dearest_first()) {
      for (const auto& [start_ns, totals] : group->intervals) {
        line(out, {groups.by(), &group->key, start_ns, totals});
      }
      if (groups.by().interval_ns == 0) {
        line(out, {groups.by(), &group->key, std::nullopt, group->totals});
      }
    }
  });
}

}  // namespace

TEST_CASE("stat: a record for a group, whose times are there where they are known") {
  CHECK(lines(some({.op = true, .connection = true, .client = true, .server = true}), json_stat) ==
        R"({"type":"stat","op":"WRITE","protocol":"NFSv3","conn":7,"client":"10.9.0.2","server":"10.9.0.1",)"
        R"("count":1,"failed":0,"unanswered":1,"retries":0,"args_bytes":100,"results_bytes":0,"timed":0,)"
        R"("waiting_us":1000000,"longest_waiting_us":1000000})"
        "\n"
        R"({"type":"stat","op":"READ","protocol":"NFSv3","conn":7,"client":"10.9.0.2","server":"10.9.0.1",)"
        R"("count":2,"failed":1,"unanswered":0,"retries":0,"args_bytes":200,"results_bytes":8000,"timed":2,)"
        R"("delivered_us":{"min":3000,"mean":6000,"p50":3000,"p90":9000,"p99":9000,"p999":9000,"max":9000},)"
        R"("phases":{"serve":5000,"write":1000},"waited_on":{"responder":2}})"
        "\n");
}

TEST_CASE("stat: an interval has its start, the rest says so, an unknown operation has no name") {
  const std::string text = lines(some({.op = true, .interval_ns = 2 * kSecond}), json_stat);
  CHECK(text.find(R"("protocol":"NFSv3","interval":"10.000000000","count":1,)") != std::string::npos);
  CHECK(text.find(R"("protocol":"NFSv3","interval":"12.000000000","count":1,)") != std::string::npos);

  const stats::Grouping by{.op = true};
  const stats::Key unknown;
  const stats::Totals none;
  const std::string zeros =
      R"("count":0,"failed":0,"unanswered":0,"retries":0,"args_bytes":0,"results_bytes":0,"timed":0})"
      "\n";
  CHECK(printed([&](Buffer& out) {
          json_stat(out, {by, nullptr, std::nullopt, none});
        }) == R"({"type":"stat","rest":true,)" + zeros);
  CHECK(printed([&](Buffer& out) {
          json_stat(out, {by, &unknown, std::nullopt, none});
        }) == R"({"type":"stat",)" + zeros);
}

TEST_CASE("stat: what lost packets cost on average, and whom RPCs waited for") {
  const track::Connection connection = stats::made_connection(7);
  stats::Totals totals;
  totals.add(MadeRpc(connection, 1).took(kMs));
  totals.add(MadeRpc(connection, 3).recovered(5 * kMs));
  const stats::Grouping by;
  const stats::Key key;
  CHECK(printed([&](Buffer& out) {
          json_stat(out, {by, &key, std::nullopt, totals});
        })
            .ends_with(R"("recovery_us":2500,"waited_on":{"responder":1,"network":1}})"
                       "\n"));
  CHECK(printed([&](Buffer& out) {
          csv_stat(out, {by, &key, std::nullopt, totals});
        }).ends_with(",0,2500,1,0,1,0,0,0\n"));
}

TEST_CASE("pace: a record an interval, in which no more time is at the limit than it has") {
  const track::Connection connection = stats::made_connection(7);
  MadeRpc rpc(connection, 1, 2048);
  rpc.exchange.reply->time_ns = 2048 + 1024;
  rpc.exchange.timing.at_credit_limit_ns = 1024;
  stats::Pace pace;
  pace.note(rpc);
  pace.note(rpc);
  CHECK(printed([&](Buffer& out) { json_pace(out, 7, pace); }) ==
        R"({"type":"pace","conn":7,"interval":"0.000001024","interval_ns":1024,"outstanding_us":0,)"
        R"("at_credit_limit_us":1,"bytes_to_server":0,"bytes_to_client":0})"
        "\n"
        R"({"type":"pace","conn":7,"interval":"0.000002048","interval_ns":1024,"outstanding_us":2,)"
        R"("bytes_to_server":0,"bytes_to_client":0})"
        "\n"
        R"({"type":"pace","conn":7,"interval":"0.000003072","interval_ns":1024,"outstanding_us":0,)"
        R"("bytes_to_server":200,"bytes_to_client":8000})"
        "\n");
}

TEST_CASE("note: what stands out, with what it is about") {
  const track::Connection connection = stats::made_connection(7);
  stats::Topic topic;
  topic.operation = {.program = 100003, .version = 3, .op = "READ"};
  topic.server = connection.end(rdma::Side::b).address;
  stats::Load load;
  load.number = 7;
  stats::Remark remark;
  remark.kind = stats::Standout::failures;
  remark.topic = &topic;
  remark.load = &load;
  remark.rpcs = remark.of = 3;
  remark.failure = "NFS3ERR_STALE";
  remark.evidence = {.weight = 0, .at = {.number = 5}, .connection = 7};
  const auto text = [&] { return printed([&](Buffer& out) { json_note(out, remark, TextStyle{}); }); };
  CHECK(
      text() ==
      R"({"type":"note","kind":"failures","conn":7,"op":"READ","protocol":"NFSv3","frame":5,"message":"3 of 3 )"
      R"(NFSv3 READ RPCs at 10.9.0.1 failed, most with NFS3ERR_STALE, the first in frame 5"})"
      "\n");
  remark = {};
  remark.kind = stats::Standout::untimed;
  CHECK(text().starts_with(
      R"({"type":"note","kind":"untimed","message":"The time of 0 of 0 RPCs is not known: )"));
}

TEST_CASE("stat: the same as CSV, below a heading with as many columns") {
  const stats::Groups groups = some({.op = true, .server = true, .interval_ns = 2 * kSecond});
  const std::string text =
      printed([&](Buffer& out) { csv_heading(out, groups.by()); }) + lines(groups, csv_stat);
  CHECK(text ==
        "op,protocol,server,interval,count,failed,unanswered,retries,args_bytes,results_bytes,timed,"
        "delivered_min_us,delivered_mean_us,delivered_p50_us,delivered_p90_us,delivered_p99_us,"
        "delivered_p999_us,delivered_max_us,call_us,start_us,read_us,serve_us,write_us,finish_us,reply_us,"
        "earlier_us,recovery_us,waited_on_responder,waited_on_requester,waited_on_network,waited_on_data,"
        "waiting_us,longest_waiting_us\n"
        "WRITE,NFSv3,10.9.0.1,12.000000000,1,0,1,0,100,0,0,,,,,,,,,,,,,,,,,,,,,1000000,1000000\n"
        "READ,NFSv3,10.9.0.1,10.000000000,1,0,0,0,100,4000,1,3000,3000,3000,3000,3000,3000,3000,"
        "0,0,0,1000,2000,0,0,0,0,1,0,0,0,0,0\n"
        "READ,NFSv3,10.9.0.1,12.000000000,1,1,0,0,100,4000,1,9000,9000,9000,9000,9000,9000,9000,"
        "0,0,0,9000,0,0,0,0,0,1,0,0,0,0,0\n");
  const stats::Totals none;
  const std::string rest = printed([&](Buffer& out) {
    csv_stat(out, {groups.by(), nullptr, std::nullopt, none});
  });
  CHECK(rest.starts_with("(rest),(rest),(rest),,0,"));
}

TEST_CASE("stat: values of CSV are in quotes where they need them") {
  const auto value = [](std::string_view text) {
    return printed([&](Buffer& out) { csv_value(out, text); });
  };
  CHECK(value("READ") == "READ");
  CHECK(value("") == "");
  CHECK(value("a b") == "a b");
  CHECK(value("a,b") == "\"a,b\"");
  CHECK(value("a\"b") == "\"a\"\"b\"");
  CHECK(value("a\nb") == "\"a\nb\"");
  CHECK(value("a\rb") == "\"a\rb\"");
}

TEST_CASE("load: what is known of a connection") {
  stats::Load load;
  load.number = 3;
  load.connections = 1;
  load.credits = {.granted_min = 4, .granted_max = 8, .in_flight_max = 5, .at_limit_ns = 1500};
  load.requested_max = 48;
  load.busy_ns = 9'999;
  load.spent_ns = {1000, 2000, 3000, 4999};
  load.server.rtt_ns = 400'499;
  load.client.retransmitted = 1;
  load.server.retransmitted = 2;
  load.server.naks = 3;
  load.client.rnr_naks = 4;
  load.client.cnps = 5;
  load.server.ecn_ce = 6;
  load.client.bytes = 7;
  load.server.bytes = 8;
  const auto text = [&] { return printed([&](Buffer& out) { json_load(out, load); }); };
  CHECK(
      text() ==
      R"({"type":"load","conn":3,"in_flight_max":5,"granted_min":4,"granted_max":8,"requested_max":48,)"
      R"("at_credit_limit_us":1,"busy_us":9,"spent_us":{"responder":1,"requester":2,"network":3,"data":4},)"
      R"("rtt_us":{"server":400},"retransmitted":3,"naks":3,"rnr_naks":4,"cnps":5,"ecn_ce":6,"bytes_to_server":7,"bytes_to_client":8})"
      "\n");
  load.roles_known = false;
  CHECK(text() ==
        R"({"type":"load","conn":3,"rtt_us":{"b":400},"retransmitted":3,"naks":3,"rnr_naks":4,"cnps":5,)"
        R"("ecn_ce":6})"
        "\n");
  load.client.zero_windows = 1;
  load.server.zero_windows = 9;
  CHECK(text().find(R"("rnr_naks":4,"zero_windows":10,"cnps":5)") != std::string::npos);
  load.client.zero_windows = load.server.zero_windows = 0;
  load.pauses = 11;
  load.congested = 12;
  CHECK(text().find(R"("ecn_ce":6,"pauses":11,"congested_rpcs":12)") != std::string::npos);
  load.pauses = load.congested = 0;
  load.client.passage.reordered = 13;
  load.server.passage.reordered = 4;
  CHECK(text().find(R"("ecn_ce":6,"reordered":17)") != std::string::npos);
  load.client.passage.reordered = load.server.passage.reordered = 0;
  load.number = 0;
  load.roles_known = true;
  load.connections = 20;
  CHECK(text() ==
        R"({"type":"load","rest":true,"connections":20,"retransmitted":3,"naks":3,"rnr_naks":4,"cnps":5,)"
        R"("ecn_ce":6,"bytes_to_server":7,"bytes_to_client":8})"
        "\n");
}

TEST_CASE("Table: columns are aligned, and leave where there is no room, the least important first") {
  Table table({{"name", Table::Align::left, 0},
               {"n", Table::Align::right, 0},
               {"x", Table::Align::right, 2},
               {"y", Table::Align::left, 1}});
  table.add({"one", "1", "22", "3"});
  table.add({"longer name", "100", "2", "33"});
  const auto text = [&](size_t width) {
    return printed([&](Buffer& out) { table.print(out, width, Palette::plain()); });
  };
  CHECK(text(24) ==
        "name           n   x  y\n"
        "one            1  22  3\n"
        "longer name  100   2  33\n");
  CHECK(table.width(24) == 24);
  CHECK(text(23) ==
        "name           n  y\n"
        "one            1  3\n"
        "longer name  100  33\n");
  CHECK(table.width(23) == 20);
  CHECK(text(16) ==
        "name           n\n"
        "one            1\n"
        "longer name  100\n");
  CHECK(text(14) ==
        "name         n\n"
        "one          1\n"
        "long..ame  100\n");
  CHECK(text(3) ==  // no shorter than that
        "name        n\n"
        "one         1\n"
        "lon..ame  100\n");
}

TEST_CASE("Table: long text is broken at blanks") {
  const auto text = [](size_t width) {
    return printed([&](Buffer& out) { put_wrapped(out, "* ", "one two three", width); });
  };
  CHECK(text(15) == "* one two three\n");
  CHECK(text(14) == "* one two\n  three\n");
  CHECK(text(3) == "* one\n  two\n  three\n");
}

TEST_CASE("stats: bars of eight heights, in UTF-8 or in ASCII") {
  const std::vector<double> values = {0, 1, 2, 3, 4, 5, 6, 7, 8, -1, 8};
  CHECK(spark_line(values, true) == "▁▂▃▄▅▆▇██ █");
  CHECK(spark_line(values, false) == ".:-=+*#@@ @");
  CHECK(spark_line({0, 0}, true) == "▁▁");
  CHECK(spark_line({}, true) == "");
}

TEST_CASE("stats: a table of groups, and one with intervals") {
  TextStyle style;
  style.width = 120;
  const auto text = [&](const stats::Groups& groups) {
    return printed([&](Buffer& out) { text_stats(out, groups, style); });
  };
  CHECK(text(some({.op = true, .server = true})) ==
        "operation                count  failed     mean      p50      p99      max  waiting  time  args  "
        "results  most in\n"
        "NFSv3 WRITE at 10.9.0.1      1       0        -        -        -        -   1.00 s  99 %   100  "
        "      0  waiting 100 %\n"
        "NFSv3 READ at 10.9.0.1       2       1  6.00 ms  3.00 ms  9.00 ms  9.00 ms        -   1 %   200  "
        "   7.8K  serve 83 %\n");
  style.width = 50;
  style.origin_ns = 9 * kSecond;
  CHECK(text(some({.op = true, .interval_ns = kSecond})) ==
        "operation    count     mean      max  mean time\n"
        "NFSv3 WRITE      1        -        -\n"
        "NFSv3 READ       2  6.00 ms  9.00 ms  - @\n"
        "Each bar is 1.00 s, the first begins 1.000000 s\n"
        "after the first frame; the highest of a line is\n"
        "its longest mean time.\n");
}
