// Names of the RPC programs that travel over RPC-over-RDMA, and of their
// procedures, for people to read. Unknown ones are spelled out in numbers, so
// that every RPC has a name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace steertag::rpcrdma {

inline constexpr uint32_t program_rpcbind = 100000;
inline constexpr uint32_t program_nfs = 100003;
inline constexpr uint32_t program_mount = 100005;
inline constexpr uint32_t program_nlm = 100021;
inline constexpr uint32_t program_nsm = 100024;
inline constexpr uint32_t program_nfsacl = 100227;
inline constexpr uint32_t program_rdmaconfig = 100417;  // RFC 5666 §6

// Whether this looks like an NFSv4 callback: the client chooses the program
// number (SETCLIENTID, RFC 7530 §16.33;
// CREATE_SESSION, RFC 8881 §18.36), in practice from the transient
// range; version one.
constexpr bool nfs4_callback(uint32_t program, uint32_t version) {
  return program >= 0x40000000 && program <= 0x5fffffff && version == 1;
}

// "NFS", "MOUNT" …; empty for an unknown program.
std::string_view program_name(uint32_t program);

// "READ", "COMPOUND", "CB_COMPOUND" …; empty where unknown.
std::string_view procedure_name(uint32_t program, uint32_t version, uint32_t procedure);

// "NFSv4 COMPOUND", "NFSv3 READ", "MOUNTv3 MNT", "NFSv4 CB_COMPOUND",
// "NFSv3 procedure 99", "program 400122 version 1 procedure 3".
std::string name(uint32_t program, uint32_t version, uint32_t procedure);

struct ProgramVersion {
  uint32_t program = 0, version = 0;
};
// Those whose procedures have names; of the callback programs, one.
std::span<const ProgramVersion> known_programs();

}  // namespace steertag::rpcrdma
