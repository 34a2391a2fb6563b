#include "rpcrdma/rpc.h"

#include <fmt/core.h>

#include "base/named.h"
#include "wire/reader.h"
#include "wire/writer.h"

namespace steertag::rpcrdma {

std::string_view text(MsgType value) {
  static constexpr std::string_view names[] = {"CALL", "REPLY"};
  return base::named<MsgType::reply>(names, value);
}

std::string_view text(ReplyStat value) {
  static constexpr std::string_view names[] = {"MSG_ACCEPTED", "MSG_DENIED"};
  return base::named<ReplyStat::denied>(names, value);
}

std::string_view text(AcceptStat value) {
  static constexpr std::string_view names[] = {"SUCCESS",      "PROG_UNAVAIL", "PROG_MISMATCH",
                                               "PROC_UNAVAIL", "GARBAGE_ARGS", "SYSTEM_ERR"};
  return base::named<AcceptStat::system_err>(names, value);
}

std::string_view text(RejectStat value) {
  static constexpr std::string_view names[] = {"RPC_MISMATCH", "AUTH_ERROR"};
  return base::named<RejectStat::auth_error>(names, value);
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
  static constexpr std::pair<Flavor, std::string_view> names[] = {
      {Flavor::none, "AUTH_NONE"}, {Flavor::sys, "AUTH_SYS"},   {Flavor::short_hand, "AUTH_SHORT"},
      {Flavor::dh, "AUTH_DH"},     {Flavor::gss, "RPCSEC_GSS"}, {Flavor::tls, "AUTH_TLS"}};
  return base::named(names, value);
}

std::optional<GssCredential> gss_credential(const Auth& auth) {
  if (auth.flavor != Flavor::gss) {
    return std::nullopt;
  }
  GssCredential credential;
  return wire::read(auth.body, credential) ? std::nullopt : std::optional(credential);
}

std::optional<SysCredential> sys_credential(const Auth& auth) {
  if (auth.flavor != Flavor::sys) {
    return std::nullopt;
  }
  SysCredential credential;
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
