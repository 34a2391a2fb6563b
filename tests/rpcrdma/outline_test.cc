// The golden text of transport headers: every field by its XDR name, with its
// place in the message.
#include <catch2/catch.hpp>

#include "rpcrdma/header.h"
#include "samples.h"

using namespace steertag;
using namespace samples;

namespace {

std::string outline_of(Bytes bytes, uint32_t wire_length) {
  std::vector<wire::Node> nodes;
  rpcrdma::outline(bytes, wire_length, nodes);
  return wire::text(nodes);
}

std::string outline_of(const TransportHeader& header) {
  const std::vector<uint8_t> bytes = bytes_of(header);
  return outline_of(bytes, static_cast<uint32_t>(bytes.size()));
}

std::string fixed_words(int version, const std::string& procedure) {
  return "rdma_xid: 0xaabbccdd [0+4]\nrdma_vers: " + std::to_string(version) +
         " [4+4]\nrdma_credit: 32 [8+4]\nrdma_proc: " + procedure + " [12+4]\n";
}

}  // namespace

TEST_CASE("outline of an RDMA_MSG with all three lists") {
  CHECK(outline_of(with_chunks(1, 0)) == fixed_words(1, "RDMA_MSG (0)") + R"(rdma_reads [16+52]
  rdma_reads[0] [20+20]
    position: 132 [20+4]
    target [24+16]
      handle: 0x00000011 [24+4]
      length: 4096 [28+4]
      offset: 0x0000000000001000 [32+8]
  rdma_reads[1] [44+20]
    position: 132 [44+4]
    target [48+16]
      handle: 0x00000012 [48+4]
      length: 100 [52+4]
      offset: 0x0000000000002000 [56+8]
rdma_writes [68+52]
  rdma_writes[0] [72+36]
    target [72+36]
      target[0] [76+16]
        handle: 0x00000021 [76+4]
        length: 8192 [80+4]
        offset: 0x0000000000003000 [84+8]
      target[1] [92+16]
        handle: 0x00000022 [92+4]
        length: 512 [96+4]
        offset: 0x0000000000004000 [100+8]
  rdma_writes[1] [112+4]
    target [112+4]
rdma_reply [120+24]
  rdma_reply[0] [124+20]
    target [124+20]
      target[0] [128+16]
        handle: 0x00000031 [128+4]
        length: 1024 [132+4]
        offset: 0x0000000000005000 [136+8]
)");
}

TEST_CASE("outline of an RDMA_NOMSG without chunks") {
  CHECK(outline_of(fixed(1, 1)) == fixed_words(1, "RDMA_NOMSG (1)") + R"(rdma_reads [16+4]
rdma_writes [20+4]
rdma_reply [24+4]
)");
}

TEST_CASE("outline of an RDMA_MSGP") {
  TransportHeader header = fixed(1, 2);
  header.padding = v1::Padding{4096, 512};
  CHECK(outline_of(header) == fixed_words(1, "RDMA_MSGP (2)") + R"(rdma_align: 4096 [16+4]
rdma_thresh: 512 [20+4]
rdma_reads [24+4]
rdma_writes [28+4]
rdma_reply [32+4]
)");
}

TEST_CASE("outline of an RDMA_DONE") {
  CHECK(outline_of(fixed(1, 3)) == fixed_words(1, "RDMA_DONE (3)"));
}

TEST_CASE("outline of what a version does not define") {
  CHECK(outline_of(fixed(1, 9)) == fixed_words(1, "9"));
  CHECK(outline_of(fixed(7, 0)) == fixed_words(7, "0"));
}

TEST_CASE("outline of version one errors") {
  const std::string start = fixed_words(1, "RDMA_ERROR (4)");
  CHECK(outline_of(error_v1(v1::ErrorCode::chunk)) == start + "rdma_err: ERR_CHUNK (2) [16+4]\n");
  CHECK(outline_of(error_v1(v1::ErrorCode::vers)) == start + R"(rdma_err: ERR_VERS (1) [16+4]
rdma_vers_low: 1 [20+4]
rdma_vers_high: 2 [24+4]
)");
  TransportHeader later = error_v1(v1::ErrorCode::vers);
  later.version = 3;
  CHECK(outline_of(later).find("rdma_proc: RDMA_ERROR (4)") != std::string::npos);
  TransportHeader other = error_v1(static_cast<v1::ErrorCode>(9));
  other.error_v1->extra.emplace();
  CHECK(outline_of(other) ==
        start + "rdma_err: 9 [16+4]\nrdma_extra: " + std::string(64, '0') + " [20+32]\n");
}

TEST_CASE("outline of an RDMA2_MSG and an RDMA2_NOMSG") {
  TransportHeader header = fixed(2, 0);
  header.direction = rpcrdma::MsgType::reply;
  header.inv_handle = 0x21;
  const std::string rest = R"(rdma_direction: REPLY (1) [16+4]
rdma_inv_handle: 0x00000021 [20+4]
rdma_reads [24+4]
rdma_writes [28+4]
rdma_reply [32+4]
)";
  CHECK(outline_of(header) == fixed_words(2, "RDMA2_MSG (0)") + rest);
  header.procedure = 1;
  CHECK(outline_of(header) == fixed_words(2, "RDMA2_NOMSG (1)") + rest);
}

TEST_CASE("outline of version two errors") {
  const std::string start = fixed_words(2, "RDMA2_ERROR (4)");
  CHECK(outline_of(error_v2(v2::ErrorCode::bad_xdr)) == start + "rdma_err: RDMA2_ERR_BAD_XDR (2) [16+4]\n");
  CHECK(outline_of(error_v2(v2::ErrorCode::inval_proc)) ==
        start + "rdma_err: RDMA2_ERR_INVAL_PROC (4) [16+4]\n");
  CHECK(outline_of(error_v2(v2::ErrorCode::inval_option)) ==
        start + "rdma_err: RDMA2_ERR_INVAL_OPTION (5) [16+4]\n");
  CHECK(outline_of(error_v2(v2::ErrorCode::vers)) == start + R"(rdma_err: RDMA2_ERR_VERS (1) [16+4]
rdma_vers_low: 1 [20+4]
rdma_vers_high: 2 [24+4]
)");
  CHECK(outline_of(error_v2(v2::ErrorCode::cant_reply)) ==
        start + R"(rdma_err: RDMA2_ERR_CANT_REPLY (3) [16+4]
rdma_processed: TRUE (1) [20+4]
rdma_segment_index: 1 [24+4]
rdma_length_needed: 9000 [28+4]
)");
}

TEST_CASE("outline of an INITXCH") {
  CHECK(outline_of(initxch()) == fixed_words(2, "RDMA2_OPTIONAL (5)") + R"(rdma_optdir: CALL (0) [16+4]
rdma_opttype: ROPT_INITXCH (1) [20+4]
rdma_optinfo [24+40]
  optixch_start [28+28]
    optixch_start[0] [32+12]
      xchv_which: XCHAR_RBSIZ (1) [32+4]
      xchv_data: 8192 (00002000) [36+8]
    optixch_start[1] [44+12]
      xchv_which: XCHAR_REQREMINV (2) [44+4]
      xchv_data: TRUE (00000001) [48+8]
  optixch_nochg [56+8]
    optixch_nochg[0]: 3 [60+4]
)");
}

TEST_CASE("outline of a REQXCH with unknown and experimental characteristics") {
  CHECK(outline_of(reqxch()) == fixed_words(2, "RDMA2_OPTIONAL (5)") + R"(rdma_optdir: CALL (0) [16+4]
rdma_opttype: ROPT_REQXCH (2) [20+4]
rdma_optinfo [24+44]
  optreqxch_want [28+40]
    optreqxch_want[0] [32+12]
      xchv_which: XCHAR_BRS (3) [32+4]
      xchv_data: BKREQSUP_GENL (00000002) [36+8]
    optreqxch_want[1] [44+16]
      xchv_which: 77 [44+4]
      xchv_data: 0102030405 [48+12]
    optreqxch_want[2] [60+8]
      xchv_which: 4294967041 [60+4]
      xchv_data:  [64+4]
)");
}

TEST_CASE("outline of a RESPXCH") {
  CHECK(outline_of(respxch()) == fixed_words(2, "RDMA2_OPTIONAL (5)") + R"(rdma_optdir: CALL (0) [16+4]
rdma_opttype: ROPT_RESPXCH (3) [20+4]
rdma_optinfo [24+28]
  optrespxch_done [28+8]
    optrespxch_done[0]: 1 [32+4]
  optrespxch_rej [36+12]
    optrespxch_rej[0]: 0 [40+4]
    optrespxch_rej[1]: 2 [44+4]
  optrespxch_pend [48+4]
)");
}

TEST_CASE("outline of an UPDXCH") {
  CHECK(outline_of(updxch()) == fixed_words(2, "RDMA2_OPTIONAL (5)") + R"(rdma_optdir: CALL (0) [16+4]
rdma_opttype: ROPT_UPDXCH (4) [20+4]
rdma_optinfo [24+20]
  optupdxch_now [28+12]
    xchv_which: XCHAR_RBSIZ (1) [28+4]
    xchv_data: 65536 (00010000) [32+8]
  optupdxch_pendclr: TRUE (1) [40+4]
)");
}

TEST_CASE("outline of an unknown operation") {
  CHECK(outline_of(unknown_operation()) ==
        fixed_words(2, "RDMA2_OPTIONAL (5)") + R"(rdma_optdir: CALL (0) [16+4]
rdma_opttype: 77 [20+4]
rdma_optinfo [24+12]
  rdma_optinfo: deadbeef01 [28+5]
)");
}

TEST_CASE("an outline ends where reading stopped") {
  const std::vector<uint8_t> bytes = bytes_of(with_chunks(1, 0));
  CHECK(outline_of(Bytes(bytes).first(60), static_cast<uint32_t>(bytes.size())) ==
        fixed_words(1, "RDMA_MSG (0)") + R"(rdma_reads [16+40]
  rdma_reads[0] [20+20]
    position: 132 [20+4]
    target [24+16]
      handle: 0x00000011 [24+4]
      length: 4096 [28+4]
      offset: 0x0000000000001000 [32+8]
  rdma_reads[1] [44+12]
    position: 132 [44+4]
    target [48+8]
      handle: 0x00000012 [48+4]
      length: 100 [52+4]
)");
  CHECK(outline_of(Bytes(bytes).first(3), 3).empty());
}

TEST_CASE("an outline ends with the capture where a length leads past it") {
  std::vector<uint8_t> bytes = bytes_of(initxch());
  bytes[38] = 4;  // the first xchv_data is longer than rdma_optinfo
  CHECK(outline_of(Bytes(bytes).first(44), static_cast<uint32_t>(bytes.size())) ==
        fixed_words(2, "RDMA2_OPTIONAL (5)") + R"(rdma_optdir: CALL (0) [16+4]
rdma_opttype: ROPT_INITXCH (1) [20+4]
rdma_optinfo [24+20]
  optixch_start [28+12]
    optixch_start[0] [32+8]
      xchv_which: XCHAR_RBSIZ (1) [32+4]
)");
}

TEST_CASE("an outline is appended and reports what decode() reports") {
  const std::vector<uint8_t> bytes = bytes_of(initxch());
  std::vector<wire::Node> nodes(1);
  TransportHeader header;
  const rpcrdma::Decoded outlined = rpcrdma::outline(Bytes(bytes).first(50), 64, nodes);
  const rpcrdma::Decoded decoded = rpcrdma::decode(Bytes(bytes).first(50), 64, header);
  CHECK(nodes.size() > 1);
  CHECK(outlined.header_length == decoded.header_length);
  CHECK(outlined.stop == decoded.stop);
}
