// FileReader: says which file an RPC is about, which bytes of it are read or written, and for which user.
// A SubjectReader that is asked for files has one, and tells it of each RPC, in the order in which they are
// over: it learns the names of handles on the way (files/tree.h).
#pragma once

#include <cstdint>
#include <vector>

#include "files/names.h"
#include "files/notes.h"
#include "flow/exchange.h"
#include "nfs/call.h"
#include "nfs/reply.h"

namespace steertag::timing {

class FileReader {
 public:
  void clear();  // the next RPC

  // For the walk over its Call, whose bytes are taken once that is over.
  nfs::Marks& call_marks() { return call_; }
  void take_call(const Exchange& exchange, const nfs::Stream& stream, const nfs::CallWalk& call);
  // `integrity`: the results are behind a length and a sequence number (RFC 2203 §5.3.2.2).
  void read_reply(const Exchange& exchange, nfs::Stream stream, const nfs::CallWalk& call, bool integrity);
  // Fills in what `subject` says of files. `call`: the walk over the Call.
  void conclude(const Exchange& exchange, const nfs::CallWalk& call, Subject& subject);

 private:
  void read_mounted(nfs::Stream stream, const nfs::CallWalk& call);

  files::Names names_;
  files::Notes call_, reply_;
  bool call_taken_ = false, results_read_ = false;
  nfs::ReplyWalk walk_;
  rpcrdma::RpcHeader header_;
  std::vector<uint64_t> returned_;  // bytes of each Write chunk
};

}  // namespace steertag::timing
