// Headers of every kind, cut at every byte: reading ends where the bytes end,
// says so, and what it read before is whole.
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>

#include "generator.h"
#include "rpcrdma/header.h"
#include "samples.h"

using namespace steertag;
using namespace samples;
using rpcrdma::Decoded;

namespace {

// A copy of the first `length` bytes in a block of exactly that size, so that a
// sanitizer sees the first byte read too many.
struct Exact {
  Exact(const std::vector<uint8_t>& bytes, size_t length) : copy(new uint8_t[length]), size(length) {
    std::memcpy(copy.get(), bytes.data(), length);
  }
  Bytes bytes() const { return {copy.get(), size}; }
  std::unique_ptr<uint8_t[]> copy;
  size_t size;
};

template <typename List>
void is_prefix(const List& part, const List& whole) {
  REQUIRE(part.size() <= whole.size());
  for (size_t i = 0; i < part.size(); ++i) {
    REQUIRE(part[i] == whole[i]);
  }
}

void holds_only_whole_elements(const TransportHeader& cut, const TransportHeader& whole) {
  is_prefix(cut.chunks.reads, whole.chunks.reads);
  is_prefix(cut.chunks.writes, whole.chunks.writes);
  is_prefix(cut.chunks.reply, whole.chunks.reply);
  REQUIRE(cut.optional.size() <= whole.optional.size());
  if (!cut.optional.empty()) {
    REQUIRE(cut.optional[0].opttype == whole.optional[0].opttype);
    is_prefix(cut.optional[0].init.start, whole.optional[0].init.start);
    is_prefix(cut.optional[0].request.want, whole.optional[0].request.want);
    is_prefix(cut.optional[0].init.nochg.words, whole.optional[0].init.nochg.words);
  }
}

void is_located(const wire::Stop& stop, size_t length) {
  REQUIRE(std::strlen(stop.field) > 0);
  REQUIRE(stop.offset + stop.available == length);
  REQUIRE(stop.needed > stop.available);
}

}  // namespace

TEST_CASE("a header that the capture cut stops at the cut") {
  for (const Sample& sample : every_kind()) {
    const std::vector<uint8_t> bytes = bytes_of(sample.header);
    TransportHeader read;
    for (size_t length = 0; length < bytes.size(); ++length) {
      INFO(sample.name << " cut at " << length);
      const Exact cut(bytes, length);
      const Decoded decoded = rpcrdma::decode(cut.bytes(), static_cast<uint32_t>(bytes.size()), read);
      REQUIRE(decoded.stop);
      is_located(*decoded.stop, length);
      REQUIRE(decoded.stop->limit == wire::Limit::capture);
      REQUIRE(decoded.header_length == decoded.stop->offset);
      holds_only_whole_elements(read, sample.header);
    }
  }
}

TEST_CASE("a header that the sender cut stops at the end of the message") {
  for (const Sample& sample : every_kind()) {
    const std::vector<uint8_t> bytes = bytes_of(sample.header);
    TransportHeader read;
    for (size_t length = 0; length < bytes.size(); ++length) {
      INFO(sample.name << " cut at " << length);
      const Exact cut(bytes, length);
      const Decoded decoded = rpcrdma::decode(cut.bytes(), static_cast<uint32_t>(length), read);
      REQUIRE(decoded.stop);
      is_located(*decoded.stop, length);
      REQUIRE(decoded.stop->limit == wire::Limit::message);
      holds_only_whole_elements(read, sample.header);
    }
  }
}

TEST_CASE("optinfo bounds what is in it, and the header goes on behind it") {
  for (const Sample& sample : every_kind()) {
    if (sample.header.optional.empty() || sample.header.optional[0].opttype > xchar::Operation::updxch) {
      continue;
    }
    const std::vector<uint8_t> bytes = bytes_of(sample.header);
    const uint32_t whole = wire::big_endian<uint32_t>(bytes.data() + 24);
    TransportHeader read;
    for (uint32_t length = 0; length < whole; ++length) {
      INFO(sample.name << " with optinfo of " << length);
      std::vector<uint8_t> shorter = bytes;
      shorter[26] = static_cast<uint8_t>(length >> 8);
      shorter[27] = static_cast<uint8_t>(length);
      const Decoded decoded = rpcrdma::decode(shorter, static_cast<uint32_t>(shorter.size()), read);
      REQUIRE(decoded.stop);
      is_located(*decoded.stop, 28 + length);
      REQUIRE(decoded.stop->limit == wire::Limit::segment);
      REQUIRE(decoded.header_length == 28 + (length + 3) / 4 * 4);
      holds_only_whole_elements(read, sample.header);
    }
  }
}

TEST_CASE("an optinfo longer than the message stops at itself") {
  std::vector<uint8_t> bytes = bytes_of(initxch());
  bytes[27] = 200;
  TransportHeader read;
  const Decoded decoded = rpcrdma::decode(bytes, static_cast<uint32_t>(bytes.size()), read);
  REQUIRE(decoded.stop);
  CHECK(std::string(decoded.stop->field) == "rdma_optinfo");
  CHECK(*decoded.stop == wire::Stop{decoded.stop->field, 28, 200, 36, wire::Limit::message});
  REQUIRE(read.optional.size() == 1);
  CHECK(read.optional[0].opttype == xchar::Operation::initxch);
}

TEST_CASE("a stop names the field that did not fit") {
  const auto stop_of = [](const TransportHeader& header, size_t length) {
    const std::vector<uint8_t> bytes = bytes_of(header);
    TransportHeader read;
    const Decoded decoded =
        rpcrdma::decode(Bytes(bytes).first(length), static_cast<uint32_t>(bytes.size()), read);
    return std::string(decoded.stop ? decoded.stop->field : "");
  };
  CHECK(stop_of(fixed(1, 3), 0) == "rdma_xid");
  CHECK(stop_of(fixed(1, 3), 7) == "rdma_vers");
  CHECK(stop_of(fixed(1, 3), 11) == "rdma_credit");
  CHECK(stop_of(fixed(1, 3), 15) == "rdma_proc");
  CHECK(stop_of(with_chunks(1, 0), 16) == "rdma_reads");
  CHECK(stop_of(with_chunks(1, 0), 20) == "position");
  CHECK(stop_of(with_chunks(1, 0), 27) == "handle");
  CHECK(stop_of(with_chunks(1, 0), 39) == "offset");
  CHECK(stop_of(with_chunks(1, 0), 72) == "target");
  CHECK(stop_of(msgp(), 20) == "rdma_thresh");
  CHECK(stop_of(with_chunks(2, 0), 20) == "rdma_inv_handle");
  CHECK(stop_of(error_v2(v2::ErrorCode::cant_reply), 31) == "rdma_length_needed");
  CHECK(stop_of(initxch(), 26) == "rdma_optinfo");
  CHECK(stop_of(initxch(), 32) == "xchv_which");
  CHECK(stop_of(initxch(), 42) == "xchv_data");
  CHECK(stop_of(initxch(), 60) == "optixch_nochg");
}

TEST_CASE("parts that were read before a stop stay") {
  const std::vector<uint8_t> bytes = bytes_of(with_chunks(2, 0));
  TransportHeader read;
  rpcrdma::decode(Bytes(bytes).first(20), 20, read);
  CHECK(read.direction == rpcrdma::MsgType::call);
  CHECK_FALSE(read.inv_handle);

  const std::vector<uint8_t> error = bytes_of(error_v2(v2::ErrorCode::cant_reply));
  rpcrdma::decode(Bytes(error).first(24), 24, read);
  CHECK(read.error_code() == 3u);
  rpcrdma::decode(Bytes(error).first(19), 19, read);
  CHECK_FALSE(read.error_code());
}

TEST_CASE("random damage is read to an end") {
  Generator generator(2);
  std::mt19937 random(3);
  TransportHeader read;
  for (int i = 0; i < 20000; ++i) {
    std::vector<uint8_t> bytes = bytes_of(generator.header());
    for (int hits = 0; hits < 3; ++hits) {
      bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    }
    const Exact cut(bytes, random() % (bytes.size() + 1));
    const Decoded decoded = rpcrdma::decode(cut.bytes(), static_cast<uint32_t>(bytes.size()), read);
    REQUIRE(decoded.header_length <= bytes.size());
    if (!decoded.stop && !decoded.odd_discriminator && !decoded.nonzero_pad) {
      const std::vector<uint8_t> again = bytes_of(read);
      REQUIRE(again == std::vector<uint8_t>(bytes.begin(), bytes.begin() + decoded.header_length));
    }
    std::vector<wire::Node> nodes;
    rpcrdma::outline(cut.bytes(), static_cast<uint32_t>(bytes.size()), nodes);
    for (const wire::Node& node : nodes) {
      REQUIRE(node.at.end() <= bytes.size());
    }
  }
}
