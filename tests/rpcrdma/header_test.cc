#include "rpcrdma/header.h"

#include <catch2/catch.hpp>

#include "generator.h"
#include "samples.h"

using namespace steertag;
using namespace samples;
using rpcrdma::Decoded;

TEST_CASE("every header of 20,000 comes back byte for byte") {
  Generator generator(1);
  TransportHeader read;
  for (int i = 0; i < 20000; ++i) {
    const TransportHeader header = generator.header();
    const std::vector<uint8_t> bytes = bytes_of(header);
    const Decoded decoded = rpcrdma::decode(bytes, static_cast<uint32_t>(bytes.size()), read);
    REQUIRE_FALSE(decoded.stop);
    REQUIRE_FALSE(decoded.odd_discriminator);
    REQUIRE_FALSE(decoded.nonzero_pad);
    REQUIRE(decoded.header_length == bytes.size());
    REQUIRE(read == header);
    REQUIRE(bytes_of(read) == bytes);
  }
}

TEST_CASE("what follows another code of version one is rdma_extra, whole or not at all") {
  TransportHeader sent = error_v1(static_cast<v1::ErrorCode>(9));
  CHECK(bytes_of(sent).size() == 20);
  sent.error_v1->extra.emplace().front() = 7;
  const std::vector<uint8_t> bytes = bytes_of(sent);
  REQUIRE(bytes.size() == 52);
  TransportHeader read;
  CHECK(rpcrdma::decode(bytes, 52, read).header_length == 52);
  CHECK(read == sent);
  const Bytes cut(bytes.data(), 40);
  CHECK(rpcrdma::decode(cut, 40, read).stop->limit == wire::Limit::message);
  CHECK_FALSE(read.error_v1->extra);
  CHECK(rpcrdma::decode(cut, 52, read).stop->limit == wire::Limit::capture);

  sent = error_v1(v1::ErrorCode::chunk);  // void
  std::vector<uint8_t> chunk = bytes_of(sent);
  chunk.resize(52);
  CHECK(rpcrdma::decode(chunk, 52, read).header_length == 20);
}

TEST_CASE("ERR_VERS is read in every version, other codes only where they are known") {
  TransportHeader sent = error_v1(v1::ErrorCode::vers);
  sent.version = 3;
  std::vector<uint8_t> bytes = bytes_of(sent);
  REQUIRE(bytes.size() == 28);
  TransportHeader read;
  CHECK_FALSE(rpcrdma::decode(bytes, 28, read).stop);
  CHECK(read == sent);
  bytes[19] = 9;
  CHECK(rpcrdma::decode(bytes, 28, read).header_length == 20);
}

TEST_CASE("sizes are those of the specifications") {
  TransportHeader msg = fixed(1, 0);
  CHECK(bytes_of(msg).size() == 28);
  msg.procedure = 2;
  CHECK(bytes_of(msg).size() == 36);
  CHECK(bytes_of(fixed(1, 3)).size() == 16);
  CHECK(bytes_of(error_v1(v1::ErrorCode::vers)).size() == 28);
  CHECK(bytes_of(error_v1(v1::ErrorCode::chunk)).size() == 20);
  CHECK(bytes_of(fixed(2, 0)).size() == 36);
  CHECK(bytes_of(error_v2(v2::ErrorCode::vers)).size() == 28);
  CHECK(bytes_of(error_v2(v2::ErrorCode::cant_reply)).size() == 32);
  CHECK(bytes_of(error_v2(v2::ErrorCode::inval_option)).size() == 20);
  CHECK(bytes_of(fixed(2, 5)).size() == 28);
}

TEST_CASE("a payload begins where the header ends") {
  std::vector<uint8_t> bytes = bytes_of(with_chunks(1, 0));
  const auto header_length = static_cast<uint32_t>(bytes.size());
  bytes.resize(bytes.size() + 40);
  TransportHeader read;
  CHECK(rpcrdma::decode(bytes, static_cast<uint32_t>(bytes.size()), read).header_length == header_length);
}

TEST_CASE("ranges point at the bytes of segments and chunks") {
  TransportHeader read;
  const std::vector<uint8_t> bytes = bytes_of(with_chunks(1, 0));
  rpcrdma::decode(bytes, static_cast<uint32_t>(bytes.size()), read);
  CHECK(read.chunks.reads[0].at == Range{20, 20});
  CHECK(read.chunks.reads[0].target.at == Range{24, 16});
  CHECK(read.chunks.reads[1].at == Range{44, 20});
  CHECK(read.chunks.writes[0].at == Range{72, 36});
  CHECK(read.chunks.writes[0].target[1].at == Range{92, 16});
  CHECK(read.chunks.writes[1].at == Range{112, 4});
  CHECK(read.chunks.reply[0].at == Range{124, 20});
}

TEST_CASE("what does not exist in a version ends the header without a stop") {
  TransportHeader read;
  const auto decode = [&](const std::string& hex) {
    const std::vector<uint8_t> bytes = unhex(hex);
    return rpcrdma::decode(bytes, static_cast<uint32_t>(bytes.size()), read);
  };
  const auto ends_at = [&](const std::string& hex, uint32_t length) {
    const Decoded decoded = decode(hex);
    CHECK_FALSE(decoded.stop);
    CHECK(decoded.header_length == length);
  };
  SECTION("version 3") {
    ends_at("00000001 00000003 00000020 00000000 ffffffff", 16);
    CHECK(read.version == 3);
  }
  SECTION("procedure 9 of version one") {
    ends_at("00000001 00000001 00000020 00000009 ffffffff", 16);
  }
  SECTION("procedure 3 of version two") {
    ends_at("00000001 00000002 00000020 00000003 ffffffff", 16);
    CHECK(read.procedure == 3);
  }
  SECTION("error 9 of version one, with the eight words of RFC 5666") {
    ends_at("00000001 00000001 00000020 00000004 00000009" + std::string(64, '0'), 52);
    CHECK(read.error_code() == 9u);
  }
  SECTION("error 9 of version two") {
    ends_at("00000001 00000002 00000020 00000004 00000009 ffffffff", 20);
  }
}

TEST_CASE("a discriminator of two means present, and is remembered") {
  const std::vector<uint8_t> bytes = unhex(
      "00000001 00000001 00000020 00000000"
      "00000002 00000000 00000011 00000100 00000000 00001000 00000000 00000000 00000000");
  TransportHeader read;
  const Decoded decoded = rpcrdma::decode(bytes, static_cast<uint32_t>(bytes.size()), read);
  CHECK_FALSE(decoded.stop);
  CHECK(read.chunks.reads.size() == 1);
  REQUIRE(decoded.odd_discriminator);
  CHECK(std::string(decoded.odd_discriminator->field) == "rdma_reads");
  CHECK(decoded.odd_discriminator->offset == 16);
  CHECK(decoded.odd_discriminator->value == 2);
}

TEST_CASE("a count that no message can hold costs nothing") {
  const std::vector<uint8_t> bytes = unhex(
      "00000001 00000001 00000020 00000000 00000000 00000001 ffffffff"
      "00000021 00000100 00000000 00001000");
  TransportHeader read;
  const Decoded decoded = rpcrdma::decode(bytes, static_cast<uint32_t>(bytes.size()), read);
  REQUIRE(decoded.stop);
  CHECK(*decoded.stop == wire::Stop{decoded.stop->field, 44, 4, 0, wire::Limit::message});
  CHECK(std::string(decoded.stop->field) == "handle");
  CHECK(read.chunks.writes.empty());
}

namespace {

// Where every list of a header keeps its elements: moves when something is allocated.
std::vector<const void*> memory_of(const TransportHeader& header) {
  std::vector<const void*> places = {header.chunks.reads.begin(), header.chunks.writes.begin(),
                                     header.chunks.reply.begin(), header.optional.begin()};
  if (header.chunks.writes.begin() != nullptr) {
    places.push_back(header.chunks.writes[0].target.begin());
    places.push_back(header.chunks.reply[0].target.begin());
  }
  if (header.optional.begin() != nullptr) {
    const v2::Optional& body = header.optional[0];
    places.insert(places.end(),
                  {body.init.start.begin(), body.init.nochg.words.begin(), body.request.want.begin(),
                   body.response.done.words.begin(), body.update.now.data.data(), body.info.data()});
    places.push_back(body.init.start[0].data.data());
  }
  return places;
}

}  // namespace

TEST_CASE("nothing of one message shows through in the next") {
  TransportHeader reused;
  for (const Sample& first : every_kind()) {
    for (const Sample& second : every_kind()) {
      const std::vector<uint8_t> bytes_of_first = bytes_of(first.header);
      const std::vector<uint8_t> bytes = bytes_of(second.header);
      rpcrdma::decode(bytes_of_first, static_cast<uint32_t>(bytes_of_first.size()), reused);
      rpcrdma::decode(bytes, static_cast<uint32_t>(bytes.size()), reused);
      INFO(first.name << ", then " << second.name);
      REQUIRE(reused == second.header);
    }
  }
}

TEST_CASE("nothing of one message shows through in what is cut off of the next") {
  for (const Sample& first : every_kind()) {
    const std::vector<uint8_t> before = bytes_of(first.header);
    for (const Sample& second : every_kind()) {
      const std::vector<uint8_t> bytes = bytes_of(second.header);
      for (uint32_t length = 0; length < bytes.size(); length += 4) {
        TransportHeader fresh, reused;
        rpcrdma::decode(before, static_cast<uint32_t>(before.size()), reused);
        rpcrdma::decode(Bytes(bytes).first(length), length, reused);
        rpcrdma::decode(Bytes(bytes).first(length), length, fresh);
        INFO(first.name << ", then " << length << " bytes of " << second.name);
        REQUIRE(reused == fresh);
      }
    }
  }
}

TEST_CASE("a header that is cleared has nothing in it") {
  for (const Sample& sample : every_kind()) {
    TransportHeader header = sample.header;
    header.clear();
    INFO(sample.name);
    CHECK(header == TransportHeader{});
  }
}

TEST_CASE("a header that was filled before keeps its memory") {
  TransportHeader reused;
  const auto decode_all = [&] {
    for (const Sample& sample : every_kind()) {
      const std::vector<uint8_t> bytes = bytes_of(sample.header);
      rpcrdma::decode(bytes, static_cast<uint32_t>(bytes.size()), reused);
    }
  };
  decode_all();
  const std::vector<const void*> before = memory_of(reused);
  decode_all();
  CHECK(memory_of(reused) == before);
}

TEST_CASE("procedures and errors have the names of their version") {
  CHECK(rpcrdma::procedure_name(1, 0) == "RDMA_MSG");
  CHECK(rpcrdma::procedure_name(1, 1) == "RDMA_NOMSG");
  CHECK(rpcrdma::procedure_name(1, 2) == "RDMA_MSGP");
  CHECK(rpcrdma::procedure_name(1, 3) == "RDMA_DONE");
  CHECK(rpcrdma::procedure_name(1, 4) == "RDMA_ERROR");
  CHECK(rpcrdma::procedure_name(1, 5) == "5");
  CHECK(rpcrdma::procedure_name(2, 0) == "RDMA2_MSG");
  CHECK(rpcrdma::procedure_name(2, 2) == "2");
  CHECK(rpcrdma::procedure_name(2, 5) == "RDMA2_OPTIONAL");
  CHECK(rpcrdma::procedure_name(3, 0) == "0");
  CHECK(rpcrdma::procedure_name(3, 4) == "RDMA_ERROR");  // RFC 8166 §7
  CHECK(rpcrdma::error_name(3, 1) == "ERR_VERS");
  CHECK(rpcrdma::error_name(2, 1) == "RDMA2_ERR_VERS");
  CHECK(rpcrdma::error_name(1, 1) == "ERR_VERS");
  CHECK(rpcrdma::error_name(1, 2) == "ERR_CHUNK");
  CHECK(rpcrdma::error_name(1, 3) == "3");
  CHECK(rpcrdma::error_name(2, 2) == "RDMA2_ERR_BAD_XDR");
  CHECK(rpcrdma::error_name(2, 3) == "RDMA2_ERR_CANT_REPLY");
  CHECK(rpcrdma::error_name(2, 6) == "6");
}
