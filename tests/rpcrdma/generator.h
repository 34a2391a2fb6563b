// Random transport headers for the tests of this folder: valid ones of every
// kind, with known, unknown and experimental characteristics.
#pragma once

#include <random>

#include "samples.h"

namespace samples {

// Random valid headers of every kind, the same ones in every run.
class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  TransportHeader header() {
    switch (below(10)) {
      case 0:
        return chunks(1, 0);
      case 1:
        return chunks(1, 1);
      case 2:
        return padded();
      case 3:
        return start(below(2) ? 1 : 3, 3);  // DONE, or a version that nobody knows
      case 4:
        return error_one();
      case 5:
        return chunks(2, 0);
      case 6:
        return chunks(2, 1);
      case 7:
        return error_two();
      default:
        return extension();
    }
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  uint32_t word() { return below(4) ? static_cast<uint32_t>(random_()) : below(3); }

  TransportHeader start(uint32_t version, uint32_t procedure) {
    TransportHeader header;
    header.xid = word();
    header.version = version;
    header.credit = word();
    header.procedure = procedure;
    return header;
  }

  // One word a statement: the order in which arguments are evaluated is the compiler's.
  rpcrdma::Segment any_segment() {
    rpcrdma::Segment segment;
    segment.handle = word();
    segment.length = word();
    segment.offset = uint64_t{word()} << 32;
    segment.offset |= word();
    return segment;
  }

  void fill(rpcrdma::WriteChunk& chunk) {
    for (uint32_t i = below(5); i > 0; --i) {
      chunk.target.push_back(any_segment());
    }
  }

  TransportHeader chunks(uint32_t version, uint32_t procedure) {
    TransportHeader header = start(version, procedure);
    for (uint32_t i = below(5); i > 0; --i) {
      header.chunks.reads.push_back({word(), any_segment(), {}});
    }
    for (uint32_t i = below(4); i > 0; --i) {
      fill(header.chunks.writes.add());
    }
    if (below(2)) {
      fill(header.chunks.reply.add());
    }
    if (version == 2) {
      header.direction = direction();
      header.inv_handle = word();
    }
    return header;
  }

  TransportHeader padded() {
    TransportHeader header = chunks(1, 2);
    header.padding = v1::Padding{word(), word()};
    return header;
  }

  TransportHeader error_one() {
    TransportHeader header = start(1, 4);
    header.error_v1 = v1::Error{static_cast<v1::ErrorCode>(below(4)), 0, 0};
    if (header.error_v1->code == v1::ErrorCode::vers) {
      header.error_v1->vers_low = word();
      header.error_v1->vers_high = word();
    } else if (header.error_v1->code != v1::ErrorCode::chunk && below(2) != 0) {
      header.error_v1->extra.emplace().back() = static_cast<uint8_t>(below(256));
    }
    return header;
  }

  TransportHeader error_two() {
    TransportHeader header = start(2, 4);
    v2::Error error;
    error.code = static_cast<v2::ErrorCode>(below(7));
    if (error.code == v2::ErrorCode::vers) {
      error.vers_low = word();
      error.vers_high = word();
    } else if (error.code == v2::ErrorCode::cant_reply) {
      error.processed = static_cast<rpcrdma::XdrBool>(word());
      error.segment_index = word();
      error.length_needed = word();
    }
    header.error_v2 = error;
    return header;
  }

  rpcrdma::MsgType direction() { return static_cast<rpcrdma::MsgType>(below(2)); }

  std::vector<uint8_t> octets(uint32_t at_most) {
    std::vector<uint8_t> bytes(below(at_most + 1));
    for (uint8_t& byte : bytes) {
      byte = static_cast<uint8_t>(random_());
    }
    return bytes;
  }

  xchar::Value characteristic() {
    switch (below(4)) {
      case 0:
        return {static_cast<xchar::Id>(0xFFFFFF00 + below(256)), octets(9), {}};
      case 1:
        return {static_cast<xchar::Id>(word()), octets(9), {}};
      default:
        return xchar::make(static_cast<xchar::Id>(1 + below(3)), below(3));
    }
  }

  base::List<xchar::Value> characteristics() {
    base::List<xchar::Value> list;
    for (uint32_t i = below(5); i > 0; --i) {
      list.push_back(characteristic());
    }
    return list;
  }

  xchar::Subset subset() {
    xchar::Subset result;
    for (uint32_t i = below(4); i > 0; --i) {
      result.words.push_back(word());
    }
    return result;
  }

  TransportHeader extension() {
    TransportHeader header = optional(static_cast<xchar::Operation>(below(6)));
    v2::Optional& body = header.optional[0];
    body.direction = direction();
    header.direction = body.direction;
    switch (body.opttype) {
      case xchar::Operation::initxch:
        body.init = {characteristics(), subset()};
        break;
      case xchar::Operation::reqxch:
        body.request = {characteristics()};
        break;
      case xchar::Operation::respxch:
        body.response = {subset(), subset(), subset()};
        break;
      case xchar::Operation::updxch:
        body.update = {characteristic(), static_cast<rpcrdma::XdrBool>(below(2))};
        break;
      default:
        body.info = octets(20);
        return header;
    }
    if (below(4) == 0) {
      body.info = octets(5);
    }
    return header;
  }

  std::mt19937 random_;
};

}  // namespace samples
