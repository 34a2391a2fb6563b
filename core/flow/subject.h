// Subject: what an RPC was about: the operation that it was sent for, all operations of a
// COMPOUND, how long its messages were, and what the upper layer answered.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/list.h"

namespace steertag::flow {

struct Subject {
  // NFSv2, NFSv3, NFSACL, callbacks: the procedure. COMPOUND: its first operation that does more than
  // establish a session, a filehandle, or attributes. Empty where the capture does not show it.
  std::string_view op;
  base::List<std::string_view> ops;  // of a COMPOUND, in order, as far as they could be read

  // nfsstat of the Reply (0: OK) and its name ("NFS3ERR_NOENT"; empty where 0 or unset). Unset where
  // the capture does not show it.
  std::optional<uint32_t> nfs_status;
  std::string_view nfs_status_name;

  // Bytes of the RPC messages, with what chunks carried of them. Unset where the message was not captured.
  std::optional<uint64_t> arguments_length, results_length;

  void clear();
};

inline void Subject::clear() {
  op = nfs_status_name = {};
  ops.clear();
  nfs_status.reset();
  arguments_length.reset();
  results_length.reset();
}

}  // namespace steertag::flow
