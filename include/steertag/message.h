// What `steertag schema` describes, as structs of your own. A member that does not apply is unset, empty, 0
// or false.
// Made of the records in core/report/record, which say each member once, by scripts/update-expected.
// clang-format off
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <steertag/version.h>

namespace steertag::v0 {

struct MessageRead {
  uint32_t position = 0;  // Where in the RPC message the chunk belongs, in bytes.
  uint32_t handle = 0;  // An R_Key or STag.
  uint32_t length = 0;  // Bytes.
  uint64_t offset = 0;  // Of the first byte in the memory that the handle stands for.
};

struct MessageSegment {
  uint32_t handle = 0;  // An R_Key or STag.
  uint32_t length = 0;  // Bytes.
  uint64_t offset = 0;  // Of the first byte in the memory that the handle stands for.
};

struct MessageError {
  // The transport error by its name, or the number as text where the version does not define it.
  std::string code;
  std::optional<uint32_t> vers_low;  // The lowest version that the Responder knows.
  std::optional<uint32_t> vers_high;  // The highest.
  std::optional<std::vector<uint8_t>> extra;  // What RFC 5666 let follow the code.
  std::optional<uint32_t> processed;  // Whether the request was carried out.
  std::optional<uint32_t> segment_index;  // Which segment was too short.
  std::optional<uint32_t> length_needed;  // How long it would have had to be, in bytes.
};

struct MessageCharacteristic {
  uint32_t id = 0;  // Its number.
  std::string name;  // Its name, where it has one.
  std::optional<uint32_t> value;  // Its value; of XCHAR_RBSIZ, bytes.
  std::string text;  // The name of the value, where values have names; else the number.
  std::optional<std::vector<uint8_t>> data;  // Where it is no number, or the id is not known.
};

struct MessageOptional {
  uint32_t opttype = 0;  // rdma_opttype.
  std::string operation;  // The name of opttype.
  std::vector<MessageCharacteristic> start;  // What the sender has from the start.
  std::vector<uint32_t> nochg;  // Which of them will not change.
  std::vector<MessageCharacteristic> want;  // What the peer is asked to change.
  std::vector<uint32_t> done;  // Which of these it has changed.
  std::vector<uint32_t> rej;  // Which of these it refuses to change.
  std::vector<uint32_t> pend;  // Which of these it will change later.
  std::optional<MessageCharacteristic> now;  // What has changed.
  std::optional<uint32_t> pendclr;  // Whether this settles a change that was pending.
  // rdma_optinfo, where its structure is not known, or what follows it.
  std::optional<std::vector<uint8_t>> info;
};

struct MessageStop {
  std::string field;  // The XDR name of the field that did not fit.
  uint32_t offset = 0;  // Where it begins, in bytes from the start of the header.
  uint32_t needed = 0;  // Bytes that it takes.
  uint32_t available = 0;  // Bytes that were left.
  // What ended: what was captured of the message, the message itself, or a part of it that has a length of
  // its own.
  std::string limit;
};

struct MessageRpc {
  uint32_t xid = 0;  // The XID.
  std::string type;  // Left out where it is neither.
  std::optional<uint32_t> program;  // The number of the RPC program.
  std::optional<uint32_t> version;  // The version of the program.
  std::optional<uint32_t> procedure;  // The number of the procedure.
  std::string name;  // Program, version and procedure in words: NFSv4 COMPOUND.
  std::string reply_stat;  // Whether the request was accepted, or the number as text.
  std::string accept_stat;  // By its name, or the number as text.
  std::string reject_stat;  // By its name, or the number as text.
};

struct MessageConfRdma {
  std::optional<uint32_t> maxcall_sendsize;  // The longest Call inline.
  std::optional<uint32_t> maxreply_sendsize;  // The longest Reply inline.
  std::optional<uint32_t> align;  // What the data of an RDMA_MSGP has to be aligned to.
  std::optional<uint32_t> maxrdmaread;  // RDMA Reads at a time.
};

// One Send with its transport header, as far as it could be read (from decode). A retransmitted Send is not a
// second message.
struct Message {
  uint64_t frame = 0;  // The frame that completed it.
  std::vector<uint64_t> frames;  // All that carried its first good copy.
  int64_t time_ns = 0;  // Of frame. Nanoseconds since the epoch.
  uint32_t conn = 0;  // The number of the connection.
  std::string from;  // An IPv4 or IPv6 address, a GID as one, or lid:N.
  std::string to;  // An IPv4 or IPv6 address, a GID as one, or lid:N.
  // Whether the connection's client sent it; left out where the roles are not known.
  std::optional<bool> from_client;
  std::string send;  // The RDMA operation that carried it.
  std::optional<uint32_t> invalidated;  // What a Send With Invalidate invalidates.
  std::optional<uint32_t> xid;  // The XID.
  std::optional<uint32_t> vers;  // rdma_vers.
  std::optional<uint32_t> credit;  // rdma_credit: asked for by a Requester, granted by a Responder.
  std::string proc;  // rdma_proc by its name, or the number as text where the version does not define it.
  std::string direction;  // Whether it belongs to a Call or to a Reply; left out where that cannot be known.
  bool received = true;  // False: It was sent while the connection was being closed, and never acknowledged.
  std::optional<uint32_t> align;  // rdma_align of an RDMA_MSGP, in bytes.
  std::optional<uint32_t> thresh;  // rdma_thresh of an RDMA_MSGP, in bytes.
  std::optional<uint32_t> inv_handle;  // rdma_inv_handle of version two.
  std::vector<MessageRead> reads;  // The Read list.
  std::vector<std::vector<MessageSegment>> writes;  // The Write list, a list of segments for each chunk.
  std::vector<MessageSegment> reply;  // The Reply chunk.
  std::optional<MessageError> error;  // The body of RDMA_ERROR or RDMA2_ERROR.
  std::optional<MessageOptional> optional;  // The body of RDMA2_OPTIONAL.
  // Where reading the header had to end; what was read before that is there.
  std::optional<MessageStop> stop;
  std::optional<uint32_t> payload_length;  // Bytes behind the transport header, as they were on the wire.
  std::optional<uint32_t> payload_captured;  // How many of them were captured, where that is fewer.
  std::optional<MessageRpc> rpc;  // The RPC header behind the transport header, where it is inline.
  // What CONF_RDMA (RFC 5666) asks for, or settles. Sizes in bytes.
  std::optional<MessageConfRdma> conf_rdma;
};

}  // namespace steertag::v0
