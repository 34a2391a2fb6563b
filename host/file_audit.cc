#include "host/file_audit.h"

#include <fmt/core.h>

#include <utility>

#include "base/counted.h"
#include "base/units.h"
#include "host/ahead.h"
#include "host/failure.h"
#include "host/interrupt.h"
#include "host/out_of_memory.h"
#include "product/inspector.h"

namespace steertag::host {
namespace {

void add_remark(report::AuditedFile& row, std::string_view words) {
  row.remark += (row.remark.empty() ? "" : "; ") + std::string(words);
}

// As an Inspector is fed by run() where it does all the work.
void follow(Trace& trace, product::Inspector& inspector, const std::atomic<bool>& stop) {
  Frame frame;
  Ahead ahead;
  while (!interrupted() && !stop && trace.next(frame)) {
    if (ahead.add(frame, trace.block())) {
      inspector.analyzer().feed(ahead.frames());
      ahead.clear();
    }
  }
  inspector.analyzer().feed(ahead.frames());
  inspector.finish();
}

void count(product::FileAudit& made, product::AuditProduct& auditor, const Trace& trace,
           const RunOptions& options) {
  report::AuditedFile& row = made.row;
  made.interrupted = interrupted();
  row.cut = made.interrupted ? "interrupted" : trace.cut() ? "truncated" : "";
  row.damaged = trace.damaged() || trace.foreign();
  auditor.finish({.counters = row.counters, .cut = row.cut, .damaged = row.damaged});
  made.complaints.insert(made.complaints.end(), auditor.complaints().begin(), auditor.complaints().end());
  row.found = *auditor.findings();
  made.tallies = auditor.audit()->tallies();
  row.judged = product::rules_judged(made.tallies);
  row.status = row.damaged || (!row.cut.empty() && !options.allow_cut) ? 2 : auditor.status();
  made.verdict = std::move(auditor.verdict());
  made.known = auditor.known();
  made.seen = auditor.seen();
  progressed.frames += row.counters.frames;
}

// What the numbers alone do not say.
void remark_on(product::FileAudit& made, const product::AuditProduct& auditor, const Trace& trace,
               const RunOptions& options) {
  report::AuditedFile& row = made.row;
  const Counters& counters = row.counters;
  if (!row.cut.empty()) {
    add_remark(row, row.cut);
  }
  if (trace.damaged()) {
    add_remark(row, "damaged");
  }
  if (trace.foreign()) {
    add_remark(row, "link type not read");
  } else if (counters.messages == 0) {
    add_remark(row, "no RPC-over-RDMA");
  }
  for (const std::string& id : auditor.never_judged()) {
    add_remark(row, id + " never judged");
  }
  if (counters.checksum_errors != 0) {
    made.complaints.push_back(fmt::format("{}: {} with a wrong ICRC or MPA CRC", row.path,
                                          base::counted(counters.checksum_errors, "packet")));
  }
  if (counters.given_up != 0) {
    add_remark(row, "out of --memory");
    made.complaints.push_back(
        fmt::format("{}: {} of memory, its part of --memory, were not enough: {} a connection, an RPC or "
                    "what waited behind "
                    "a hole was dropped; RPCs in progress there are not judged",
                    row.path, base::size_text(options.memory), base::counted(counters.given_up, "time")));
  }
}

}  // namespace

product::FileAudit unread_file(const std::string& path, const std::string& trouble) {
  product::FileAudit made;
  made.row.path = path;
  made.row.status = 2;
  made.row.unread = true;
  made.row.remark = trouble;
  made.complaints.push_back(shown(path) + ": " + trouble);
  return made;
}

product::FileAudit unbegun_file(const std::string& path, const RunOptions& options) {
  product::FileAudit made;
  made.row.path = path;
  made.row.status = options.allow_cut ? 0 : 2;
  made.row.unread = true;
  made.row.cut = made.row.remark = "interrupted";
  made.interrupted = true;
  return made;
}

std::string without_name(std::string_view what, const std::string& path) {
  const std::string name = base::printable(shown(path)) + ": ";
  what.remove_prefix(what.starts_with(name) ? name.size() : 0);
  return std::string(what);
}

product::FileAudit audit_file(const std::string& path, std::unique_ptr<Trace> trace,
                              const product::AuditOptions& audit, const RunOptions& options,
                              const FileRecords& records, const std::atomic<bool>& stop) {
  product::FileAudit made;
  try {
    if (!trace) {
      trace = std::make_unique<Trace>(std::vector<std::string>{path});
    }
    trace->on_trouble = [&](const std::string& file, const std::string& trouble) {
      made.complaints.push_back(shown(file) + ": " + trouble);
    };
    trace->begin();
    report::TextStyle style;
    style.palette = records.palette;
    style.files = report::Files{trace->paths()};
    const product::MakeProduct make = [&](product::Context& context) {
      return std::make_unique<product::AuditProduct>(context, audit);
    };
    product::Inspector inspector({.settings = options,
                                  .records = records.main,
                                  .style = style,
                                  .course = {},
                                  .reports = records.reports},
                                 make);
    inspector.product().begin();
    follow(*trace, inspector, stop);
    auto& auditor = static_cast<product::AuditProduct&>(inspector.product());
    made.row.path = path;
    made.row.counters = inspector.counters();
    count(made, auditor, *trace, options);
    remark_on(made, auditor, *trace, options);
  } catch (const Failure& failure) {
    return unread_file(path, without_name(failure.what(), path));
  }
  return made;
}

}  // namespace steertag::host
