// OtlpTrace: what RPCs did as spans of OpenTelemetry, in OTLP's JSON: each line is an
// ExportTraceServiceRequest of its own, which a collector takes as it is. An RPC is a trace: a span of its
// Requester, and in it one for each phase; findings are its events. Names are those of the semantic
// conventions for RPC and ONC RPC, and for what these have not, steertag.NAME, as in facts.h.
//
// Identifiers follow from the traffic: equal captures have equal ones, and so has an RPC that two captures of
// the same tap both hold. That of an RPC is a digest of the addresses of its two ends, its XID, and the frame
// number and time of its Call, or of its Reply where the Call was not captured; that of a phase, of these and
// its name. A Call that was sent again links to the attempt before it.
//
// What is found of an RPC that is still open waits for it; what is about none, or comes later, is told by a
// span of the connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flow/exchange.h"
#include "report/buffer.h"
#include "report/facts.h"
#include "report/files.h"
#include "report/otlp_line.h"
#include "rules/finding.h"

namespace steertag::report {

class OtlpTrace {
 public:
  static constexpr size_t kMostBytes = 256 << 10;  // of a line, and one more RPC
  static constexpr size_t kMostWaiting = 256,
                          kMostWaitingInAll = 16384;  // findings: of one connection; of all

  OtlpTrace(const Files& files, std::string_view version) : files_(files), line_(version) {}

  // Whole lines are appended to `out`; true: there was one.
  bool add(Buffer& out, const flow::Exchange& exchange);  // whose Timing is complete
  bool add(Buffer& out, const rules::Finding& finding);
  // It is not to be shown, nor what was found of it.
  void leave_out(const flow::Exchange& exchange) { take(exchange); }
  bool close(Buffer& out, const track::Connection& connection);  // nothing more comes of it
  void finish(Buffer& out);                                      // nor of anything: there is a line
  void take_over(OtlpTrace& other);                              // what it has begun

 private:
  struct Waiting {
    Stamp at;
    std::optional<uint32_t> xid;
    std::string name;
    Facts facts;
  };

  void put_events(const std::vector<Waiting>& findings);
  std::vector<Waiting> take(const flow::Exchange& exchange);
  void tell(const track::Connection& connection);  // all that waits there
  bool end_full_line(Buffer& out);

  Files files_;
  OtlpLine line_;                                     // the one at hand
  std::map<uint32_t, std::vector<Waiting>> waiting_;  // by connection
  size_t waits_ = 0;                                  // in all
  uint64_t told_ = 0;                                 // spans of connections
  bool any_ = false;                                  // a line was written
};

}  // namespace steertag::report
