// Tree: what one RPC says of the names of files, applied to what is known of them: a Call says which file it
// is about, and an answered one teaches names: LOOKUP, OPEN, CREATE, MKDIR, READDIRPLUS and their like. After
// a RENAME the name follows, after a REMOVE it is forgotten.
//
// Functions of an RPC's Notes, for NFSv2, NFSv3 and NFSACL, whose procedures name their handle, for a
// COMPOUND of NFSv4, whose operations hand a current one on (RFC 8881 §16.2.3.1.1), and for MNT, whose path
// has a handle.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "files/names.h"
#include "files/notes.h"
#include "nfs/nfs4.h"

namespace steertag::files {

// What there is of an RPC.
struct Told {
  const Scope& scope;
  const Notes& call;
  const Notes& reply;  // empty where it was not read
  // How NFS answered; unset where that was not captured.
  std::optional<uint32_t> status;
  bool arguments_read = false;  // to their end: `call` has all that was asked
  bool results_read = false;    // to their end: `reply` has all operations that were answered
  // Nothing of it is missing: the Reply is that of this Call. Else it teaches nothing.
  bool whole = false;
};

// What a procedure of NFSv2 or NFSv3 does to names.
enum class Deed : uint8_t { other, looks_up, makes, removes, renames, links, lists };
Deed deed_of_nfs2(uint32_t procedure);
Deed deed_of_nfs3(uint32_t procedure);

// Returns the path of the file that the RPC is about; empty where that is not known.
std::string apply_nfs(const Told& told, Deed deed, Names& names);
std::string apply_mnt(const Told& told, Names& names);
std::string apply_compound(const Told& told, const nfs::Compound& compound, Names& names);

// Whether there is something in the results to learn.
bool teaches(Deed deed);
bool teaches(const nfs::Compound& compound);

// The operation that the COMPOUND was sent for (nfs::purpose), by its place; unset where it is not known.
std::optional<uint32_t> purpose_of(const nfs::Compound& compound);

}  // namespace steertag::files
