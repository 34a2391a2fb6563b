// What a tale (tale.h) has where anything may happen: words behind a line that make a
// message or a packet wrong, and lines that nobody expects. "{}" stands for a number of
// one byte.
#pragma once

#include <array>
#include <string_view>

namespace steertag::fuzz {

inline constexpr std::array<std::string_view, 32> kOddities = {"rdma_credit=0",
                                                               "rdma_vers={}",
                                                               "rdma_proc={}",
                                                               "handle=0xdead{:04x}",
                                                               "handle#2=0xdead{:04x}",
                                                               "length={}",
                                                               "length#2=0",
                                                               "offset=0xfffffffffffffff{:x}",
                                                               "rdma_writes={}",
                                                               "rdma_reads={}",
                                                               "rdma_reply={}",
                                                               "target={}",
                                                               "rdma_xid={}",
                                                               "rpc.xid={}",
                                                               "rpc.mtype={}",
                                                               "cut={}",
                                                               "append=0011{:04x}",
                                                               "set({} ffff)",
                                                               "roce(1 psn={})",
                                                               "roce(2 set({} ff))",
                                                               "roce(1 payload={})",
                                                               "iwarp(msn={})",
                                                               "iwarp(1 set({} ff))",
                                                               "omit({})",
                                                               "missing({})",
                                                               "bad_checksum({})",
                                                               "truncate={}",
                                                               "noack",
                                                               "again",
                                                               "invalidate=0x8f{:02x}",
                                                               "msgp(align=4096 thresh={})",
                                                               "status={}"};

inline constexpr std::array<std::string_view, 16> kOddLines = {
    "server> error chunk xid={}",
    "server> error vers(1 {})",
    "server> error inval_option xid={}",
    "server> nak access",
    "server> nak sequence",
    "client> done xid={}",
    "client> send 0000{:04x}0000000100000001",
    "server> write 0x8f{:02x}:4096@0x1000 100",
    "client> option opttype={} info=00112233 payload=0011",
    "server> initxch RBSIZ={}",
    "client> reqxch RBSIZ={}",
    "server> disconnect reset",
    "client> read 0x8f{:02x}:64@0 64",
    "server> reply xid={}",
    "client> call conf_rdma maxcall_sendsize={}",
    "client> call rpc(100005 3 {})"};

}  // namespace steertag::fuzz
