#include "report/text.h"

#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "base/units.h"
#include "made.h"
#include "report/finding.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

TEST_CASE("Sizes are powers of 1024") {
  CHECK(base::size_text(0) == "0");
  CHECK(base::size_text(1023) == "1023");
  CHECK(base::size_text(1024) == "1K");
  CHECK(base::size_text(1500) == "1.5K");
  CHECK(base::size_text(4352) == "4.3K");  // half up
  CHECK(base::size_text(65536) == "64K");
  CHECK(base::size_text(65537) == "64.0K");
  CHECK(base::size_text(1024 * 1024 - 1) == "1.0M");
  CHECK(base::size_text(3ULL << 30) == "3G");
  CHECK(base::size_text(UINT64_MAX) == "16.0E");
}

TEST_CASE("Lengths of time have three digits and a unit") {
  CHECK(base::duration_text(0) == "0 ns");
  CHECK(base::duration_text(999) == "999 ns");
  CHECK(base::duration_text(1'000) == "1.00 us");
  CHECK(base::duration_text(31'840) == "31.8 us");
  CHECK(base::duration_text(318'250) == "318 us");
  CHECK(base::duration_text(1'004) == "1.00 us");
  CHECK(base::duration_text(9'996) == "9.99 us");
  CHECK(base::duration_text(99'960) == "99.9 us");
  CHECK(base::duration_text(837'600) == "837 us");
  CHECK(base::duration_text(999'999) == "999 us");
  CHECK(base::duration_text(1'000'000) == "1.00 ms");
  CHECK(base::duration_text(2'025'000) == "2.03 ms");  // half up
  CHECK(base::duration_text(2'024'999) == "2.02 ms");
  CHECK(base::duration_text(1'234'500'000) == "1.23 s");
  CHECK(base::duration_text(9'994'999'999) == "9.99 s");
  CHECK(base::duration_text(9'995'000'000) == "10.0 s");
  CHECK(base::duration_text(999'499'999) == "999 ms");
  CHECK(base::duration_text(999'500'000) == "1.00 s");
  CHECK(base::duration_text(-999'500'000) == "-1.00 s");
  CHECK(base::duration_text(60'100'000'000) == "60.1 s");
  CHECK(base::duration_text(-2'500) == "-2.50 us");
  CHECK(base::duration_text(INT64_MIN) == "-9223372037 s");
  CHECK(base::seconds_text(12'345'999) == "0.012345");
  CHECK(base::seconds_text(-1'500) == "-0.000001");
  CHECK(base::percent_text(1, 8) == "13 %");
  CHECK(base::percent_text(0.125) == "13 %");
  CHECK(base::seconds_text(INT64_MIN).size() == 18);
}

TEST_CASE("A line for an RPC, and one for each segment") {
  track::Connection connection = made_connection();
  flow::Exchange exchange;
  exchange.connection = &connection;
  exchange.xid = 0x1A2B3C4D;
  exchange.call = stamp(25, 1'012'345'000);
  exchange.reply = stamp(127, 1'012'663'250);
  exchange.status = flow::Status::complete;
  exchange.procedure = flow::Exchange::Procedure{.program = 100003, .version = 4, .procedure = 1};
  exchange.subject.arguments_length = 148;
  exchange.subject.results_length = 65640;
  flow::SegmentFlow& flow = exchange.segments.add();
  flow.kind = flow::ChunkKind::write;
  flow.target = segment(0xB1, 65536, 0x7F0012345000);
  flow.traffic = traffic(65536, 2, {stamp(26), stamp(89)});
  flow.returned = 65536;
  exchange.invalidated = 0xB1;
  TextStyle style;
  style.origin_ns = 1'000'000'000;
  style.chunks = true;
  CHECK(printed([&](Buffer& out) { text_rpc(out, exchange, style); }) ==
        "#1          25       127      0.012345    318 us  0x1a2b3c4d  NFSv4 COMPOUND              148    "
        "64.1K  "
        "write 64K in 1\n"
        "                        write  chunk 1   65536@0x00007f0012345000:0x000000b1       moved 65536 in 2 "
        "ops, "
        "frames 26-89, returned 65536  invalidated\n");

  exchange.reply.reset();
  exchange.subject.results_length.reset();
  exchange.status = flow::Status::no_reply;
  exchange.complete = false;
  exchange.doubt = flow::Doubt::frames_missing;
  exchange.segments.clear();
  style.chunks = false;
  CHECK(printed([&](Buffer& out) { text_rpc(out, exchange, style); }) ==
        "#1          25         -      0.012345         -  0x1a2b3c4d  NFSv4 COMPOUND              148       "
        " -  "
        "no reply  [frames missing]\n");
}

TEST_CASE("A line for an RPC says what it was about, and which error answered it") {
  track::Connection connection = made_connection();
  flow::Exchange exchange;
  exchange.connection = &connection;
  exchange.status = flow::Status::complete;
  exchange.procedure = flow::Exchange::Procedure{.program = 100003, .version = 4, .procedure = 1};
  TextStyle style;
  const auto line = [&] { return printed([&](Buffer& out) { text_rpc(out, exchange, style); }); };
  flow::Subject& subject = exchange.subject;
  for (const char* name : {"SEQUENCE", "PUTFH", "READ"}) {
    subject.ops.add() = name;
  }
  CHECK(line().find("  NFSv4 COMPOUND  ") != std::string::npos);  // which of them it is for is not known
  subject.op = "READ";
  CHECK(line().find("  NFSv4 READ  ") != std::string::npos);
  style.ops = true;
  CHECK(line().ends_with("\n                        SEQUENCE PUTFH READ ...\n"));
  subject.ops_whole = true;
  CHECK(line().ends_with("\n                        SEQUENCE PUTFH READ\n"));
  subject.nfs_status = 2;
  subject.nfs_status_name = "NFS4ERR_NOENT";
  style.ops = false;
  style.palette = Palette::ansi();
  CHECK(line().ends_with("  \033[35mNFS4ERR_NOENT\033[0m\n"));
  subject.nfs_status = 5;
  subject.nfs_status_name = "NFS4ERR_IO";
  CHECK(line().ends_with("  \033[1;31mNFS4ERR_IO\033[0m\n"));
  exchange.procedure = flow::Exchange::Procedure{.program = 0x40000000, .version = 1, .procedure = 1};
  subject.op = "CB_RECALL";
  CHECK(line().find("  NFSv4 CB_RECALL  ") != std::string::npos);
  exchange.procedure = flow::Exchange::Procedure{.program = 100003, .version = 3, .procedure = 99};
  subject.clear();
  subject.op = "99";
  CHECK(line().find("  NFSv3 procedure 99  ") != std::string::npos);
  exchange.procedure.reset();
  CHECK(line().find("  ?  ") != std::string::npos);
}

TEST_CASE("The summary adds up lengths, and counts what NFS refused") {
  track::Connection connection = made_connection();
  flow::Exchange exchange;
  exchange.connection = &connection;
  exchange.status = flow::Status::complete;
  exchange.subject.arguments_length = 100;
  exchange.subject.results_length = 24;
  RpcSummary summary, other;
  summary.add(exchange);
  exchange.subject.nfs_status = 2;
  other.add(exchange);
  summary.add(other);
  summary.seen = 2;
  CHECK(printed([&](Buffer& out) { text_rpc_summary(out, summary, {}); }) ==
        "\n2 RPCs, 200 of arguments, 48 of results, 1 answered by an NFS error\n");
}

TEST_CASE("An empty list of characteristics is shown if it was read") {
  using rpcrdma::xchar::Operation;
  const auto text = [](size_t length, Operation operation = Operation::initxch) {
    rpcrdma::TransportHeader h = made_header(2, static_cast<uint32_t>(rpcrdma::v2::Proc::optional));
    rpcrdma::v2::Optional& body = h.optional.add();
    body.direction = rpcrdma::MsgType::call;
    body.opttype = operation;
    body.init.nochg.set(0);
    const MadeMessage cut(h, {}, length);
    return printed([&](Buffer& out) { text_message(out, cut.message, {}); });
  };
  CHECK(text(28).find("  start") == std::string::npos);
  CHECK(text(32).find("  start") != std::string::npos);
  CHECK(text(32).find("  nochg") == std::string::npos);
  CHECK(text(40).find("  nochg 0") != std::string::npos);
  CHECK(text(28, Operation::reqxch).find("  want") == std::string::npos);
  CHECK(text(32, Operation::reqxch).find("  want") != std::string::npos);
}

TEST_CASE("A line for a message, its chunks and its stop below") {
  rpcrdma::TransportHeader h = made_header(1, 0);
  h.chunks.reads.push_back({.position = 136, .target = segment(0xA1, 4096, 0x1000), .at = {}});
  MadeMessage made(h, made_call());
  made.message.direction = flow::Direction::call;
  TextStyle style;
  CHECK(printed([&](Buffer& out) { text_message(out, made.message, style); }) ==
        "       7      1.500000  #1    ->  0x1a2b3c4d      32  RDMA_MSG call NFSv4 COMPOUND, 40 bytes\n"
        "                              read   at 136    4096@0x0000000000001000:0x000000a1\n");
  MadeMessage cut(h, {}, 30);
  CHECK(
      printed([&](Buffer& out) { text_message(out, cut.message, style); })
          .ends_with(
              "stops at length, byte 28: 4 bytes needed, 2 left; the frame was cut there by the capture\n"));
  style.verbose = true;
  const std::string fields = printed([&](Buffer& out) { text_message(out, made.message, style); });
  CHECK(fields.find("\n                                  0 +4     rdma_xid: 0x1a2b3c4d\n") !=
        std::string::npos);
}

// The line below a message that is cut after `captured` bytes, without its indent.
std::string below(const rpcrdma::TransportHeader& header, size_t captured) {
  const MadeMessage made(header, {}, captured);
  const std::string text = printed([&](Buffer& out) { text_message(out, made.message, {}); });
  const size_t begin = text.find_first_not_of(' ', text.find('\n') + 1);
  return text.substr(begin, text.find('\n', begin) - begin);
}

TEST_CASE("Fields of an error that were not read are not printed") {
  rpcrdma::TransportHeader h = made_header(1, 4);
  h.error_v1 = rpcrdma::v1::Error{.code = rpcrdma::v1::ErrorCode::vers, .vers_low = 1, .vers_high = 2};
  CHECK(below(h, 28) == "ERR_VERS  supported: 1 to 2");
  CHECK(below(h, 24) == "ERR_VERS  supported: 1 to ?");
  CHECK(below(h, 20) == "ERR_VERS");
  h = made_header(2, 4);
  h.error_v2 = rpcrdma::v2::Error{.code = rpcrdma::v2::ErrorCode::cant_reply,
                                  .processed = rpcrdma::XdrBool::yes,
                                  .segment_index = 2,
                                  .length_needed = 9000};
  CHECK(below(h, 32) == "RDMA2_ERR_CANT_REPLY  segment 2 needs 9000 bytes, request was processed");
  CHECK(below(h, 28) == "RDMA2_ERR_CANT_REPLY  segment 2 needs ? bytes, request was processed");
  CHECK(below(h, 24) == "RDMA2_ERR_CANT_REPLY  request was processed");
  CHECK(below(h, 20) == "RDMA2_ERR_CANT_REPLY");
}

TEST_CASE("Members of an extension's structure that were not read are not printed") {
  using rpcrdma::xchar::make;
  using rpcrdma::xchar::Operation;
  rpcrdma::TransportHeader h = made_header(2, 5);
  rpcrdma::v2::Optional& body = h.optional.add();
  body.opttype = Operation::updxch;
  body.update.now = make(rpcrdma::xchar::Id::rbsiz, 8192);
  body.update.pendclr = rpcrdma::XdrBool::yes;
  CHECK(below(h, 44) == "ROPT_UPDXCH  now XCHAR_RBSIZ=8192  pendclr");
  CHECK(below(h, 40) == "ROPT_UPDXCH  now XCHAR_RBSIZ=8192");
  CHECK(below(h, 36) == "ROPT_UPDXCH");
  CHECK(below(h, 24) == "ROPT_UPDXCH");
  body.opttype = Operation::initxch;
  CHECK(below(h, 32) == "ROPT_INITXCH  start");
  CHECK(below(h, 28) == "ROPT_INITXCH");
  body.opttype = static_cast<Operation>(9);
  body.info = {1, 2, 3, 4};
  CHECK(below(h, 32) == "operation 9  4 bytes");
  CHECK(below(h, 30) == "operation 9");
}

TEST_CASE("A block for a connection") {
  track::Connection c = made_connection();
  for (track::End& end : c.ends) {
    end.setup_seen = end.private_data_whole = end.private_data.present = true;
    end.private_data.version = 1;
    end.private_data.send_size = 8192;
    end.private_data.receive_size = 4096;
  }
  c.ends[0].private_data.remote_invalidation = true;
  c.ends[1].port = 20049;
  c.ended = rdma::EndReason::disconnect;
  c.ends[0].gaps = 1;
  CHECK(printed([&](Buffer& out) { text_connection(out, c, 0, {}); }) ==
        "#1 roce2 10.9.0.2 QP 0x000011 -> 10.9.0.1 QP 0x000012 port 20049\n"
        "   RPC-over-RDMA          version 1\n"
        "   inline thresholds      4K to the server, 4K to the client\n"
        "   remote invalidation    client yes, server no\n"
        "   frames                 1 to 90, 2.00 s\n"
        "   setup                  seen\n"
        "   end                    disconnect\n"
        "   gaps in the capture    1 from the client, 0 from the server\n");
  c.ends[0].copies = 5;
  c.ends[1].ecn_ce = 2;
  c.ends[0].cnps = 1;
  c.pauses = 3;
  CHECK(printed([&](Buffer& out) { text_connection(out, c, 0, {}); })
            .ends_with("   copies captured        5 from the client, 0 from the server\n"
                       "   ECN marks (CE)         0 from the client, 2 from the server\n"
                       "   CNPs                   1 from the client, 0 from the server\n"
                       "   pause frames           3 captured meanwhile\n"));
}

TEST_CASE("A finding names the file of its evidence where that is another one") {
  const track::Connection connection = made_connection();
  rules::Finding finding;
  finding.rule = rules::catalog()[0];
  finding.connection = &connection;
  finding.at = stamp(9, 0, 1);
  finding.text = "text";
  finding.related = {stamp(3, 0, 1), stamp(7, 0, 0)};
  const std::vector<std::string> names = {"a.pcap", "b.pcap"};
  TextStyle style;
  style.files = Files{names};
  CHECK_THAT(printed([&](Buffer& out) { text_finding(out, finding, style); }),
             Catch::StartsWith("b.pcap:9: error: text; see frames 3, a.pcap:7 ("));
}

TEST_CASE(
    "flows: of several connections whose times are lower bounds, the one that shows it first is named") {
  const auto bounds = [](uint32_t connection, int64_t at_ns) {
    return LowerBounds{.connections = 1,
                       .connection = connection,
                       .client = base::Address::ipv4(std::array<uint8_t, 4>{10, 9, 0, 2}),
                       .packets = connection,
                       .first = {.number = 10 * connection, .time_ns = at_ns}};
  };
  LowerBounds sum;
  sum.add({});
  CHECK(sum.connections == 0);
  sum.add(bounds(2, 200));
  sum.add({});
  CHECK(
      lower_bounds_text(sum, {}) ==
      "Times are at least what they seem: on connection #2 2 packets of 10.9.0.2 were lost or held up before "
      "the tap, as frame 20 was the first to show; a Call that was lost there counts from when it was sent "
      "again");
  sum.add(bounds(3, 300));
  CHECK(sum.connection == 2u);
  sum.add(bounds(1, 100));
  CHECK(lower_bounds_text(sum, {}).starts_with(
      "Times are at least what they seem: on connection #1 1 packet of "
      "10.9.0.2 was lost or held up before the tap, as frame 10 "));
  CHECK(lower_bounds_text(sum, {}).ends_with("; the same is true of 2 other connections"));
}

}  // namespace
}  // namespace steertag::report
