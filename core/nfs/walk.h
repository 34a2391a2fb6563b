// Walk: how far the arguments of a Call or the results of a Reply could be
// followed, and what the walk found on its way: the data items that may travel
// in a chunk of their own (RFC 8267 §4, §6.1). The rules about chunks and
// payloads read these facts; nothing here judges.
//
// A walk that is not complete() says why. Only past_end, trailing and derailed are somebody's
// mistake, and only where every byte that the walk rests on is known.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/bytes.h"
#include "base/list.h"
#include "base/range.h"
#include "base/range_set.h"
#include "base/stretch.h"
#include "nfs/marks.h"
#include "rpcrdma/rpc.h"

namespace steertag::nfs {

// What an operation of a COMPOUND says of a session and the connection that it is sent on:
// CREATE_SESSION, BIND_CONN_TO_SESSION, DESTROY_SESSION (RFC 8881 §18.36, §18.34, §18.37). A walk notes them
// on its way; history::CallbackWatch puts Calls and Replies together.
struct SessionStep {
  uint32_t operation = 0;  // index in the COMPOUND
  uint32_t opcode = 0;
  // Stands for the sessionid4. Unset where that was not captured, or in the Call of a CREATE_SESSION.
  std::optional<uint64_t> session;
  // Call: csa_flags or bctsa_dir; Reply: csr_flags or bctsr_dir. Unset where that was not captured.
  std::optional<uint32_t> said;
};

inline constexpr uint32_t session_id_length = 16;  // bytes of a sessionid4 (RFC 8881 §3.2)
// Bits of csa_flags and csr_flags, of channel_dir_from_client4 and channel_dir_from_server4.
inline constexpr uint32_t create_session_conn_back_chan = 2;
inline constexpr uint32_t bind_conn_back = 2;

// A Read chunk in its place in a Stream: where it begins there, and the bytes of its segments. Up to three
// bytes of padding follow.
struct PlacedChunk {
  uint64_t at = 0, length = 0;
  friend bool operator==(const PlacedChunk&, const PlacedChunk&) = default;
};

// The XDR stream of an RPC message, with holes where nothing was captured. A
// Call's stream has the content of its Read chunks in place (RFC 8166 §3.4.5); a
// Reply's is without what its Write chunks carried, since nothing but the upper
// layer says where that belongs (RFC 8166 §3.4.6).
struct Stream {
  // In one piece: `bytes` from the front, perhaps not to the end, and which of them are real; null: all of
  // them. `on_wire`: its length.
  Stream(Bytes bytes, const base::RangeSet* captured, uint64_t on_wire)
      : one{bytes, captured, on_wire, 0}, length(on_wire) {}
  // In several, which must outlive it.
  Stream(std::span<const base::Stretch> pieces, uint64_t on_wire) : several(pieces), length(on_wire) {}
  std::span<const base::Stretch> stretches() const { return several.empty() ? std::span(&one, 1) : several; }

  base::Stretch one;
  std::span<const base::Stretch> several;
  uint64_t length = 0;
  base::Behind behind = base::Behind::unread;
  // Its Read chunks, by place. `apart`: they are not in it, and it is as it was sent inline.
  std::span<const PlacedChunk> chunks = {};
  bool apart = false;
  // RDMA_MSGP (RFC 5666 §3.9): opaque data of `least` bytes or more begins at a multiple of `align`, counted
  // from `front` bytes before the stream; the pad is between it and its count word. Below two: there is none.
  struct Pad {
    uint64_t align = 0, least = 0, front = 0;
  };
  Pad pad = {};
  // The whole RPC header at its front, where somebody has read it already; null: nobody has.
  const rpcrdma::RpcHeader* header = nullptr;
  uint32_t header_length = 0;  // its bytes
  Marks* marks = nullptr;      // who wants to know what stands behind it; null: nobody
};

// The data items that RFC 8267 lets travel by direct data placement.
enum class ItemKind : uint8_t {
  write_data,     // argument of WRITE, all versions
  symlink_path,   // argument of SYMLINK (NFSv2, v3) and of CREATE of a symbolic link (NFSv4)
  read_data,      // result of READ, all versions
  readlink_path,  // result of READLINK, all versions
};

// In a Reply: where the bytes of an item went.
enum class Placed : uint8_t {
  in_stream,  // Call: in the unreduced stream; Reply: inline, or in the Reply chunk
  in_chunk,   // Reply: in a Write chunk
  undecided,  // Reply: both are possible
};

struct Item {
  ItemKind kind{};
  uint32_t operation = 0;  // NFSv4: 0-based index in the COMPOUND; otherwise 0
  // Where the item's bytes begin in the stream, after the count word. For a Call
  // that is the Position of a Read chunk that carries it (RFC 8166 §3.4.4).
  uint64_t position = 0;
  uint32_t count = 0;  // bytes, as the count word says; padding is not counted

  Placed placed = Placed::in_stream;
  uint32_t chunk = 0;       // in_chunk: 0-based index in the Write list
  bool pad_inline = false;  // in_chunk: the 1-3 bytes of padding stayed in the stream
};

// A Call: an eligible result that it asks for, and the most bytes that it may have.
struct Wanted {
  ItemKind kind{};
  uint32_t operation = 0;  // NFSv4: 0-based index in the COMPOUND; otherwise 0
  uint32_t most = 0;
  static constexpr uint32_t kUnbounded = UINT32_MAX;  // nothing in the Call or the protocol says
};

// The sizes that CREATE_SESSION asks for on the back channel (RFC 8881 §18.36.3):
// of a whole RPC message, without transport headers.
struct BackChannel {
  uint32_t most_request = 0, most_reply = 0;
};

enum class Reason : uint8_t {
  none,               // walked to the end, which is the end of the message
  not_rpc,            // not an RPC Call, or not a Reply, of version two
  unknown_program,    // or an unknown version or procedure of a known one
  unknown_operation,  // NFSv4: an operation, or a minor version, that is not in the table
  unknown_arm,        // a union or a bool has a value that no specification here names
  wrapped,            // RPCSEC_GSS: nothing after the header can be read (RFC 2203 §5.3.3)
  not_captured,       // the next word was on the wire, but not in the capture
  call_unknown,       // Reply: its Call's header is not known, so neither is its procedure
  other_operation,    // Reply: a result is not of the operation that the Call has in that place
  ambiguous,          // Reply: more than one pairing of items and Write chunks can be read
  derailed,           // a Read chunk is not the bytes of one item: what is behind it cannot be told
  past_end,           // an XDR item needs more bytes than the message has left
  trailing,           // everything was read, and bytes are left
};

// Where a walk met a Read chunk that is not, as a whole, the bytes of one item: of a wrong length, or at a
// wrong Position. From there on it may have read file data as XDR, or the other way round; this is what it
// had found by then (derailed.h).
struct Derailment {
  uint64_t at = 0;          // in the stream
  uint32_t operations = 0;  // NFSv4: opcodes read in front of it, that of the operation it is in included
  size_t wanted = 0;        // elements of Walk::wanted in front of it
  uint64_t most_listed = 0;
  std::optional<BackChannel> back_channel;
};

// How far a walk came, beside what it met on its way.
struct WalkEnd {
  Reason reason = Reason::none;
  uint64_t offset = 0;            // where the walk ended, in bytes of the stream
  uint32_t operation = 0;         // NFSv4: index of the operation that it ended in ...
  uint32_t opcode = 0;            // ... and which one; 0 outside of an operation
  std::string_view name;          // of that; empty where it is not known
  uint64_t left = 0;              // trailing: bytes after the message
  std::optional<bool> left_zero;  // trailing: whether they are all zero; unset where not all were captured
  std::optional<Derailment> derailment;

  // Of a Call only.
  uint64_t most_listed = 0;  // bytes of results that it lets grow so far and that are not eligible
  std::optional<BackChannel> back_channel;  // of the last CREATE_SESSION
};

struct Walk : WalkEnd {
  base::List<Item> items;            // eligible items in stream order; the last may run past the end
  base::List<Range> pads;            // the pad that was skipped, ascending
  base::List<Wanted> wanted;         // of a Call only: in the order of the results
  base::List<SessionStep> sessions;  // of a Reply: those that succeeded

  bool complete() const { return reason == Reason::none; }
  // NFSv4: every operation was walked, whatever came after the last. Other versions: the same of the
  // procedure.
  bool operations_walked() const { return reason == Reason::none || reason == Reason::trailing; }
  void clear() {
    static_cast<WalkEnd&>(*this) = {};
    items.clear();
    pads.clear();
    wanted.clear();
    sessions.clear();
  }
};

}  // namespace steertag::nfs
