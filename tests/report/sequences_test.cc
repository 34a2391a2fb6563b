// How sequence numbers went on, for a chart of them: the record.
#include "report/sequences.h"

#include <catch2/catch.hpp>
#include <string>

using namespace steertag;

namespace {

rdma::Late again(uint64_t place, int64_t ns) {
  rdma::Late late;
  late.begin = place;
  late.end = place + 1;
  late.number = static_cast<uint32_t>(place + 5);
  late.bytes = 100;
  late.again = true;
  late.at = {.number = 7, .time_ns = ns};
  return late;
}

}  // namespace

TEST_CASE("sequences: a record for each end that sent something, times and numbers from the lowest") {
  track::Connection connection;
  connection.number = 3;
  timing::Sequences sequences(rdma::Transport::roce2);
  sequences.accepted(rdma::Side::b, 12, {.number = 1, .time_ns = 2'000'000'000});
  sequences.accepted(rdma::Side::b, 15, {.number = 2, .time_ns = 2'000'005'999});
  sequences.late(again(10, 2'000'007'000));
  flow::Loss loss;
  loss.place = 10;
  loss.packets = 2;
  loss.since = {.number = 1, .time_ns = 1'999'999'000};
  sequences.lost(loss);
  report::Buffer out;
  report::json_sequences(out, connection, sequences);
  const std::string address = connection.end(rdma::Side::a).address.text();
  CHECK(std::string(report::view(out)) == R"({"type":"sequence","conn":3,"from":")" + address +
                                              R"(","to":")" + address +
                                              R"(","first":15,"begin":"1.999999000","tracks":[)"
                                              R"({"what":"acknowledged","all":2,"us":[1,6],"at":[2,5]},)"
                                              R"({"what":"sent_again","all":1,"us":[8],"at":[0]},)"
                                              R"({"what":"lost","all":1,"us":[0],"at":[0],"packets":[2]}]})"
                                              "\n");
}
