// TransportHeader: one RPC-over-RDMA transport header of either version, as far
// as it could be read. decode() is called for every Send of a connection and
// refills one header again and again; encode() is its inverse.
// Reading never fails: what was read is in the header, and Decoded says
// where and why it ended. Parts that a message does not have are empty. The
// header owns everything in it and can be copied and kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "rpcrdma/v1.h"
#include "rpcrdma/v2.h"
#include "wire/outline.h"
#include "wire/reader.h"
#include "wire/stop.h"

namespace steertag::rpcrdma {

inline constexpr uint32_t fixed_header_length = 16;  // bytes: XID, version, credit, procedure

struct TransportHeader {
  // The four fixed words of every version (RFC 8166 §4.2).
  uint32_t xid = 0;
  uint32_t version = 0;
  uint32_t credit = 0;     // requested in a Call, granted in a Reply
  uint32_t procedure = 0;  // v1::Proc or v2::Proc, by version; other values are kept

  std::optional<v1::Padding> padding;  // RDMA_MSGP
  std::optional<MsgType> direction;    // version two: rdma_direction or rdma_optdir
  std::optional<uint32_t> inv_handle;  // RDMA2_MSG, RDMA2_NOMSG
  ChunkLists chunks;                   // MSG, NOMSG, MSGP; whole elements only
  std::optional<v1::Error> error_v1;   // RDMA_ERROR of any version but two, once its code was read
  std::optional<v2::Error> error_v2;   // RDMA2_ERROR, once its code was read
  base::List<v2::Optional> optional;   // RDMA2_OPTIONAL, once its opttype was read: at most one

  bool is(v1::Proc proc) const { return version == 1 && procedure == static_cast<uint32_t>(proc); }
  bool is(v2::Proc proc) const { return version == 2 && procedure == static_cast<uint32_t>(proc); }
  bool is_msg() const { return is(v1::Proc::msg) || is(v2::Proc::msg); }
  bool is_nomsg() const { return is(v1::Proc::nomsg) || is(v2::Proc::nomsg); }
  bool is_error() const { return procedure == static_cast<uint32_t>(v1::Proc::error); }  // of any version
  // An RPC message follows the header.
  bool carries_payload() const { return is_msg() || is(v1::Proc::msgp); }
  // The message conveys an RPC message, inline or in chunks. The same have chunk lists.
  bool conveys_rpc() const { return carries_payload() || is_nomsg(); }
  std::optional<uint32_t> error_code() const;  // rdma_err of either version

  void clear();  // keeps the memory of the lists

  friend bool operator==(const TransportHeader&, const TransportHeader&) = default;
};

// Fields that stand at a fixed place, by where they end: bytes from the start of the header.
enum class FixedField : uint32_t {
  xid = 4,
  version = 8,
  credit = 12,
  procedure = 16,
  error_code = 20,
  error_vers_low = 24,  // ERR_VERS
  error_vers_high = 28,
  error_processed = 24,  // RDMA2_ERR_CANT_REPLY
  error_segment_index = 28,
  error_length_needed = 32,
};

struct Decoded {
  // Bytes from the start of the Send to the end of the header, where an RPC
  // payload begins. Where reading stopped: the bytes read, except that a stop
  // inside rdma_optinfo still finds the end of rdma_optinfo.
  uint32_t header_length = 0;
  std::optional<wire::Stop> stop;
  // A list discriminator that was neither 0 nor 1; read as "present".
  std::optional<wire::Reader::OddDiscriminator> odd_discriminator;
  std::optional<Range> nonzero_pad;  // the first XDR pad that was not all zeros

  // Whether reading came past it.
  bool has(FixedField field) const { return header_length >= static_cast<uint32_t>(field); }
};

// Reads the transport header at the front of a Send. `captured` is the prefix of
// the Send that the capture holds, `wire_length` the length of the whole Send in
// bytes; the stop's limit says which of the two ended the reading. A procedure or
// an error code that does not exist ends the header after its own word, without a
// stop, but that RFC 5666's rdma_extra is read where anything follows such a code; a version that does
// not exist ends it after rdma_proc or, in an RDMA_ERROR, after rdma_err and the range of ERR_VERS. Allocates
// nothing once `into` has held a header as large.
Decoded decode(Bytes captured, uint32_t wire_length, TransportHeader& into);

// Appends the header's bytes. For a header that decode() read without a stop,
// without an odd discriminator and with zero pad bytes, exactly the bytes read.
void encode(const TransportHeader& header, std::vector<uint8_t>& out);

// Appends the header's fields in wire order, as far as they could be read, each
// with its range in the message. Returns what decode() returns.
Decoded outline(Bytes captured, uint32_t wire_length, std::vector<wire::Node>& into);

// Whether `version` is one or two and has this rdma_proc.
bool procedure_exists(uint32_t version, uint32_t procedure);

// "RDMA_MSG", "RDMA2_OPTIONAL"; the number as text where `version` has no such procedure. Of versions to
// come RDMA_ERROR and ERR_VERS are known (RFC 8166 §7).
std::string procedure_name(uint32_t version, uint32_t procedure);

// "ERR_VERS", "RDMA2_ERR_CANT_REPLY"; the number as text where `version` has no such error.
std::string error_name(uint32_t version, uint32_t code);

}  // namespace steertag::rpcrdma
