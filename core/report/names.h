// The words that text and JSON share for the engine's enums: stable, lower
// case, as the interface spells them. No enum is printed as a number.
// Pure functions of their argument.
#pragma once

#include <string>
#include <string_view>

#include "flow/disturbance.h"
#include "flow/exchange.h"
#include "flow/message.h"
#include "flow/negotiation.h"
#include "history/in_force.h"
#include "rdma/op.h"
#include "rpcrdma/header.h"
#include "rpcrdma/programs.h"
#include "rpcrdma/xchar.h"
#include "rules/finding.h"
#include "track/connection.h"

namespace steertag::report {

constexpr std::string_view name(rdma::Transport transport) {
  switch (transport) {
    case rdma::Transport::roce1:
      return "roce1";
    case rdma::Transport::roce2:
      return "roce2";
    case rdma::Transport::infiniband:
      return "infiniband";
    case rdma::Transport::iwarp:
      return "iwarp";
  }
  return {};
}

// What a limit is by; of a characteristic, its own name says more.
constexpr std::string_view name(history::Basis basis) {
  switch (basis) {
    case history::Basis::version:
      return "default";
    case history::Basis::private_data:
      return "private_data";
    case history::Basis::characteristic:
      return "characteristic";
    case history::Basis::configuration:
      return "CONF_RDMA";
  }
  return {};
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

constexpr std::string_view name(track::Pairing pairing) {
  switch (pairing) {
    case track::Pairing::setup:
      return "setup";
    case track::Pairing::inferred:
      return "inferred";
    case track::Pairing::one_sided:
      return "one_sided";
  }
  return {};
}

constexpr std::string_view name(rdma::EndReason reason) {
  switch (reason) {
    case rdma::EndReason::disconnect:
      return "disconnect";
    case rdma::EndReason::reject:
      return "reject";
    case rdma::EndReason::fin:
      return "fin";
    case rdma::EndReason::reset:
      return "reset";
    case rdma::EndReason::terminate:
      return "terminate";
    case rdma::EndReason::replaced:
      return "replaced";
  }
  return {};
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
constexpr std::string_view name(flow::Doubt doubt) {
  switch (doubt) {
    case flow::Doubt::none:
      return "";
    case flow::Doubt::header_cut:
      return "header_cut";
    case flow::Doubt::frames_missing:
      return "frames_missing";
    case flow::Doubt::call_missing:
      return "call_missing";
    case flow::Doubt::reply_unclear:
      return "reply_unclear";
    case flow::Doubt::in_parts:
      return "in_parts";
    case flow::Doubt::capture_ended:
      return "capture_ended";
  }
  return "";
}

// The same for people.
constexpr std::string_view words(flow::Doubt doubt) {
  switch (doubt) {
    case flow::Doubt::none:
      return "";
    case flow::Doubt::header_cut:
      return "header cut by the snap length";
    case flow::Doubt::frames_missing:
      return "frames missing";
    case flow::Doubt::call_missing:
      return "begun before the capture";
    case flow::Doubt::reply_unclear:
      return "unclear whether Reply or Call";
    case flow::Doubt::in_parts:
      return "answered in parts";
    case flow::Doubt::capture_ended:
      return "capture ended";
  }
  return "";
}

constexpr std::string_view name(flow::Status status) {
  switch (status) {
    case flow::Status::complete:
      return "complete";
    case flow::Status::no_reply:
      return "no_reply";
    case flow::Status::no_call:
      return "no_call";
    case flow::Status::transport_error:
      return "transport_error";
  }
  return {};
}

constexpr std::string_view name(flow::Direction direction) {
  switch (direction) {
    case flow::Direction::unknown:
      return {};
    case flow::Direction::call:
      return "call";
    case flow::Direction::reply:
      return "reply";
  }
  return {};
}

constexpr std::string_view name(flow::ChunkKind kind) {
  switch (kind) {
    case flow::ChunkKind::read:
      return "read";
    case flow::ChunkKind::write:
      return "write";
    case flow::ChunkKind::reply:
      return "reply";
    case flow::ChunkKind::result:
      return "result";
  }
  return {};
}

constexpr std::string_view name(flow::WaitedOn waited_on) {
  const auto place = static_cast<size_t>(waited_on);
  return place < flow::kWaitedOns ? flow::waited_on_names[place] : std::string_view();
}

constexpr std::string_view name(flow::Disturbance::Kind kind) {
  switch (kind) {
    case flow::Disturbance::Kind::sent_again:
      return "sent_again";
    case flow::Disturbance::Kind::nak:
      return "nak";
    case flow::Disturbance::Kind::rnr_nak:
      return "rnr_nak";
    case flow::Disturbance::Kind::zero_window:
      return "zero_window";
  }
  return {};
}

constexpr std::string_view name(rules::Severity severity) {
  switch (severity) {
    case rules::Severity::note:
      return "note";
    case rules::Severity::warning:
      return "warning";
    case rules::Severity::error:
      return "error";
  }
  return {};
}

constexpr std::string_view name(rules::Certainty certainty) {
  switch (certainty) {
    case rules::Certainty::possible:
      return "possible";
    case rules::Certainty::likely:
      return "likely";
    case rules::Certainty::definite:
      return "definite";
  }
  return {};
}

constexpr std::string_view name(rules::Blame blame) {
  switch (blame) {
    case rules::Blame::undecided:
      return "undecided";
    case rules::Blame::requester:
      return "requester";
    case rules::Blame::responder:
      return "responder";
  }
  return {};
}

}  // namespace steertag::report
