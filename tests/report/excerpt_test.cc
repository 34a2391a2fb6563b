// What is told of the message or RPC that a finding is about: what decode and flows would print of it.
#include "report/excerpt.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "made.h"

namespace steertag::report {
namespace {

// A Call that advertises a Write chunk, and its Reply.
struct ExcerptMade {
  MadeMessage call{write_header(4096), made_call()};
  MadeMessage reply{write_header(1904)};
  flow::Exchange exchange;
  flow::Standing standing;
  TextStyle style;
  rules::Finding finding;

  ExcerptMade() {
    exchange.connection = &call.connection;
    exchange.requester = rdma::Side::a;
    exchange.xid = 0x1a2b3c4d;
    exchange.procedure = flow::Exchange::Procedure{.program = 100003, .version = 4, .procedure = 1};
    exchange.call = stamp(12, 1'000'000'000);
    keep(exchange.call_message, call);
    exchange.call_message.has_rpc = true;
    exchange.call_message.rpc = call.rpc;
    exchange.call_message.rpc_decoded = call.message.rpc_decoded;
    reply.message.direction = flow::Direction::reply;
    reply.message.from = rdma::Side::b;
    reply.message.at = stamp(22, 1'300'000'000);
    reply.message.standing = &standing;
    call.message.standing = &standing;
    call.message.direction = flow::Direction::call;
    finding.connection = &call.connection;
    finding.at = reply.message.at;
    style.origin_ns = 1'000'000'000;
  }
  // The Reply has come, and the Exchange is over.
  void end() {
    exchange.reply = reply.message.at;
    exchange.status = flow::Status::complete;
    keep(exchange.reply_message, reply);
  }
  // The same, with so many segments.
  void end_with(size_t segments) {
    auto& target = reply.header.chunks.writes[0].target;
    for (size_t i = 1; i < segments; ++i) {
      target.push_back(segment(0x8f04 + static_cast<uint32_t>(i), 64, 0x1000 * i));
    }
    end();
    for (const rpcrdma::Segment& one : target) {
      exchange.segments.add().target = one;
    }
  }
  static void keep(flow::KeptMessage& leg, const MadeMessage& made) {
    leg.kept = true;
    leg.header = made.header;
    leg.decoded = made.message.decoded;
    leg.length = made.message.length;
  }
  static rpcrdma::TransportHeader write_header(uint32_t length) {
    rpcrdma::TransportHeader header = made_header(1, 0);
    header.chunks.writes.add().target.add() = segment(0x8f04, length, 0x1000);
    return header;
  }
  std::string decoded(const flow::Message& message, bool verbose) const {
    TextStyle as_decode;
    as_decode.origin_ns = style.origin_ns;
    as_decode.verbose = verbose;
    return printed([&](Buffer& out) { text_message(out, message, as_decode); });
  }
};

size_t lines_in(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST_CASE("excerpt: of a message it has every field, and the Call before the Reply") {
  ExcerptMade made;
  made.standing.open = &made.exchange;
  const rules::Excerpt excerpt = ExcerptWriter(made.style).describe(made.finding, made.reply.message);
  CHECK(excerpt.header == made.decoded(made.reply.message, true));
  CHECK(excerpt.header.find("rdma_credit") != std::string::npos);
  CHECK(lines_in(excerpt.header) > 5);
  CHECK(excerpt.context.ends_with(excerpt.header));
  const std::string before = excerpt.context.substr(0, excerpt.context.size() - excerpt.header.size());
  CHECK(before.find("    12  ") != std::string::npos);
  CHECK(before.find("0x00008f04") != std::string::npos);
  CHECK(before.find("4096@") != std::string::npos);
}

TEST_CASE("excerpt: of a Call, or a Reply to a Call that is not known, it has that message alone") {
  ExcerptMade made;
  made.standing.open = &made.exchange;  // an earlier one of that XID
  const rules::Excerpt of_call = ExcerptWriter(made.style).describe(made.finding, made.call.message);
  CHECK(of_call.context == of_call.header);
  made.standing.open = nullptr;
  const rules::Excerpt of_reply = ExcerptWriter(made.style).describe(made.finding, made.reply.message);
  CHECK(of_reply.context == of_reply.header);
  made.standing.open = &made.exchange;
  made.exchange.call_message.kept = false;
  CHECK(ExcerptWriter(made.style).describe(made.finding, made.reply.message).context == of_reply.header);
}

TEST_CASE("excerpt: of an RPC it has Call, Reply and segments, and the header of that which it is about") {
  ExcerptMade made;
  made.end();
  flow::SegmentFlow& flow = made.exchange.segments.add();
  flow.kind = flow::ChunkKind::write;
  flow.target = segment(0x8f04, 4096, 0x1000);
  flow.returned = 1904;
  ExcerptWriter writer(made.style);
  const rules::Excerpt of_reply = writer.describe(made.finding, made.exchange);
  made.finding.at = *made.exchange.call;
  const rules::Excerpt of_call = writer.describe(made.finding, made.exchange);
  CHECK(of_reply.header.find("1904@") != std::string::npos);
  CHECK(of_call.header.find("4096@") != std::string::npos);
  CHECK(of_reply.context == of_call.context);
  CHECK(of_call.context.starts_with(of_call.header + of_reply.header));
  TextStyle as_flows;
  as_flows.origin_ns = made.style.origin_ns;
  as_flows.chunks = true;
  CHECK(of_call.context == of_call.header + of_reply.header +
                               printed([&](Buffer& out) { text_rpc(out, made.exchange, as_flows); }));
  CHECK(of_call.context.find("returned 1904") != std::string::npos);
}

TEST_CASE("excerpt: of an RPC without a Reply there is no Reply") {
  ExcerptMade made;
  made.exchange.status = flow::Status::no_reply;
  const rules::Excerpt excerpt = ExcerptWriter(made.style).describe(made.finding, made.exchange);
  CHECK(excerpt.header.empty());  // the finding is in no frame of it
  CHECK(excerpt.context.find("no reply") != std::string::npos);
  made.exchange.call.reset();
  CHECK(lines_in(ExcerptWriter(made.style).describe(made.finding, made.exchange).context) == 1);
}

TEST_CASE("excerpt: of an RDMA operation it has the memory, and the Call that advertised it") {
  ExcerptMade made;
  flow::Access access;
  access.connection = &made.call.connection;
  access.range = rdma::Memory{.handle = 0x8f04, .offset = 0x1800, .length = 512};
  ExcerptWriter writer(made.style);
  const rules::Excerpt astray = writer.describe(made.finding, access);
  CHECK(astray.header == "RDMA Write of 512 bytes at 0x0000000000001800, handle 0x00008f04\n");
  CHECK(astray.context == astray.header);  // belongs to nothing
  access.exchange = &made.exchange;
  access.reading = true;
  const rules::Excerpt near = writer.describe(made.finding, access);
  CHECK(near.header.starts_with("RDMA Read of 512 bytes"));
  CHECK(near.context.find("4096@") != std::string::npos);
  CHECK(near.context.ends_with(near.header));
}

TEST_CASE("excerpt: of what is long it has the first lines, as many as there is room for") {
  size_t whole = 0, cut = 0;
  for (size_t count = 1; count < 90; ++count) {
    ExcerptMade made;
    made.end_with(count);
    const std::string full = made.decoded(made.reply.message, false);
    const std::string shown = ExcerptWriter(made.style).describe(made.finding, made.exchange).header;
    if (full.size() <= ExcerptWriter::kMost) {
      CHECK(shown == full);
      ++whole;
    } else {
      const size_t end = full.rfind('\n', ExcerptWriter::kMost - 1) + 1;
      CHECK(shown == full.substr(0, end) + "...\n");
      ++cut;
    }
  }
  CHECK(whole > 20);
  CHECK(cut > 20);
}

TEST_CASE("excerpt: where it ends does not depend on how connections are numbered") {
  for (const size_t count :
       {size_t{1}, size_t{20}, size_t{21}, size_t{22}, size_t{23}, size_t{60}, size_t{90}}) {
    std::vector<rules::Excerpt> excerpts;
    using track::ConnectionNumber;
    for (const auto& [number, before] :
         {std::pair(ConnectionNumber(7), ConnectionNumber(6)),
          std::pair(ConnectionNumber(1234567), ConnectionNumber(1)),
          std::pair(ConnectionNumber::provisional(7), ConnectionNumber::provisional(6))}) {
      ExcerptMade made;
      made.end_with(count);
      made.call.connection.number = number;
      made.exchange.timing.retry_of = flow::EarlierCall{before, made.call.message.at};
      excerpts.push_back(ExcerptWriter(made.style).describe(made.finding, made.exchange));
    }
    for (const rules::Excerpt& excerpt : excerpts) {
      CHECK(lines_in(excerpt.header) == lines_in(excerpts[0].header));
      CHECK(lines_in(excerpt.context) == lines_in(excerpts[0].context));
      CHECK(excerpt.weight == excerpts[0].weight);
    }
  }
}

TEST_CASE("excerpt: of many findings about one message it reads the header once, and of the next one anew") {
  ExcerptMade made;
  ExcerptWriter writer(made.style);
  const std::string header = writer.describe(made.finding, made.reply.message).header;
  CHECK(writer.describe(made.finding, made.reply.message).header == header);
  made.reply.message.at.number += 1;
  CHECK(writer.describe(made.finding, made.reply.message).header != header);
  made.reply.message.at.number -= 1;
  CHECK(writer.describe(made.finding, made.reply.message).header == header);
  made.reply.header.xid += 1;
  made.reply.message.end_position += 100;  // the next one in the same frame
  CHECK(writer.describe(made.finding, made.reply.message).header != header);
}

TEST_CASE("excerpt: it has no colours, and the times and files of the style, also where they change") {
  ExcerptMade made;
  made.style.palette = Palette::ansi();
  made.style.ops = made.style.phases = true;
  made.end();
  ExcerptWriter writer(made.style);
  const std::string before = writer.describe(made.finding, made.exchange).context;
  CHECK(before.find('\x1B') == std::string::npos);
  CHECK(before.find("0.300000") != std::string::npos);
  made.style.origin_ns = 500'000'000;
  CHECK(writer.describe(made.finding, made.exchange).context.find("0.800000") != std::string::npos);
  const std::vector<std::string> names = {"a.pcap", "b.pcap"};
  made.style.files = Files{names};
  CHECK(writer.describe(made.finding, made.exchange).context.find("1:22") != std::string::npos);
}

}  // namespace
}  // namespace steertag::report
