// The Upper-Layer Bindings of NFS and its companions (RFC 8267), by procedure:
// whether anything of it may travel by direct data placement at all, and whether
// it is ever answered. Rules ask this of every RPC; what is inside of the
// arguments and results is call.h's and reply.h's.
#pragma once

#include <cstdint>

namespace steertag::nfs {

enum class Eligible : uint8_t {
  unknown,       // a program, version or procedure that no binding is known of
  none,          // no item is DDP-eligible
  some,          // exactly one is
  by_operation,  // NFSv4 COMPOUND: its operations say
};

struct Binding {
  Eligible arguments = Eligible::unknown;
  Eligible results = Eligible::unknown;
  friend bool operator==(const Binding&, const Binding&) = default;
};

// NFSv2 and v3: RFC 8267 §4. NFSv4: §6.1. MOUNT, NLM, NSM and NFSACL: §5. NFSv4
// callbacks: §6.5. A program without a binding has nothing eligible (RFC 8166
// §6); of rpcbind and rdmaconfig that is known, of other programs it is not claimed.
Binding binding(uint32_t program, uint32_t version, uint32_t procedure);

// Whether the procedure is specified never to be answered. The asynchronous
// procedures of NLM (TEST_MSG ... GRANTED_RES) are not among them: their outcome
// comes in a Call of its own, but deployed servers still send an empty Reply.
bool call_only(uint32_t program, uint32_t version, uint32_t procedure);

}  // namespace steertag::nfs
