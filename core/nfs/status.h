// Status: how NFS itself answered, in the first word of most results, and its neighbours MOUNT, NLM and NSM,
// where they do. Which procedures return one, and what the numbers are called: NFSv2, v3, v4 and NFSACL
// number alike, but name differently.
#pragma once

#include <cstdint>
#include <string_view>

namespace steertag::nfs {

// Where the results of a procedure have it.
enum class StatusPlace : uint8_t {
  none,          // they have none
  first,         // the first word
  after_cookie,  // NLM: behind what the Call gave to tell its Reply by, opaque<>
};
// Those of NFSv2, v3, NFSACL, COMPOUND (that of its last result, RFC 8881 §16.2.3) and CB_COMPOUND, but for
// NULL; of MOUNT's MNT; of what NLM answers at once; of NSM's STAT and MON.
StatusPlace status_place(uint32_t program, uint32_t version, uint32_t procedure);

// "NFSERR_NOENT", "NFS3ERR_NOENT", "NFS4ERR_NOENT", "MNT3ERR_ACCES", "NLM4_DENIED" ...; empty where it has no
// name there, as 0, which is OK.
std::string_view status_name(uint32_t program, uint32_t version, uint32_t status);

// Whether it says that something is broken, rather than how it is with a file: I/O errors, stale handles,
// what the server could not read.
bool tells_of_trouble(uint32_t program, uint32_t status);

}  // namespace steertag::nfs
