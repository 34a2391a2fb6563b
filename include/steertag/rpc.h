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

struct RpcPhases {
  uint64_t call = 0;  // Until the Responder had accepted the Call.
  uint64_t start = 0;  // Until the first RDMA Read Request.
  uint64_t read = 0;  // Until the last Read Response was accepted.
  uint64_t serve = 0;  // Until the first RDMA Write, or the Reply.
  uint64_t write = 0;  // Until the last RDMA Write.
  uint64_t finish = 0;  // Until the Reply was first sent.
  uint64_t reply = 0;  // Until it was accepted.
};

enum class RpcWaitedOn : uint8_t { responder, requester, network, data };
constexpr std::string_view name(RpcWaitedOn value) {
  constexpr std::array<std::string_view, 4> names = {"responder", "requester", "network", "data"};
  return static_cast<size_t>(value) < names.size() ? names[static_cast<size_t>(value)] : std::string_view();
}

struct RpcRetryOf {
  uint32_t conn = 0;  // The number of the connection.
  uint64_t call_frame = 0;  // The number of a frame, from 1, as Wireshark counts.
};

enum class RpcStatus : uint8_t { complete, no_reply, no_call, transport_error };
constexpr std::string_view name(RpcStatus value) {
  constexpr std::array<std::string_view, 4> names = {"complete", "no_reply", "no_call", "transport_error"};
  return static_cast<size_t>(value) < names.size() ? names[static_cast<size_t>(value)] : std::string_view();
}

struct RpcFlow {
  uint32_t handle = 0;  // An R_Key or STag.
  uint32_t length = 0;  // Bytes.
  uint64_t offset = 0;  // Of the first byte in the memory that the handle stands for.
  std::optional<uint32_t> position;  // Where in the RPC message the chunk belongs, in bytes.
  uint64_t moved = 0;  // Distinct bytes that RDMA Reads or Writes carried.
  uint64_t ops = 0;  // RDMA Read Requests or RDMA Writes, retransmissions not counted.
  std::vector<uint64_t> frames;  // Those that carried these bytes.
  std::optional<uint32_t> returned;  // The length that the Reply gives for it, in bytes.
  bool after_reply = false;  // Some of it moved after the Reply.
  bool after_done = false;  // Some of it was read after the RDMA_DONE.
};

// One RPC: its Call, its Reply, what moved in between, and where its time went (from flows). Times are those
// of the tap.
struct Rpc {
  uint32_t conn = 0;  // The number of the connection.
  uint32_t xid = 0;  // The XID.
  std::string direction;  // backward: the server called the client.
  std::optional<uint64_t> call_frame;  // The frame that completed the Call.
  std::optional<uint64_t> reply_frame;  // The frame that completed the Reply's first copy.
  std::optional<int64_t> call_time_ns;  // Of call_frame. Nanoseconds since the epoch.
  // Of reply_frame, where there is no Call. Nanoseconds since the epoch.
  std::optional<int64_t> reply_time_ns;
  // Microseconds from call_frame to reply_frame. Negative where clocks differ or go back.
  std::optional<double> latency_us;
  // From the Call's first frame to the copy of the Reply that the Requester accepted. The sum of phases.
  std::optional<uint64_t> delivered_us;
  // What delivered_us was spent on, in microseconds; a phase that did not occur is left out.
  std::optional<RpcPhases> phases;
  // How much of delivered_us went by waiting for what was lost, or refused by an RNR NAK.
  std::optional<uint64_t> recovery_us;
  // What the largest part of the time was spent on; network: packets that were lost; data: moving them by
  // RDMA.
  std::optional<RpcWaitedOn> waited_on;
  std::optional<uint64_t> unanswered_us;  // How long there was no Reply, as far as the capture goes.
  // For how long before the Call its Requester had as many Calls outstanding as it was granted.
  std::optional<uint64_t> at_credit_limit_us;
  std::optional<uint64_t> attempts;  // How many times the Call was sent, this one included.
  std::optional<RpcRetryOf> retry_of;  // The earlier Call that this one repeats.
  std::optional<uint64_t> total_us;  // From the first attempt's Call to the accepted Reply.
  std::optional<uint32_t> program;  // The number of the RPC program.
  std::optional<uint32_t> version;  // The version of the program.
  std::optional<uint32_t> procedure;  // The number of the procedure.
  std::string name;  // Program, version and procedure in words: NFSv4 COMPOUND.
  // What the RPC was sent for: the operation that counts of a COMPOUND, the procedure of other programs.
  std::string op;
  std::vector<std::string> ops;  // All operations of a COMPOUND, in order.
  bool ops_whole = true;  // False: More operations may follow that were not captured or not understood.
  // The file that it is about, as a path as far as the capture shows it, which begins with / where that is
  // all of it. The name is the latest that LOOKUP, OPEN, CREATE, READDIR, MNT or RENAME gave its handle; left
  // out where none did.
  std::string file;
  // Of READ, WRITE, COMMIT and their like: where in the file it begins, in bytes.
  std::optional<uint64_t> offset;
  std::optional<uint64_t> count;  // And how many bytes it asks for.
  std::optional<uint32_t> user;  // The user id in the Call's AUTH_SYS credential.
  std::optional<uint64_t> args_length;  // Bytes of the RPC Call, chunks included.
  std::optional<uint64_t> results_length;  // Bytes of the RPC Reply, chunks included.
  // What there is: Call and Reply, a Call alone, a Reply alone, a Call that an error of the transport
  // answered.
  RpcStatus status{};
  // The frame with which the Requester had all of the Reply, where that is not reply_frame: a copy of it, or
  // of something before it.
  std::optional<uint64_t> reply_accepted_frame;
  std::vector<RpcFlow> reads;  // Segments of the Call's Read list.
  std::vector<std::vector<RpcFlow>> writes;  // The Write list, a list of segments for each chunk.
  std::vector<RpcFlow> reply_chunk;  // Segments of the Reply chunk.
  std::vector<RpcFlow> reply_reads;  // Segments of the Reply's own Read list (RFC 5666).
  std::optional<uint64_t> done_frame;  // Of the RDMA_DONE that says these were read.
  std::optional<uint32_t> invalidated;  // What the Reply invalidated remotely.
  // The transport error by its name, or the number as text where the version does not define it.
  std::string error;
  std::string rpc_status;  // How the RPC Reply refused the request; left out where it accepted it.
  std::optional<uint32_t> auth_stat;  // Why, of AUTH_ERROR.
  std::string nfs_status;  // The status of NFS by its name; left out where it is OK.
  uint64_t repeats = 0;  // Packets of this RPC that were sent again.
  uint64_t naks = 0;  // NAKs about packets of this RPC.
  // On its connection, between Call and Reply: NAKs because the receiver had no buffer ready.
  uint64_t rnr_naks = 0;
  uint64_t zero_windows = 0;  // The same: times that a TCP receiver had no room.
  uint64_t ecn_ce = 0;  // The same: packets that the network marked as congested.
  uint64_t cnps = 0;  // The same: congestion notification packets.
  uint64_t pauses = 0;  // Pause frames that the capture has between Call and Reply, whoever they were for.
  bool complete = false;  // False where the capture may hide something of this RPC.
  std::string incomplete_because;  // Why complete is false.
};

}  // namespace steertag::v0
