// The XDR types that several NFSv4 operations share (RFC 7531 §3, RFC 5662,
// RFC 7863), and the few operations that are too long for a line of the table in
// nfs4_operations.cc. Attributes are not looked into: a bitmap and an opaque<>.
#pragma once

#include <algorithm>

#include "nfs/shape.h"

namespace steertag::nfs::v4 {

using StateId = Fixed<16>;
using Verifier = Fixed<8>;
using SessionId = Fixed<16>;
using DeviceId = Fixed<16>;
using Time = Fixed<12>;
using ChangeInfo = Fixed<20>;
// bitmap4; a longer one than any attribute needs is none that can be told. Only of the first kNumbers words
// may any bit be set: of the others those below 1 << 24 have a meaning.
template <uint32_t kNumbers>
struct BitmapOf {
  static constexpr uint32_t kMostWords = 4;
  static void walk(Cursor& at) {
    const uint32_t count = at.word();
    if (count > kMostWords) {
      return at.stop(Reason::unknown_arm);
    }
    const uint32_t numbers = std::min(count, kNumbers);
    at.numbers(uint64_t{numbers} * 4, Meaning::bits);
    for (uint32_t i = numbers; i < count; ++i) {
      at.number(Meaning::structure);
    }
  }
};
using Bitmap = BitmapOf<2>;  // attributes
using Flags = BitmapOf<0>;   // notifications, hints, types of layouts: few
using ClientId = Fixed<8>;
using Cookie = Fixed<8>;
using DeviceNumbers = Fixed<8>;          // specdata4
using Attributes = Seq<Bitmap, Opaque>;  // fattr4
using Owner = Seq<ClientId, Opaque>;     // state_owner4
using NetAddr = Seq<Opaque, Opaque>;
using NetLoc = Switch<Case<1, Opaque>, Case<2, Opaque>, Case<3, NetAddr>>;
using Ace = Seq<Fixed<12>, Opaque>;
using Body =
    Seq<U32, Opaque>;  // layout_content4, layoutupdate4, device_addr4: a layout type and its own format

// --- OPEN (RFC 8881 §18.16) ---
using CreateHow =
    Switch<Case<0, Attributes>, Case<1, Attributes>, Case<2, Verifier>, Case<3, Verifier, Attributes>>;
using Claim = Switch<Case<0, Name>, Case<1, U32>, Case<2, StateId, Name>, Case<3, Name>,  // the file by name
                     Case<4>, Case<5, StateId>, Case<6>>;  // the current file handle
using OpenArguments = Seq<Numeric<12>, Owner, Switch<Case<1, CreateHow>, Default<>>, Claim>;
using SpaceLimit = Switch<Case<1, U64>, Case<2, U64>>;
using ReadDelegation = Seq<StateId, U32, Ace>;
using WriteDelegation = Seq<StateId, U32, SpaceLimit, Ace>;
using Delegation = Switch<Case<0>, Case<1, ReadDelegation>, Case<2, WriteDelegation>,
                          Case<3, Switch<Case<1, U32>, Case<2, U32>, Default<>>>,  // none, and why
                          Case<4, ReadDelegation>, Case<5, WriteDelegation>>;  // RFC 9754: of attributes too
using OpenResults = Ok<StateId, ChangeInfo, U32, Bitmap, Delegation>;

// --- locks (RFC 8881 §18.10) ---
inline constexpr uint32_t err_denied = 10010;
using Locker = Switch<Case<1, U32, StateId, U32, Owner>, Case<0, StateId, U32>>;
using LockType = Enum<1, 4>;
using Denied = Seq<U64, U64, LockType, Owner>;

// --- clients and sessions (RFC 8881 §18.33 to §18.36; RFC 7530 §16.33) ---
inline constexpr uint32_t err_clid_inuse = 10017;
using AuthSys = Seq<Fixed<4>, Opaque, Fixed<4>, Fixed<4>, Array<Fixed<4>>>;
using CallbackSecurity = Array<Switch<Case<0>, Case<1, AuthSys>, Case<6, U32, Opaque, Opaque>>>;
struct ReadDepth {  // ca_rdma_ird<1>
  static void walk(Cursor& at) {
    const uint32_t count = at.word();
    if (count > 1) {
      at.stop(Reason::unknown_arm);
    }
    at.skip(uint64_t{count} * 4);
  }
};
using ChannelAttributes = Seq<Numeric<24>, ReadDepth>;
struct BackChannelAttributes {  // the same, of the back channel, as a Call asks for it
  static void walk(Cursor& at) {
    at.numbers(4);  // ca_headerpadsize
    const uint32_t most_request = at.number();
    const uint32_t most_reply = at.number();
    at.numbers(12);
    ReadDepth::walk(at);
    at.back_channel({most_request, most_reply});
  }
};
using Protect = Seq<Bitmap, Bitmap>;  // state_protect_ops4
using ProtectArgument =
    Switch<Case<0>, Case<1, Protect>, Case<2, Protect, Array<Opaque>, Array<Opaque>, U32, U32>>;
using ProtectResult = Switch<Case<0>, Case<1, Protect>, Case<2, Protect, Fixed<16>, Array<Opaque>>>;
using Implementation = Array<Seq<Opaque, Opaque, Time>>;
using ExchangeIdArguments = Seq<Verifier, Opaque, U32, ProtectArgument, Implementation>;
using ServerOwner = Seq<Fixed<8>, Opaque>;  // server_owner4
using ExchangeIdResults = Ok<Fixed<16>, ProtectResult, ServerOwner, Opaque, Implementation>;
struct NotedSession {  // sessionid4
  static void walk(Cursor& at) { at.session(); }
};
struct SaidOfSession {  // flags, or a direction
  static void walk(Cursor& at) { at.said_of_session(); }
};
struct SessionDestroyed {  // its status
  static void walk(Cursor& at) { at.session_destroyed(); }
};
using CreateSessionArguments =
    Seq<Fixed<12>, SaidOfSession, ChannelAttributes, BackChannelAttributes, Fixed<4>, CallbackSecurity>;
using CreateSessionResults = Ok<NotedSession, U32, SaidOfSession, ChannelAttributes, ChannelAttributes>;
using BindArguments = Seq<NotedSession, SaidOfSession, U32>;
using BindResults = Ok<NotedSession, SaidOfSession, U32>;
using SecInfo = Ok<Array<Switch<Case<6, Opaque, U64>, Default<>>>>;  // 6: RPCSEC_GSS

// --- directories and layouts (RFC 8881 §18.23, §18.39 to §18.44) ---
inline constexpr uint32_t err_toosmall = 10005;
inline constexpr uint32_t err_layouttrylater = 10058;
using Entry = Chain<Cookie, Name, Attributes>;
using DirDelegation = Switch<Case<0, Verifier, StateId, Flags, Bitmap, Bitmap>, Case<1, U32>>;
using LayoutCommitArguments = Seq<U64, U64, U32, StateId, Maybe<U64>, Maybe<Time>, Body>;
using LayoutGetResults =
    Switch<Case<0, U32, StateId, Array<Seq<Fixed<20>, Body>>>, Case<err_layouttrylater, U32>, Failed<>>;
using LayoutReturnArguments = Seq<Numeric<12>, Switch<Case<1, U64, U64, StateId, Opaque>, Default<>>>;

// --- minor version two (RFC 7862 §15) ---
inline constexpr uint32_t err_offload_no_reqs = 10094;
using WriteResponse = Seq<Array<StateId>, U64, U32, Verifier>;
using CopyResults = Switch<Case<0, WriteResponse, U64>, Case<err_offload_no_reqs, U64>, Failed<>>;
using Contents =
    Array<Switch<Case<0, U64, Opaque>, Case<1, U64, U64>, Default<>>>;  // READ_PLUS: data or a hole

}  // namespace steertag::nfs::v4
