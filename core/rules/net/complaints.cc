// What a receiver rejected: NAKs, RNR NAKs, Terminate. Each is tied to the
// finding that explains it, where there is one.

#include <string_view>

#include "frame.h"
#include "rdma/iwarp/terminate.h"
#include "rdma/roce/nak.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

using rdma::Fault;

// A NAK that ends the connection.
bool is_fatal_nak(Fault::Kind kind) {
  return kind == Fault::Kind::nak_invalid_request || kind == Fault::Kind::nak_remote_access ||
         kind == Fault::Kind::nak_remote_operational;
}

bool inside(const Stamp& at, const rdma::OpFrames& frames) {
  return !captured_before(at, frames.first) && !captured_before(frames.last, at);
}

// What one end may do to an operation other than the rejected one: invalidate its memory, or lose its place
// in the sequence.
bool reaches_further(const Finding& finding) {
  return finding.rule->id.starts_with("INV") || finding.rule->id.starts_with("NET") ||
         finding.rule->id.starts_with("CRD");
}

// The newest finding about what the fault names: the operation with this PSN, or the handle in a Terminate.
// The fault confirms even a finding that is only possible. Where it names nothing known, or nothing is wrong
// with that, the explanation may be a finding that is more than possible, about something else that the other
// end sent and that is not over: a receiver rejects at once, so what was found well before a Call that has
// been answered explains nothing.
const Finding* explanation(const flow::Incident& incident, const Report& report,
                           std::initializer_list<std::string_view> rules) {
  const Fault& fault = *incident.fault();
  const auto of_the_peer = [&](const Finding& finding) { return !finding.by || *finding.by != fault.from; };
  const Finding* named = report.earlier(rules, [&](const Finding& finding) {
    return of_the_peer(finding) && ((fault.refused && inside(finding.at, *fault.refused)) ||
                                    (fault.memory && finding.handle == fault.memory->handle));
  });
  if (named != nullptr) {
    return named;
  }
  return report.earlier(rules, [&](const Finding& finding) {
    const bool over = incident.served && incident.served->time_ns - finding.at.time_ns > incident.flight_ns;
    return finding.certainty > Certainty::possible && of_the_peer(finding) && !over &&
           (!fault.refused || reaches_further(finding));
  });
}

// What is reported of a fault without an explanation; what is not in the capture may be the explanation.
Report::Entry report_unexplained(const flow::Incident& incident, Report& report, const std::string& what,
                                 std::string_view conclusion) {
  const track::Connection& connection = *incident.connection;
  const bool whole = connection.seen_from_start && !connection.last_doubt_ns;
  auto entry = whole ? report("{}, and nothing in the capture shows why{}", what, conclusion)
                     : report("{}, and not all that was sent or advertised before is in the capture", what);
  return entry.severity(Severity::warning).at_most(whole ? Certainty::definite : Certainty::likely);
}

Outcome check_access_nak(const flow::Incident& incident, Report& report) {
  const Fault* fault = incident.fault();
  if (fault == nullptr || !is_fatal_nak(fault->kind)) {
    return Outcome::not_applicable;
  }
  const std::string what = fmt::format("{} answers PSN {:#08x} with a NAK, {}",
                                       incident.connection->end(fault->from).address.text(), fault->psn,
                                       rdma::roce::nak_name(fault->code));
  if (fault->wrong_crc) {
    report("{}: as captured, what it refuses has a wrong ICRC (NET-08), so what was received may differ",
           what)
        .with(fault->wrong_crc->at)
        .severity(Severity::note);  // damaged, perhaps, and already reported
  } else if (const Finding* cause = explanation(
                 incident, report,
                 {"MEM-01", "MEM-02", "MEM-03", "MEM-04", "MEM-05", "MEM-06", "MEM-07", "INL-01", "INL-02",
                  "INL-04", "INV-02", "INV-03", "INV-06", "INV-08", "INV-11", "NET-09", "NET-16"})) {
    report("{}: {} explains it", what, cause->rule->id)
        .with(cause->at)
        .severity(Severity::note);  // the mistake is already reported
  } else {
    report_unexplained(incident, report, what,
                       fault->kind == Fault::Kind::nak_remote_operational
                           ? ": it could not do what was asked"
                           : ": the RNIC disagrees with what was advertised");
  }
  return Outcome::done;
}

Outcome check_receiver_not_ready(const flow::Incident& incident, Report& report) {
  const Fault* fault = incident.fault();
  if (fault == nullptr || fault->kind != Fault::Kind::rnr) {
    return Outcome::not_applicable;
  }
  auto entry = report("RNR NAK: {} had no receive buffer posted for PSN {:#08x}",
                      incident.connection->end(fault->from).address.text(), fault->psn);
  if (const Finding* cause = explanation(incident, report, {"CRD"})) {
    entry.with(cause->at).severity(Severity::note);
  }
  return Outcome::done;
}

// A CRC that is wrong as captured is its sender's; what was right then was damaged behind the tap.
void report_crc(const flow::Incident& incident, Report& report, const std::string& what) {
  const Fault& fault = *incident.fault();
  const track::Connection& connection = *incident.connection;
  const rdma::Side sender = rdma::other(fault.from);
  if (!fault.wrong_crc && fault.crcs_cut) {
    report("{}; not all FPDUs of {} were captured whole, so that their CRCs cannot be checked", what,
           connection.end(sender).address.text())
        .severity(Severity::warning);
    return;
  }
  if (!fault.wrong_crc) {
    report("{}, although the CRCs of all that {} sent are right as captured", what,
           connection.end(sender).address.text())
        .severity(Severity::warning);
    return;
  }
  const Blame blame = !connection.client            ? Blame::undecided
                      : sender == connection.client ? Blame::requester
                                                    : Blame::responder;
  report("FPDU has CRC {:#010x}, but its bytes give {:#010x}, and {}", fault.wrong_crc->carried,
         fault.wrong_crc->computed, what)
      .at(fault.wrong_crc->at)
      .with(fault.at)
      .blame(blame, sender)
      .severity(Severity::warning)
      .at_most(fault.crcs_seen ? Certainty::definite : Certainty::possible);
}

Outcome check_terminate(const flow::Incident& incident, Report& report) {
  const Fault* fault = incident.fault();
  if (fault == nullptr || fault->kind != Fault::Kind::terminate) {
    return Outcome::not_applicable;
  }
  const std::string_view name = rdma::iwarp::terminate_name(fault->layer, fault->etype, fault->code);
  const std::string what = fmt::format("{} ends the stream with Terminate {}/{}/{:#04x}{}{}",
                                       incident.connection->end(fault->from).address.text(), fault->layer,
                                       fault->etype, fault->code, name.empty() ? "" : ", ", name);
  if (fault->layer == 0 && fault->etype == 0) {
    report("{}: a local error, as some stacks send when they close", what).severity(Severity::note);
  } else if (fault->wrong_crc || fault->crcs_right || fault->crcs_cut) {
    report_crc(incident, report, what);
  } else if (const Finding* cause =
                 explanation(incident, report,
                             {"MEM-01", "MEM-02", "MEM-03", "MEM-04", "MEM-05", "MEM-06", "MEM-07", "INL-01",
                              "INL-02", "INL-04", "INV-02", "INV-03", "INV-06", "INV-08", "INV-11", "NET-09",
                              "CRD-02", "CRD-03", "NET-07"})) {
    report("{}: {} explains it", what, cause->rule->id).with(cause->at).severity(Severity::note);
  } else {
    report_unexplained(incident, report, what, "");
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule access_nak = {
    .id = "NET-03",
    .name = "fatal-nak",
    .source = {"IBTA", "9.7.5.2.8"},
    .also = "rfc8166",
    .incident = check_access_nak,
};

constinit const Rule receiver_not_ready = {
    .id = "NET-04",
    .name = "receiver-not-ready",
    .severity = Severity::warning,
    .source = {"RFC 8166", "3.3"},
    .also = "rfc8166",
    .incident = check_receiver_not_ready,
};

constinit const Rule terminate = {
    .id = "NET-05",
    .name = "terminate",
    .source = {"RFC 5040", "4.8"},
    .also = "rfc8166",
    .incident = check_terminate,
};

}  // namespace steertag::rules
