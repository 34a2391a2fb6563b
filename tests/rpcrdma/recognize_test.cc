#include "rpcrdma/recognize.h"

#include <catch2/catch.hpp>

#include "samples.h"

using namespace steertag;
using namespace samples;
using rpcrdma::Likeness;
using rpcrdma::recognize;

namespace {

Likeness whole(const std::vector<uint8_t>& bytes) {
  return recognize(bytes, static_cast<uint32_t>(bytes.size()));
}

// A header followed by an RPC Call of 40 bytes.
std::vector<uint8_t> message(const TransportHeader& header, const std::string& payload) {
  std::vector<uint8_t> bytes = bytes_of(header);
  const std::vector<uint8_t> rpc = unhex(payload);
  bytes.insert(bytes.end(), rpc.begin(), rpc.end());
  return bytes;
}

const std::string null_auth = "00000000 00000000 00000000 00000000";
const std::string rpc_call = "aabbccdd 00000000 00000002 000186a3 00000004 00000001" + null_auth;
const std::string rpc_reply = "aabbccdd 00000001 00000000 00000000 00000000 00000000";

}  // namespace

TEST_CASE("a payload that repeats the XID is strong evidence") {
  CHECK(whole(message(with_chunks(1, 0), rpc_call)) == Likeness::yes);
  CHECK(whole(message(fixed(1, 0), rpc_reply)) == Likeness::yes);
  CHECK(whole(message(msgp(), rpc_call)) == Likeness::yes);
  CHECK(whole(message(with_chunks(2, 0), rpc_call)) == Likeness::yes);
}

TEST_CASE("a payload that is something else is none") {
  CHECK(whole(message(fixed(1, 0), "aabbccde 00000000 00000002 000186a3 00000004 00000001" + null_auth)) ==
        Likeness::no);
  CHECK(whole(message(fixed(1, 0), "aabbccdd 00000000 00000003 000186a3 00000004 00000001" + null_auth)) ==
        Likeness::no);
  CHECK(whole(message(fixed(1, 0), "aabbccdd 00000002 00000002 000186a3 00000004 00000001" + null_auth)) ==
        Likeness::no);
  CHECK(whole(message(fixed(1, 0), "aabbccdd 00000001 00000002")) == Likeness::no);
  CHECK(whole(message(fixed(1, 0), "aabbccdd")) == Likeness::no);
  CHECK(whole(bytes_of(fixed(1, 0))) == Likeness::no);
  CHECK(whole(message(with_chunks(2, 0), rpc_reply)) == Likeness::no);  // rdma_direction says Call
}

TEST_CASE("a NOMSG needs a chunk") {
  CHECK(whole(bytes_of(with_chunks(1, 1))) == Likeness::yes);
  CHECK(whole(bytes_of(with_chunks(2, 1))) == Likeness::yes);
  CHECK(whole(bytes_of(fixed(1, 1))) == Likeness::maybe);
  CHECK(whole(message(with_chunks(1, 1), "00000000")) == Likeness::maybe);
}

TEST_CASE("errors and DONE prove little") {
  CHECK(whole(bytes_of(fixed(1, 3))) == Likeness::maybe);
  CHECK(whole(message(fixed(1, 3), "00000000")) == Likeness::no);
  CHECK(whole(bytes_of(error_v1(v1::ErrorCode::vers))) == Likeness::maybe);
  CHECK(whole(bytes_of(error_v2(v2::ErrorCode::cant_reply))) == Likeness::maybe);
  CHECK(whole(message(error_v1(v1::ErrorCode::chunk), "00000000")) == Likeness::no);
  CHECK(whole(bytes_of(error_v1(static_cast<v1::ErrorCode>(3)))) == Likeness::no);
  CHECK(whole(bytes_of(error_v2(static_cast<v2::ErrorCode>(6)))) == Likeness::no);
}

TEST_CASE("an extension is evidence when its contents are known") {
  CHECK(whole(bytes_of(initxch())) == Likeness::yes);
  CHECK(whole(bytes_of(respxch())) == Likeness::yes);
  CHECK(whole(bytes_of(unknown_operation())) == Likeness::maybe);
}

TEST_CASE("other versions, procedures and discriminators are turned away") {
  CHECK(whole(bytes_of(fixed(3, 0))) == Likeness::no);
  CHECK(whole(bytes_of(fixed(0, 0))) == Likeness::no);
  CHECK(whole(message(fixed(1, 5), rpc_call)) == Likeness::no);
  CHECK(whole(message(fixed(2, 2), rpc_call)) == Likeness::no);
  std::vector<uint8_t> odd = message(with_chunks(1, 0), rpc_call);
  odd[19] = 3;
  CHECK(whole(odd) == Likeness::no);
  CHECK(whole(std::vector<uint8_t>(12)) == Likeness::no);
  CHECK(whole({}) == Likeness::no);
}

TEST_CASE("a message that the capture cut may be one") {
  const std::vector<uint8_t> bytes = message(with_chunks(1, 0), rpc_call);
  const size_t header_length = bytes.size() - 40;
  for (size_t length = 0; length < bytes.size(); ++length) {
    INFO("cut at " << length);
    const Likeness likeness = recognize(Bytes(bytes).first(length), static_cast<uint32_t>(bytes.size()));
    if (length < 16) {
      CHECK(likeness == Likeness::no);
    } else if (length < header_length + 8) {
      CHECK(likeness == Likeness::maybe);
    } else {
      CHECK(likeness == Likeness::yes);
    }
  }
}
