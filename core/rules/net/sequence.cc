// What a sender of RDMA packets or DDP segments must not do, whatever the upper
// layer: the sequence of an operation, what Reads deliver, what is retransmitted.

#include <string_view>

#include "base/named.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

using rdma::Anomaly;
using Kind = Anomaly::Kind;

std::string_view operation_name(rdma::OpKind kind) {
  static constexpr std::string_view names[] = {"Send", "RDMA Write", "RDMA Read Request",
                                               "RDMA Read Response", "operation"};
  return base::named<rdma::OpKind::other>(names, kind);
}

// What is wrong with the sequence; empty for the kinds that other rules report.
std::string sequence_fault(const Anomaly& a) {
  const std::string_view what = operation_name(a.operation);
  switch (a.kind) {
    case Kind::orphan:
      return fmt::format("{} continues, but none was started", what);
    case Kind::cut_off:
      return a.expected == 0
                 ? fmt::format("{} breaks off after {} bytes: another operation starts", what, a.found)
                 : fmt::format("{} breaks off after {} of {} bytes: another operation starts", what, a.found,
                               a.expected);
    case Kind::packet_size:
      return a.expected == 0
                 ? fmt::format("First or Middle packet of {} bytes, which is not a path MTU", a.found)
                 : fmt::format("First or Middle packet of {} bytes, but the path MTU is {}", a.found,
                               a.expected);
    case Kind::inner_pad:
      return fmt::format("First or Middle packet with {} pad bytes", a.found);
    case Kind::write_length:
      return fmt::format("RDMA Write of {} bytes, but its RETH announces {}", a.found, a.expected);
    case Kind::ddp_version:
      return fmt::format("DDP version {}, which must be 1", a.found);
    case Kind::rdmap_version:
      return fmt::format("RDMAP version {}, which must be 0 or 1", a.found);
    case Kind::tagged_flag:
      return fmt::format("{} with T flag {}, but its opcode requires {}", what, a.found, a.expected);
    case Kind::queue_number:
      return fmt::format("{} on queue {}, but it belongs on {}", what, a.found, a.expected);
    case Kind::message_number:
      return fmt::format("{} with message sequence number {}, expected {}", what, a.found, a.expected);
    case Kind::message_offset:
      return fmt::format("{} continues at message offset {}, expected {}", what, a.found, a.expected);
    case Kind::stag_change:
      return fmt::format("{} changes its STag from {:#010x} to {:#010x} midway", what, a.expected, a.found);
    case Kind::tagged_offset:
      return fmt::format("{} continues at tagged offset {:#x}, expected {:#x}", what, a.found, a.expected);
    default:
      return {};
  }
}

// What is wrong with the data of a Read; empty for other kinds.
std::string delivery_fault(const Anomaly& a) {
  switch (a.kind) {
    case Kind::read_long:
      if (a.found <= a.expected) {  // what should be the last packet says that another follows
        return fmt::format("RDMA Read of {} bytes is answered with more", a.expected);
      }
      [[fallthrough]];
    case Kind::read_short:
      return fmt::format("RDMA Read of {} bytes is answered with {}", a.expected, a.found);
    case Kind::read_sink_stag:
      return fmt::format("Read Response goes to STag {:#010x}, but the Request named {:#010x}", a.found,
                         a.expected);
    case Kind::read_sink_offset:
      return fmt::format("Read Response goes to tagged offset {:#x}, expected {:#x}", a.found, a.expected);
    case Kind::read_unasked:
      return fmt::format("Read Response of {} bytes, but no RDMA Read is outstanding", a.found);
    default:
      return {};
  }
}

template <std::string (*fault_of)(const Anomaly&)>
Outcome check_fault(const flow::Incident& incident, Report& report) {
  const Anomaly* anomaly = incident.anomaly();
  const std::string fault = anomaly == nullptr ? "" : fault_of(*anomaly);
  if (fault.empty()) {
    return Outcome::not_applicable;
  }
  auto entry = report("{}", fault);
  if (anomaly->related) {
    entry.with(*anomaly->related);
  }
  return Outcome::done;
}

Outcome check_changed_repeat(const flow::Incident& incident, Report& report) {
  const Anomaly* a = incident.anomaly();
  if (a == nullptr || a->kind != Kind::changed_retransmission) {
    return Outcome::not_applicable;
  }
  const bool tcp = incident.connection->transport == rdma::Transport::iwarp;
  auto entry =
      tcp ? report("TCP bytes from stream offset {} on are retransmitted with different content", a->position)
          : report("PSN {:#08x} is retransmitted with different content", a->position);
  if (a->related) {
    entry.with(*a->related);
  }
  if (!a->acknowledged && !a->intact) {
    entry.at_most(Certainty::possible);  // the first copy may have been damaged on its way
  }
  return Outcome::done;
}

// The larger maxrdmaread of both ends, where CONF_RDMA has settled it (RFC 5666 §6.2); under that document's
// profile it has a rule of its own. Unset: nothing was settled, or it may not have reached the sender yet.
std::optional<uint32_t> settled_reads(const flow::Incident& incident, const Report& report) {
  const auto& owner = incident.configured;
  const bool counts = !report.rfc5666() && owner && owner->reads && *owner->reads != 0 &&
                      captured_before(owner->at, incident.at()) && owner->binds(incident.at()) &&
                      !gap_since(*incident.connection, owner->at);
  return counts ? owner->reads : std::nullopt;
}

// The REQ names the path MTU of both directions. Of its receiver nothing is heard: a REP cannot change it.
Outcome check_path_mtu(const flow::Incident& incident, Report& report) {
  const Anomaly* a = incident.anomaly();
  const uint32_t agreed = incident.connection->path_mtu;
  if (a == nullptr || a->kind != Kind::inner_size) {
    return Outcome::not_applicable;
  }
  if (agreed == 0) {
    return Outcome::undecided;
  }
  if (a->found > agreed) {
    report("Packets of {} bytes, but the REQ sets a path MTU of {}", a->found, agreed)
        .with(incident.connection->first_frame);
  }
  return Outcome::done;
}

Outcome check_read_depth(const flow::Incident& incident, Report& report) {
  const Anomaly* a = incident.anomaly();
  if (a == nullptr || a->kind != Kind::reads_outstanding) {
    return Outcome::not_applicable;
  }
  const std::optional<uint32_t> settled = settled_reads(incident, report);
  if (settled && a->found > *settled) {
    report("{} RDMA Reads outstanding, but the larger maxrdmaread of the two ends is {}", a->found, *settled)
        .with(incident.configured->at)
        .source({"RFC 5666", "6.2"});
    return Outcome::done;
  }
  const std::optional<uint32_t> may_start = incident.connection->end(a->from).initiator_depth;
  const std::optional<uint32_t> can_serve =
      incident.connection->end(rdma::other(a->from)).responder_resources;
  if (!may_start || !can_serve || *may_start == 0 || *can_serve == 0) {
    return Outcome::undecided;  // not negotiated
  }
  const uint32_t depth = std::min(*may_start, *can_serve);
  if (a->found > depth) {
    report("{} RDMA Reads outstanding, but the depth agreed on is {}", a->found, depth);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule transport_sequence = {
    .id = "NET-09",
    .name = "broken-operation-sequence",
    .source = {"IBTA", "9.7"},
    .also = "rfc5040,rfc5041",
    .incident = check_fault<sequence_fault>,
};

constinit const Rule read_delivery = {
    .id = "NET-10",
    .name = "read-not-delivered-as-requested",
    .source = {"RFC 5040", "5.2"},
    .incident = check_fault<delivery_fault>,
};

constinit const Rule changed_repeat = {
    .id = "NET-13",
    .name = "retransmission-with-other-bytes",
    .source = {"IBTA", "9.7.5"},
    .incident = check_changed_repeat,
};

constinit const Rule read_depth = {
    .id = "NET-14",
    .name = "too-many-reads-outstanding",
    .severity = Severity::warning,
    .source = {"RFC 8166", "3.3.1"},
    .also = "rfc5666,rfc8166",
    .needs = needs_setup,
    .incident = check_read_depth,
};

constinit const Rule path_mtu = {
    .id = "NET-16",
    .name = "packets-above-path-mtu",
    .source = {"IBTA", "12.7"},
    .incident = check_path_mtu,
};

}  // namespace steertag::rules
