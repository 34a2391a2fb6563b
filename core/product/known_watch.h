// KnownWatch: what an AuditProduct holds its findings against: what is known, by baselines and the
// configuration. Until all is heard, what is on the list counts as known; then it is decided whether there is
// more of it than was accepted, and what is found no more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "product/policy.h"
#include "report/audit_report.h"
#include "report/buffer.h"
#include "report/known.h"
#include "report/text.h"
#include "report/verdict.h"

namespace steertag::product {

class KnownWatch {
 public:
  // `whole`: all connections and RPCs are looked at.
  KnownWatch(const Policy& policy, bool whole) : policy_(&policy), whole_(whole), tally_(*policy.known) {}

  bool any() const { return !policy_->known->empty(); }
  // What accepts the finding; null: it is new. `fails`: if it were new, the run would fail.
  const report::Known* take(const rules::Finding& finding, bool fails) { return tally_.take(finding, fails); }
  // Findings that were taken, whether they are too many or not; unset where nothing is known.
  std::optional<uint64_t> taken() const;
  void merge(const KnownWatch& share) { tally_.add(share.tally_); }

  // It is over: adds what is known to the counts, and takes back what there is too much of. `complete`: what
  // was not found was not there. Returns whether that fails the run; complaints() says why, then.
  bool settle(report::FindingCounts& found, report::Verdict& verdict, bool complete);
  std::vector<std::string> complaints() const;

  // What there is too much of, with at most so many findings of each (0: all).
  void put_exceeded(report::Buffer& out, const report::Verdict& verdict, uint64_t most,
                    const report::TextStyle& style) const;
  // How much is known by which file, and what is found no more.
  void put_known(report::Buffer& out) const;
  // The same as records.
  void put_records(report::Buffer& out) const;
  // What is found no more, and whether that fails the run.
  void tell(report::AuditReport& report) const;

 private:
  std::vector<const report::Known*> stale() const;

  const Policy* policy_;
  bool whole_;  // what is not found is not there
  report::KnownTally tally_;
};

}  // namespace steertag::product
