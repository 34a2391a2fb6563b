// Framing and checksums below the RDMA layer.

#include "rules/report.h"

namespace steertag::rules {
namespace {

using rdma::Anomaly;
using Kind = Anomaly::Kind;

Outcome check_mpa_crc(const flow::Incident& incident, Report& report) {
  const Anomaly* a = incident.anomaly();
  if (a == nullptr || a->kind != Kind::mpa_crc) {
    return Outcome::not_applicable;
  }
  report("FPDU has CRC {:#010x}, but its bytes give {:#010x}", a->found, a->expected);
  return Outcome::done;
}

Outcome check_icrc(const flow::Incident& incident, Report& report) {
  const Anomaly* a = incident.anomaly();
  if (a == nullptr || (a->kind != Kind::icrc && a->kind != Kind::icrc_never)) {
    return Outcome::not_applicable;
  }
  if (incident.connection->transport != rdma::Transport::roce2) {
    return Outcome::undecided;
  }
  if (a->kind == Kind::icrc) {
    report("ICRC is {:#010x}, but the packet's bytes give {:#010x}", a->found, a->expected);
  } else {
    report("None of {} packets of {} has the right ICRC: captured before the adapter filled it in?", a->count,
           incident.connection->end(a->from).address.text())
        .severity(Severity::note)
        .blame_nobody();
  }
  return Outcome::done;
}

Outcome check_mpa_framing(const flow::Incident& incident, Report& report) {
  const Anomaly* a = incident.anomaly();
  if (a == nullptr || a->kind < Kind::mpa_key || a->kind > Kind::mpa_pad) {
    return Outcome::not_applicable;
  }
  switch (a->kind) {
    case Kind::mpa_key:
      report("MPA setup frame without the expected key");
      break;
    case Kind::mpa_revision:
      report("MPA revision {}, expected {} at most", a->found, a->expected);
      break;
    case Kind::mpa_private_data_length:
      report("MPA setup frame announces {} bytes of private data; 512 are allowed", a->found);
      break;
    case Kind::mpa_early_fpdu:
      report("Responder sends an FPDU before the initiator's first");
      break;
    case Kind::mpa_length:
      report("ULPDU of {} bytes, but a DDP header alone has {}", a->found, a->expected);
      break;
    case Kind::mpa_marker:
      report("Marker points {} bytes back, but its FPDU starts {} bytes back", a->found, a->expected);
      break;
    default:
      report("FPDU pad is not zero");
      break;
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule mpa_crc = {
    .id = "NET-06",
    .name = "wrong-mpa-crc",
    .severity = Severity::warning,
    .source = {"RFC 5044", "4.4"},
    .incident = check_mpa_crc,
};

constinit const Rule mpa_framing = {
    .id = "NET-07",
    .name = "broken-mpa-framing",
    .severity = Severity::warning,
    .source = {"RFC 5044", "4"},
    .incident = check_mpa_framing,
};

constinit const Rule wrong_icrc = {
    .id = "NET-08",
    .name = "wrong-icrc",
    .severity = Severity::warning,
    .source = {"IBTA", "A17.3.3"},
    .incident = check_icrc,
};

}  // namespace steertag::rules
