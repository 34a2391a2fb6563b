// The words of an ONC RPC message that RPC-over-RDMA has to do with (RFC 5531
// §9): XID, direction, program and procedure, credentials and verifier, and how
// a Reply ended. The arguments and results after it are nfs/'s.
//
// Called for the payload of RDMA_MSG and for what a Position-Zero Read chunk or
// a Reply chunk carried. Fields that a Stop left unread are zero or empty.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/range.h"
#include "wire/stop.h"

namespace steertag::rpcrdma {

enum class MsgType : uint32_t { call = 0, reply = 1 };
enum class ReplyStat : uint32_t { accepted = 0, denied = 1 };
enum class AcceptStat : uint32_t {
  success = 0,
  prog_unavail = 1,
  prog_mismatch = 2,
  proc_unavail = 3,
  garbage_args = 4,
  system_err = 5,
};
enum class RejectStat : uint32_t { rpc_mismatch = 0, auth_error = 1 };
enum class Flavor : uint32_t { none = 0, sys = 1, short_hand = 2, dh = 3, gss = 6, tls = 7 };

// The XDR names ("CALL", "MSG_ACCEPTED", "AUTH_SYS" …); empty where undefined.
std::string_view text(MsgType value);
std::string_view text(ReplyStat value);
std::string_view text(AcceptStat value);
std::string_view text(RejectStat value);
std::string_view text(Flavor value);

struct Answer;
// "PROC_UNAVAIL", "AUTH_ERROR"; the number where it has no name: "accept_stat 9". Not of a success.
std::string refusal(const Answer& answer);

// opaque_auth: a credential or a verifier. RFC 5531 §8.2 allows 400 bytes; here
// the message is the only bound.
struct Auth {
  Flavor flavor{};
  std::vector<uint8_t> body;
  Range at;  // from the start of the RPC message

  void clear() {
    flavor = {};
    body.clear();
    at = {};
  }
  static void layout(auto& w, auto& a) {
    w("flavor", a.flavor);
    w.opaque("body", a.body);
  }
  friend bool operator==(const Auth& a, const Auth& b) { return a.flavor == b.flavor && a.body == b.body; }
};

// The body of an RPCSEC_GSS credential (RFC 2203 §5).
enum class GssProc : uint32_t { data = 0, init = 1, continue_init = 2, destroy = 3 };
enum class GssService : uint32_t { none = 1, integrity = 2, privacy = 3 };

struct GssCredential {
  uint32_t version = 0;
  GssProc proc{};
  uint32_t seq = 0;
  GssService service{};
  Bytes handle;  // borrowed from the body

  static void layout(auto& w, auto& g) {
    w("version", g.version);
    w("gss_proc", g.proc);
    w("seq", g.seq);
    w("service", g.service);
    w.opaque("handle", g.handle);
  }
};

// The GSS credential inside `auth`, which has to outlive it; nothing where the flavor is another or the body
// is too short for it.
std::optional<GssCredential> gss_credential(const Auth& auth);

// The body of an AUTH_SYS credential (RFC 5531 appendix A), without the groups at its end.
struct SysCredential {
  uint32_t stamp = 0;
  Bytes machine;  // borrowed from the body
  uint32_t uid = 0, gid = 0;

  static void layout(auto& w, auto& s) {
    w("stamp", s.stamp);
    w.opaque("machinename", s.machine);
    w("uid", s.uid);
    w("gid", s.gid);
  }
};

// The same of AUTH_SYS.
std::optional<SysCredential> sys_credential(const Auth& auth);

// Whether arguments and results are wrapped (service integrity or privacy of a
// DATA exchange), so that nothing after the header can be interpreted and no
// data item can travel in a chunk of its own.
bool wrapped(const Auth& credential);

inline constexpr uint32_t rpc_version = 2;  // rpcvers of every Call (RFC 5531 §9)
inline constexpr uint32_t rpc_through_status =
    12;  // bytes of a Call with its rpcvers, of a Reply with reply_stat
inline constexpr uint32_t rpc_through_procedure = 24;  // bytes of a Call up to and with its procedure

// How a Reply ended.
struct Answer {
  ReplyStat reply_stat{};
  AcceptStat accept_stat{};  // accepted
  RejectStat reject_stat{};  // denied
  uint32_t auth_stat = 0;    // denied, auth_error

  bool succeeded() const { return reply_stat == ReplyStat::accepted && accept_stat == AcceptStat::success; }
};

struct RpcHeader {
  uint32_t xid = 0;
  MsgType type{};

  // Call
  uint32_t rpcvers = 0;
  uint32_t program = 0;
  uint32_t version = 0;
  uint32_t procedure = 0;
  Auth credential;

  // Call and accepted Reply
  Auth verifier;

  // Reply
  ReplyStat reply_stat{};
  AcceptStat accept_stat{};  // accepted
  RejectStat reject_stat{};  // denied
  uint32_t auth_stat = 0;    // denied, auth_error
  uint32_t low = 0;          // prog_mismatch and rpc_mismatch: the versions supported
  uint32_t high = 0;

  bool call() const { return type == MsgType::call; }
  Answer answer() const { return {reply_stat, accept_stat, reject_stat, auth_stat}; }  // of a Reply
  // An accepted Reply with results.
  bool succeeded() const { return type == MsgType::reply && answer().succeeded(); }
  void clear();

  static void layout(auto& w, auto& h) {
    w.hex("xid", h.xid);
    w("mtype", h.type);
    if (h.type == MsgType::call) {
      w("rpcvers", h.rpcvers);
      w("prog", h.program);
      w("vers", h.version);
      w("proc", h.procedure);
      w("cred", h.credential);
      w("verf", h.verifier);
    } else if (h.type == MsgType::reply) {
      w("reply_stat", h.reply_stat);
      if (h.reply_stat == ReplyStat::accepted) {
        accepted_layout(w, h);
      } else if (h.reply_stat == ReplyStat::denied) {
        denied_layout(w, h);
      }
    }
  }
  friend bool operator==(const RpcHeader&, const RpcHeader&) = default;

 private:
  static void accepted_layout(auto& w, auto& h) {
    w("verf", h.verifier);
    w("accept_stat", h.accept_stat);
    if (h.accept_stat == AcceptStat::prog_mismatch) {
      w("low", h.low);
      w("high", h.high);
    }
  }
  static void denied_layout(auto& w, auto& h) {
    w("reject_stat", h.reject_stat);
    if (h.reject_stat == RejectStat::rpc_mismatch) {
      w("low", h.low);
      w("high", h.high);
    } else if (h.reject_stat == RejectStat::auth_error) {
      w("auth_stat", h.auth_stat);
    }
  }
};

struct RpcDecoded {
  // Bytes of the message that were read: all of the header where there is no
  // stop. 24 or more on a Call means that the procedure is known.
  uint32_t header_length = 0;
  std::optional<wire::Stop> stop;
};

// Reads the header at the front of an RPC message. `captured` is the prefix of
// the message that is at hand, `wire_length` how long the message is; the stop's
// limit distinguishes the two. An mtype or a reply_stat that does not exist
// ends the header there, without a stop. Refills `into`; allocates nothing once
// `into` has held a header of that size.
RpcDecoded decode(Bytes captured, uint32_t wire_length, RpcHeader& into);

void encode(const RpcHeader& header, std::vector<uint8_t>& out);  // appends

}  // namespace steertag::rpcrdma
