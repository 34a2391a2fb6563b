#include "rpcrdma/rpc.h"

#include <fmt/core.h>

#include "wire/reader.h"
#include "wire/writer.h"

namespace steertag::rpcrdma {

std::string_view text(MsgType value) {
  switch (value) {
    case MsgType::call:
      return "CALL";
    case MsgType::reply:
      return "REPLY";
  }
  return {};
}

std::string_view text(ReplyStat value) {
  switch (value) {
    case ReplyStat::accepted:
      return "MSG_ACCEPTED";
    case ReplyStat::denied:
      return "MSG_DENIED";
  }
  return {};
}

std::string_view text(AcceptStat value) {
  switch (value) {
    case AcceptStat::success:
      return "SUCCESS";
    case AcceptStat::prog_unavail:
      return "PROG_UNAVAIL";
    case AcceptStat::prog_mismatch:
      return "PROG_MISMATCH";
    case AcceptStat::proc_unavail:
      return "PROC_UNAVAIL";
    case AcceptStat::garbage_args:
      return "GARBAGE_ARGS";
    case AcceptStat::system_err:
      return "SYSTEM_ERR";
  }
  return {};
}

std::string_view text(RejectStat value) {
  switch (value) {
    case RejectStat::rpc_mismatch:
      return "RPC_MISMATCH";
    case RejectStat::auth_error:
      return "AUTH_ERROR";
  }
  return {};
}

std::string refusal(const Answer& answer) {
  const auto named = [](std::string_view name, std::string_view what, uint32_t number) {
    return name.empty() ? fmt::format("{} {}", what, number) : std::string(name);
  };
  switch (answer.reply_stat) {
    case ReplyStat::accepted:
      return named(text(answer.accept_stat), "accept_stat", static_cast<uint32_t>(answer.accept_stat));
    case ReplyStat::denied:
      return named(text(answer.reject_stat), "reject_stat", static_cast<uint32_t>(answer.reject_stat));
  }
  return named({}, "reply_stat", static_cast<uint32_t>(answer.reply_stat));
}

std::string_view text(Flavor value) {
  switch (value) {
    case Flavor::none:
      return "AUTH_NONE";
    case Flavor::sys:
      return "AUTH_SYS";
    case Flavor::short_hand:
      return "AUTH_SHORT";
    case Flavor::dh:
      return "AUTH_DH";
    case Flavor::gss:
      return "RPCSEC_GSS";
    case Flavor::tls:
      return "AUTH_TLS";
  }
  return {};
}

std::optional<GssCredential> gss_credential(const Auth& auth) {
  if (auth.flavor != Flavor::gss) {
    return std::nullopt;
  }
  GssCredential credential;
  return wire::read(auth.body, credential) ? std::nullopt : std::optional(credential);
}

bool wrapped(const Auth& credential) {
  const std::optional<GssCredential> gss = gss_credential(credential);
  return gss && gss->proc == GssProc::data &&
         (gss->service == GssService::integrity || gss->service == GssService::privacy);
}

void RpcHeader::clear() {
  credential.clear();
  verifier.clear();
  xid = rpcvers = program = version = procedure = auth_stat = low = high = 0;
  type = {};
  reply_stat = {};
  accept_stat = {};
  reject_stat = {};
}

RpcDecoded decode(Bytes captured, uint32_t wire_length, RpcHeader& into) {
  into.clear();
  wire::Reader reader(captured, wire_length);
  RpcHeader::layout(reader, into);
  return {reader.offset(), reader.stop()};
}

void encode(const RpcHeader& header, std::vector<uint8_t>& out) {
  wire::write(out, header);
}

}  // namespace steertag::rpcrdma
