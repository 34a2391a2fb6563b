// Status: how NFS itself answered, in the first word of most results. Which
// procedures return one, and what the numbers are called: NFSv2, v3, v4 and NFSACL
// number alike, but name differently.
#pragma once

#include <cstdint>
#include <string_view>

namespace steertag::nfs {

// Whether the results of the procedure begin with a status: NFSv2, v3, NFSACL, COMPOUND (that of its last
// result, RFC 8881 §16.2.3) and CB_COMPOUND, but for NULL.
bool returns_status(uint32_t program, uint32_t version, uint32_t procedure);

// "NFSERR_NOENT", "NFS3ERR_NOENT", "NFS4ERR_NOENT" ...; empty where it has no name there, as 0, which is OK.
std::string_view status_name(uint32_t program, uint32_t version, uint32_t status);

// Whether it says that something is broken, rather than how it is with a file: I/O errors, stale handles,
// what the server could not read.
bool tells_of_trouble(uint32_t status);

}  // namespace steertag::nfs
