// Anomaly: something below RPC-over-RDMA that a correct sender does not do, or
// that shows bytes to be missing from the capture. A fact, not a judgement: whose
// mistake it is, and how sure that is, is decided elsewhere.
//
// The receiver emulation reports anomalies of what a receiver would have accepted
// and of which nothing is missing: after a gap, and where a capture begins in the
// middle, it first waits until the state of the sequence is known again.
//
// One departure is reported once: what follows from it is not reported again.
#pragma once

#include <cstdint>
#include <optional>

#include "frame.h"
#include "rdma/op.h"

namespace steertag::rdma {

struct Anomaly {
  enum class Kind : uint8_t {
    // --- the sequence of packets or DDP segments ---
    // A Middle or Last packet without First; a DDP segment with MO above 0 that
    // continues nothing.                      expected: 0; found: its MO (RoCE: 0)
    orphan,
    // Another operation starts before the Last packet of the one under way, or
    // the segment with its L bit.             expected: bytes announced (RDMA Write on RoCE,
    //                                         else 0); found: bytes that came
    cut_off,
    // RoCE: a First or Middle packet, also of a Read Response, is not as long as
    // the path MTU.                           expected: path MTU, 0 if not known; found: bytes
    packet_size,
    // RoCE: PadCnt in a First or Middle packet.           expected: 0; found: PadCnt
    inner_pad,
    // RoCE: an RDMA Write is not as long as its RETH says. expected: RETH; found: bytes
    write_length,
    // DDP version other than 1, RDMAP version above 1 (RFC 5041 §4.1, RFC 5040 §4.1).
    ddp_version,
    rdmap_version,
    // The T flag does not fit the opcode, or the queue number does not
    // (RFC 5040 §4.1).                        expected, found: T flag; queue number
    tagged_flag,
    queue_number,
    // MSN is not one more than that of the message before (RFC 5041 §4.3).
    message_number,
    // MO does not continue the message.       expected, found: MO
    message_offset,
    // STag, or tagged offset, does not continue the RDMA Write.
    stag_change,
    tagged_offset,

    // --- RDMA Reads: `related` is the Read Request ---
    // Fewer or more bytes than requested.     expected: requested; found: delivered
    read_short,
    read_long,
    // iWARP: not to the data sink that the Request named (RFC 5040 §5.2).
    read_sink_stag,
    read_sink_offset,
    // iWARP: a Read Response, and no Read Request is outstanding.  found: bytes
    read_unasked,
    // No mistake in itself: the Read Request at `at` made `found` outstanding,
    // more than ever before on this connection and from this side. Counted are
    // those whose last Response went by after this Request, so loss and capture
    // gaps can only make it too small; `related` is the frame of the first of
    // these Responses, and only a clock skew between taps beyond
    // `related` - `at` could explain it away.
    reads_outstanding,
    // No mistake in itself. RoCE: the first packet of this side that shows the path MTU it uses: a First or
    // Middle, of a request or a response.     found: bytes
    inner_size,

    // --- MPA, all with the setup captured (RFC 5044) ---
    mpa_key,                  // §7.1.1: neither key where one is due, or the other side's
    mpa_revision,             // §7.1.1, RFC 6581 §9: 0, or the Reply's above the Request's
    mpa_private_data_length,  // §7.1.1: PD_Length above 512. expected: 512; found: PD_Length
    mpa_early_fpdu,           // §7.1.2: the responder's FPDU before the initiator's first
    mpa_length,               // §4.1: ULPDU_Length less than a DDP header. expected: that; found: length
    mpa_marker,               // §4.3: marker does not point at its FPDU. expected, found: FPDUPTR
    mpa_pad,                  // §4.1: pad bytes that are not zero. found: these bytes

    // --- checksums, where they are verified; expected: computed; found: carried ---
    mpa_crc,  // CRC in use by setup, or a CRC of this direction was right before
    icrc,     // `count` packets; others of this direction were right. Also where ICRCs are not verified, of
              // what was sent again and never accepted: see `awaited`
    // `count` packets, all that this side sent and that could be checked; none was
    // right: perhaps captured before the hardware filled it in. Reported at the end.
    icrc_never,

    // --- the same sequence numbers twice ---
    // What was sent again is not what was sent first (`related`). expected,
    // found: a hash of each. No Read Responses: a repeated Read reads memory anew.
    changed_retransmission,

    // --- the capture ---
    // `count` packets (RoCE) or bytes (iWARP) from `position` on are not in the
    // capture. `related`: the frame that acknowledges them; absent where
    // nothing proves that they were received (the capture ends, or more waits
    // behind them than is kept). Reported when the extent is known; Listener::on_gap
    // comes at once. expected: first PSN or offset; found: the one behind the last.
    missing,

    // No more than that: for want of memory something of this connection was given up. What was under way is
    // not known any more, of either side.
    given_up,

    // RoCE: `count` packets, of an operation that begins in this frame, came after the DREQ at `related`, and
    // were never acknowledged: the peer did not listen any more. Reported when the connection is over.
    unreceived,

    // --- no mistake in itself ---
    // An operation that RPC-over-RDMA has no use for (RFC 8166 §2.3.2): an atomic,
    // FLUSH, ATOMIC WRITE, an RDMAP opcode above 7, or a Send or RDMA Write with
    // Immediate. Reported where RPC-over-RDMA is spoken, once an operation.
    foreign,
  };

  Kind kind = Kind::orphan;
  Side from = Side::a;                // who sent the bytes in question
  Stamp at;                           // the frame that shows it
  std::optional<Stamp> related = {};  // the frame that it contradicts, see Kind
  // The operation concerned, where there is one: id 0 and `other` where there is none.
  OpKind operation = OpKind::other;
  uint64_t id = 0;  // RdmaOp::id
  // RoCE: PSN. iWARP: offset in the sender's TCP stream; 0 is the byte behind its
  // SYN, or the first byte in the capture.
  uint64_t position = 0;
  uint64_t expected = 0;
  uint64_t found = 0;
  uint64_t count = 1;  // packets or bytes that this one stands for
  uint64_t alike = 0;  // icrc_never: of these, how many carry the value that the first one carries
  // changed_retransmission: the first copy had been acknowledged when the second was
  // sent, so it was not one that the receiver dropped as damaged.
  bool acknowledged = false;
  bool intact = false;   // changed_retransmission: the checksums of both copies were verified, and are right
  bool awaited = false;  // icrc: no right copy of the packet was captured, and its receiver never accepted it
};

}  // namespace steertag::rdma
