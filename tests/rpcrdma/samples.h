// One transport header of every kind, for the tests of this folder. Small numbers are chosen so that golden
// text can be read at a glance.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rpcrdma/header.h"

namespace samples {

using namespace steertag;
using rpcrdma::TransportHeader;
namespace v1 = rpcrdma::v1;
namespace v2 = rpcrdma::v2;
namespace xchar = rpcrdma::xchar;

inline std::vector<uint8_t> unhex(const std::string& text) {
  std::vector<uint8_t> bytes;
  std::string digits;
  for (const char c : text) {
    if (c == ' ' || c == '|' || c == '\n') {
      continue;
    }
    digits += c;
    if (digits.size() == 2) {
      bytes.push_back(static_cast<uint8_t>(std::stoul(digits, nullptr, 16)));
      digits.clear();
    }
  }
  return bytes;
}

inline std::vector<uint8_t> bytes_of(const TransportHeader& header) {
  std::vector<uint8_t> bytes;
  rpcrdma::encode(header, bytes);
  return bytes;
}

inline rpcrdma::Segment segment(uint32_t handle, uint32_t length, uint64_t offset) {
  return {handle, length, offset, {}};
}

inline rpcrdma::ChunkLists some_chunks() {
  rpcrdma::ChunkLists chunks;
  chunks.reads.push_back({132, segment(0x11, 4096, 0x1000), {}});
  chunks.reads.push_back({132, segment(0x12, 100, 0x2000), {}});
  rpcrdma::WriteChunk& first = chunks.writes.add();
  first.target.push_back(segment(0x21, 8192, 0x3000));
  first.target.push_back(segment(0x22, 512, 0x4000));
  chunks.writes.add();  // an empty chunk
  chunks.reply.add().target.push_back(segment(0x31, 1024, 0x5000));
  return chunks;
}

inline TransportHeader fixed(uint32_t version, uint32_t procedure) {
  TransportHeader header;
  header.xid = 0xaabbccdd;
  header.version = version;
  header.credit = 32;
  header.procedure = procedure;
  return header;
}

inline TransportHeader with_chunks(uint32_t version, uint32_t procedure) {
  TransportHeader header = fixed(version, procedure);
  header.chunks = some_chunks();
  if (version == 2) {
    header.direction = rpcrdma::MsgType::call;
    header.inv_handle = 0x21;
  }
  return header;
}

inline TransportHeader msgp() {
  TransportHeader header = with_chunks(1, 2);
  header.padding = v1::Padding{4096, 512};
  return header;
}

inline TransportHeader error_v1(v1::ErrorCode code) {
  TransportHeader header = fixed(1, 4);
  header.error_v1 = v1::Error{code, 0, 0};
  if (code == v1::ErrorCode::vers) {
    header.error_v1->vers_low = 1;
    header.error_v1->vers_high = 2;
  }
  return header;
}

inline TransportHeader error_v2(v2::ErrorCode code) {
  TransportHeader header = fixed(2, 4);
  v2::Error error;
  error.code = code;
  if (code == v2::ErrorCode::vers) {
    error.vers_low = 1;
    error.vers_high = 2;
  } else if (code == v2::ErrorCode::cant_reply) {
    error.processed = rpcrdma::XdrBool::yes;
    error.segment_index = 1;
    error.length_needed = 9000;
  }
  header.error_v2 = error;
  return header;
}

inline TransportHeader optional(xchar::Operation operation) {
  TransportHeader header = fixed(2, 5);
  header.direction = rpcrdma::MsgType::call;
  v2::Optional& body = header.optional.add();
  body.direction = rpcrdma::MsgType::call;
  body.opttype = operation;
  return header;
}

// The worked example of the format notes: RBSIZ 8192, REQREMINV TRUE, both fixed.
inline TransportHeader initxch() {
  TransportHeader header = optional(xchar::Operation::initxch);
  xchar::Init& init = header.optional[0].init;
  init.start.push_back(xchar::make(xchar::Id::rbsiz, 8192));
  init.start.push_back(xchar::make(xchar::Id::reqreminv, 1));
  init.nochg.set(0);
  init.nochg.set(1);
  return header;
}

inline TransportHeader reqxch() {
  TransportHeader header = optional(xchar::Operation::reqxch);
  auto& want = header.optional[0].request.want;
  want.push_back(xchar::make(xchar::Id::brs, 2));
  want.push_back({static_cast<xchar::Id>(77), {1, 2, 3, 4, 5}, {}});
  want.push_back({static_cast<xchar::Id>(0xFFFFFF01), {}, {}});
  return header;
}

inline TransportHeader respxch() {
  TransportHeader header = optional(xchar::Operation::respxch);
  xchar::Response& response = header.optional[0].response;
  response.done.set(0);
  response.rej.set(33);
  return header;
}

inline TransportHeader updxch() {
  TransportHeader header = optional(xchar::Operation::updxch);
  header.optional[0].update.now = xchar::make(xchar::Id::rbsiz, 65536);
  header.optional[0].update.pendclr = rpcrdma::XdrBool::yes;
  return header;
}

inline TransportHeader unknown_operation() {
  TransportHeader header = optional(static_cast<xchar::Operation>(77));
  header.optional[0].info = {0xde, 0xad, 0xbe, 0xef, 0x01};
  return header;
}

struct Sample {
  const char* name;
  TransportHeader header;
};

inline std::vector<Sample> every_kind() {
  return {
      {"v1 msg", with_chunks(1, 0)},
      {"v1 nomsg", with_chunks(1, 1)},
      {"v1 msgp", msgp()},
      {"v1 done", fixed(1, 3)},
      {"v1 error vers", error_v1(v1::ErrorCode::vers)},
      {"v1 error chunk", error_v1(v1::ErrorCode::chunk)},
      {"v2 msg", with_chunks(2, 0)},
      {"v2 nomsg", with_chunks(2, 1)},
      {"v2 error vers", error_v2(v2::ErrorCode::vers)},
      {"v2 error bad_xdr", error_v2(v2::ErrorCode::bad_xdr)},
      {"v2 error cant_reply", error_v2(v2::ErrorCode::cant_reply)},
      {"v2 error inval_proc", error_v2(v2::ErrorCode::inval_proc)},
      {"v2 error inval_option", error_v2(v2::ErrorCode::inval_option)},
      {"initxch", initxch()},
      {"reqxch", reqxch()},
      {"respxch", respxch()},
      {"updxch", updxch()},
      {"unknown operation", unknown_operation()},
  };
}

}  // namespace samples
