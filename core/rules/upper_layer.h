// UpperLayer: the RPC messages of the Exchange at hand, put together from its
// chunks and walked, for the rules about what chunks may carry. Several of them
// ask for the same walks; each is made when the first asks, and forgotten with
// the Exchange. The Engine begins, checks reach it as report.upper_layer().
//
// It says what is known and judges nothing; where bytes are missing, or hidden
// by RPCSEC_GSS, its answers are null and `unknown`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flow/exchange.h"
#include "flow/layout.h"
#include "nfs/binding.h"
#include "nfs/call.h"
#include "nfs/padded.h"
#include "nfs/reply.h"
#include "rules/read_chunk.h"
#include "rules/rule.h"

namespace steertag::rules {

// Whether the transport header of a Call or a Reply was seen and can be read:
// not_applicable where it was not, or is the sender's failure, undecided where
// the capture cut it.
Outcome legible(const flow::KeptMessage& leg);

// Whether each result has as many bytes as some Write chunk, but not as its own.
bool crosswise(const nfs::ReplyWalk& walk, std::span<const uint64_t> returned);

// What is wrong with a Reply that agrees with its Write list in no reading (nfs::ReplyWalk::contradicted)
// and therefore cannot be read: a result that is neither in its chunk nor inline. Every Reply has one such
// fault at most, and each is another rule's.
struct Misfit {
  enum class Kind : uint8_t {
    none,
    length,  // a chunk is used, and holds another number of bytes than its result
    beside,  // the result is inline, or a part of it, past a chunk that is unused or holds it as well
    rest,    // the result is where it should be, and what is left inline is not the rest of the Reply
  };
  Kind kind = Kind::none;
  // length, beside: the Write chunk and its result, both 0-based.
  size_t chunk = 0, result = 0;
  nfs::Item item = {};
};

class UpperLayer {
 public:
  void begin(const flow::Exchange& exchange);

  // The whole RPC header of the Call; null where it was not captured.
  const rpcrdma::RpcHeader* header();
  // Null where the Call was not captured, or its Read chunks cannot be put into it.
  const nfs::CallWalk* call();
  // Null where there is no Reply, or its Reply chunk is not the Call's.
  const nfs::ReplyWalk* reply();
  // None where it is not known that the Call asks for results that may travel in chunks.
  Misfit misfit();
  uint64_t reply_length() const;  // of the stream that reply() walks

  // RDMA_MSGP: whether some reading of RFC 5666 §3.9 puts the pad so that the message ends where it has to,
  // as far as that can be known.
  bool call_padded() { return call() == nullptr || call_padded_; }
  bool reply_padded() { return reply() == nullptr || reply_padded_; }

  // By Position: those of the Call, those of the Reply.
  const base::List<ReadChunk>& read_chunks() { return chunks_of(true); }
  const base::List<ReadChunk>& result_chunks() { return chunks_of(false); }
  // The first Write chunk that has less room than its result may need; unset where none is known to.
  std::optional<size_t> short_write_chunk();
  // Bytes of each Write chunk of the Reply, by the Reply's Write list.
  std::span<const uint64_t> returned();
  // The first Write chunk in which the Reply returns anything; unset where there is none.
  std::optional<size_t> first_used();

  // Whether there is a Reply whose Write list can be held against that of its
  // Call: where one has more chunks than the other, other rules say so.
  Outcome comparable_writes() const;
  // How sure what such a Reply breaks is: frames that are missing may have held
  // another Call with its XID.
  Certainty surest() const { return exchange_->complete ? Certainty::definite : Certainty::possible; }

  // Whether the arguments, the results of this very Call have items that may
  // travel in chunks: unknown, none or some.
  nfs::Eligible arguments();
  nfs::Eligible results();

  // "NFSv3 GETATTR", "NFSv4 COMPOUND of SEQUENCE, PUTFH and GETATTR".
  std::string name();

 private:
  struct Chunks {
    bool known = false;
    base::List<ReadChunk> list;
  };

  const base::List<ReadChunk>& chunks_of(bool of_call);  // otherwise those of the Reply
  const nfs::CallWalk* walk_reduced();
  bool walkable_reply() const;
  const std::optional<nfs::Binding>& binding();
  std::optional<nfs::Binding> find_binding();

  const flow::Exchange* exchange_ = nullptr;
  flow::Layout layout_;
  bool call_padded_ = true, reply_padded_ = true;
  bool call_walked_ = false, call_known_ = false;
  nfs::CallWalk call_;
  const nfs::CallWalk* call_walk_ = nullptr;  // `call_`, or that of the Exchange's Subject
  bool reply_walked_ = false, reply_known_ = false;
  nfs::ReplyWalk reply_;
  bool reduced_walked_ = false;
  nfs::CallWalk reduced_;  // of the Call's inline bytes alone
  bool binding_known_ = false;
  std::optional<nfs::Binding> binding_;
  bool returned_known_ = false;
  std::vector<uint64_t> returned_;
  Chunks call_chunks_, reply_chunks_;
};

}  // namespace steertag::rules
