// Subject: what an RPC was about: the operation that it was sent for, all operations of a
// COMPOUND, how long its messages were, and what the upper layer answered. What the capture
// does not show is empty or unset, never guessed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/list.h"
#include "nfs/call.h"

namespace steertag::flow {

struct Subject {
  // Names; the number as text where there is none. NFSv2, NFSv3, NFSACL, callbacks and companions: the
  // procedure. COMPOUND: the operation that it was sent for (nfs::purpose). Empty where that is not certain.
  std::string op;
  base::List<std::string> ops;  // of a COMPOUND, in order, as far as they could be read
  bool ops_whole = false;       // these are all

  // nfsstat of the Reply (0: OK) and its name ("NFS3ERR_NOENT"; empty where 0 or unset); of MOUNT, NLM and
  // NSM what they have in its place ("MNT3ERR_ACCES", "NLM4_DENIED": nfs/status.h). Unset where the capture
  // does not show it, and where the procedure returns none.
  std::optional<uint32_t> nfs_status;
  std::string nfs_status_name;

  // sr_status_flags of the SEQUENCE in the Reply (RFC 8881 §18.46.3); 0 where there is none.
  uint32_t sequence_flags = 0;

  // With Settings::for_files. The uid of an AUTH_SYS credential; which bytes of its file it reads, writes or
  // commits; and which file it is about (files/names.h), as it is on the wire. Empty where nothing of that
  // was captured.
  std::optional<uint32_t> user;
  std::optional<uint64_t> offset, count;
  std::string file;

  // Bytes of the RPC messages, from the XID on, as if nothing had been moved by RDMA: what was inline and
  // what chunks carried, each data item padded to a multiple of four, as it is in XDR (RFC 4506 §4.10). Read
  // chunks count as they were advertised, Write chunks and the Reply chunk as they were returned. Unset where
  // there was no RPC message (RDMA_ERROR), or its transport header was not captured whole.
  std::optional<uint64_t> arguments_length, results_length;

  // The arguments of the Call, walked: only while its Exchange is reported, and where the Call is one whole
  // message without Read chunks, pad or RPCSEC_GSS integrity. Otherwise null.
  const nfs::CallWalk* call_walk = nullptr;

  void clear();  // keeps memory
};

inline void Subject::clear() {
  op.clear();
  ops.clear();
  ops_whole = false;
  nfs_status.reset();
  nfs_status_name.clear();
  sequence_flags = 0;
  user.reset();
  offset.reset();
  count.reset();
  file.clear();
  arguments_length.reset();
  results_length.reset();
  call_walk = nullptr;
}

}  // namespace steertag::flow
