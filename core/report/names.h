// The words that text and JSON share for the engine's enums: stable, lower
// case, as the interface spells them. No enum is printed as a number.
// Pure functions of their argument.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "attempt/attempt.h"
#include "base/named.h"
#include "flow/disturbance.h"
#include "flow/exchange.h"
#include "flow/loss.h"
#include "flow/message.h"
#include "flow/negotiation.h"
#include "history/in_force.h"
#include "incident/incident.h"
#include "rdma/op.h"
#include "rpcrdma/header.h"
#include "rpcrdma/programs.h"
#include "rpcrdma/xchar.h"
#include "rules/finding.h"
#include "timing/sequences.h"
#include "track/connection.h"
#include "wire/stop.h"

namespace steertag::report {

inline std::string_view name(rdma::Transport transport) {
  static constexpr std::string_view names[] = {"roce1", "roce2", "infiniband", "iwarp"};
  return base::named<rdma::Transport::iwarp>(names, transport);
}

// As prose has it: "RoCEv2".
inline std::string_view title(rdma::Transport transport) {
  static constexpr std::string_view titles[] = {"RoCEv1", "RoCEv2", "InfiniBand", "iWARP"};
  return base::named<rdma::Transport::iwarp>(titles, transport);
}

// What a limit is by; of a characteristic, its own name says more.
inline std::string_view name(history::Basis basis) {
  static constexpr std::string_view names[] = {"default", "private_data", "characteristic", "CONF_RDMA"};
  return base::named<history::Basis::configuration>(names, basis);
}

inline std::string_view name(history::Basis basis, rpcrdma::xchar::Id characteristic) {
  return basis == history::Basis::characteristic ? rpcrdma::xchar::text(characteristic) : name(basis);
}

inline std::string_view name(rpcrdma::xchar::Id characteristic) {
  return rpcrdma::xchar::text(characteristic);
}

inline std::string_view name(rpcrdma::xchar::Operation operation) {
  return rpcrdma::xchar::text(operation);
}

inline std::string_view name(track::Pairing pairing) {
  static constexpr std::string_view names[] = {"setup", "inferred", "one_sided"};
  return base::named<track::Pairing::one_sided>(names, pairing);
}

inline std::string_view name(rdma::EndReason reason) {
  static constexpr std::string_view names[] = {"disconnect", "reject",    "fin",
                                               "reset",      "terminate", "replaced"};
  return base::named<rdma::EndReason::replaced>(names, reason);
}

inline std::string_view name(attempt::Outcome outcome) {
  static constexpr std::string_view names[] = {"rejected", "refused", "unanswered", "unconfirmed",
                                               "terminated"};
  return base::named<attempt::Outcome::terminated>(names, outcome);
}

inline std::string_view name(attempt::Then then) {
  static constexpr std::string_view names[] = {"none", "connection", "tcp"};
  return base::named<attempt::Then::tcp>(names, then);
}

inline std::string_view name(incident::Kind kind) {
  static constexpr std::string_view names[] = {
      "not_connected",      "connection_lost", "hang",        "loss",        "congestion",
      "receiver_not_ready", "credits",         "slow_server", "slow_client", "slow_network",
      "transport_error",    "session",         "nfs_error",   "violation"};
  return base::named<incident::Kind::violation>(names, kind);
}

inline std::string_view name(flow::Loss::What what) {
  static constexpr std::string_view names[] = {"data", "ack", "setup"};
  return base::named<flow::Loss::What::setup>(names, what);
}

inline std::string_view name(flow::Loss::NoticedBy what) {
  static constexpr std::string_view names[] = {"nak", "rnr_nak", "read_retry", "timeout", "duplicate_acks"};
  return base::named<flow::Loss::NoticedBy::duplicate_acks>(names, what);
}

inline std::string_view name(flow::Loss::Where where) {
  static constexpr std::string_view names[] = {"before_tap", "after_tap", "receiver", "unknown"};
  return base::named<flow::Loss::Where::unknown>(names, where);
}

inline std::string_view name(timing::Sequences::What what) {
  static constexpr std::string_view names[] = {"sent",   "read_response", "acknowledged",        "sent_again",
                                               "late",   "lost",          "acknowledgment_lost", "nak",
                                               "rnr_nak"};
  return base::named<timing::Sequences::What::rnr_nak>(names, what);
}

inline std::string_view name(incident::Where where) {
  static constexpr std::string_view names[] = {"client", "server", "network"};
  return base::named<incident::Where::network>(names, where);
}

// The error that answered an RPC, by the version of the answer; precondition: exchange.error.
inline std::string error_name(const flow::Exchange& exchange) {
  return rpcrdma::error_name(exchange.error_version, *exchange.error);
}

// The error that answered a request for other characteristics.
inline std::string error_name(const flow::Negotiation& negotiation) {
  return negotiation.error ? rpcrdma::error_name(2, *negotiation.error) : "RDMA2_ERROR";
}

// How the RPC Reply refused the request, by its XDR name; empty where it did not, or where that is unknown.
inline std::string refusal_name(const flow::Exchange& exchange) {
  if (!exchange.answer || exchange.answer->succeeded()) {
    return {};
  }
  return rpcrdma::refusal(*exchange.answer);
}

// What an RPC was about: "NFSv4 READ", "NFSv3 READ"; "NFSv4 COMPOUND" where the capture does not show for
// which operation; "?" where not even that.
inline std::string rpc_name(const flow::Exchange& exchange) {
  if (!exchange.procedure) {
    return "?";
  }
  const auto& [program, version, procedure] = *exchange.procedure;
  const std::string name = rpcrdma::name(program, version, procedure);
  const bool compound = !exchange.subject.ops.empty() && !exchange.subject.op.empty();
  return compound ? name.substr(0, name.find(' ') + 1) + exchange.subject.op : name;
}

// Why an RPC is doubtful, for programs; empty for Doubt::none.
inline std::string_view name(flow::Doubt doubt) {
  static constexpr std::string_view names[] = {
      "", "header_cut", "frames_missing", "call_missing", "capture_ended", "reply_unclear", "in_parts"};
  return base::named<flow::Doubt::in_parts>(names, doubt);
}

// The same for people.
inline std::string_view words(flow::Doubt doubt) {
  static constexpr std::string_view names[] = {"",
                                               "header cut by the snap length",
                                               "frames missing",
                                               "begun before the capture",
                                               "capture ended",
                                               "unclear whether Reply or Call",
                                               "answered in parts"};
  return base::named<flow::Doubt::in_parts>(names, doubt);
}

inline std::string_view name(flow::Status status) {
  static constexpr std::string_view names[] = {"complete", "no_reply", "no_call", "transport_error"};
  return base::named<flow::Status::transport_error>(names, status);
}

inline std::string_view name(flow::Direction direction) {
  static constexpr std::string_view names[] = {"", "call", "reply"};
  return base::named<flow::Direction::reply>(names, direction);
}

inline std::string_view name(flow::ChunkKind kind) {
  static constexpr std::string_view names[] = {"read", "write", "reply", "result"};
  return base::named<flow::ChunkKind::result>(names, kind);
}

constexpr std::string_view name(flow::WaitedOn waited_on) {
  const auto place = static_cast<size_t>(waited_on);
  return place < flow::kWaitedOns ? flow::waited_on_names[place] : std::string_view();
}

inline std::string_view name(flow::Disturbance::Kind kind) {
  static constexpr std::string_view names[] = {"sent_again", "nak", "rnr_nak", "zero_window"};
  return base::named<flow::Disturbance::Kind::zero_window>(names, kind);
}

inline std::string_view name(rules::Severity severity) {
  static constexpr std::string_view names[] = {"note", "warning", "error"};
  return base::named<rules::Severity::error>(names, severity);
}

inline std::string_view name(rules::Certainty certainty) {
  static constexpr std::string_view names[] = {"possible", "likely", "definite"};
  return base::named<rules::Certainty::definite>(names, certainty);
}

inline std::string_view name(rules::Blame blame) {
  static constexpr std::string_view names[] = {"undecided", "requester", "responder"};
  return base::named<rules::Blame::responder>(names, blame);
}

// The names of a message's procedure and error, as reports print them: by the
// version that the message itself carries. And how much of an extension's
// structure there is to print. Pure functions of their arguments.
// "RDMA_MSG", "RDMA2_ERROR"; the number as text where the version has no such procedure.
inline std::string procedure_name(const rpcrdma::TransportHeader& header) {
  return rpcrdma::procedure_name(header.version, header.procedure);
}

// "ERR_CHUNK", "RDMA2_ERR_VERS"; precondition: header.error_code().
inline std::string error_name(const rpcrdma::TransportHeader& header) {
  return rpcrdma::error_name(header.version, *header.error_code());
}

// How many members of the structure in rdma_optinfo were read to their end, all
// of them where reading did not stop. The header's length does not say: a stop
// inside rdma_optinfo may still have found the end of rdma_optinfo. What the
// members are made of (xcharval) belongs to the first of each structure.
inline size_t members_read(const rpcrdma::v2::Optional& body, const std::optional<wire::Stop>& stop) {
  if (!stop) {
    return SIZE_MAX;
  }
  const std::string_view field = stop->field;
  if (field == "rdma_optinfo") {  // its length, or as many bytes as that says; else what follows the members
    return stop->offset <= body.at.offset + 12 ? 0 : SIZE_MAX;
  }
  return field == "optrespxch_pend"                                                              ? 2
         : field == "optixch_nochg" || field == "optrespxch_rej" || field == "optupdxch_pendclr" ? 1
                                                                                                 : 0;
}

}  // namespace steertag::report
