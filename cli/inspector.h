// Inspector: an Analyzer, or the Audit of a command that checks rules, with the Reporter that
// prints what it finds. One does all the work; or several have a share of the connections
// each, and one more puts together what they have counted.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "analyzer.h"
#include "report/merger.h"
#include "reporter.h"

namespace steertag::cli {

using MakeReporter = std::function<std::unique_ptr<Reporter>(Context&)>;

class Inspector {
 public:
  // What it is made with, for as long as the run lasts.
  Inspector(const Context& context, const MakeReporter& make_reporter);

  // For all that an Analyzer can be told, but for finish().
  Analyzer& analyzer() { return audit_ != nullptr ? audit_->analyzer() : *analyzer_; }
  void finish() { audit_ != nullptr ? audit_->finish() : analyzer_->finish(); }
  const Counters& counters() const { return audit_ != nullptr ? audit_->counters() : analyzer_->counters(); }

  Context& context() { return context_; }
  const Moment& now() const { return context_.course.now; }
  Reporter& reporter() { return *reporter_; }
  const Reporter& reporter() const { return *reporter_; }

 private:
  Context context_;
  std::unique_ptr<Reporter> reporter_;
  rules::Audit* audit_ = nullptr;     // the reporter's, or else
  std::optional<Analyzer> analyzer_;  // without rules
};

}  // namespace steertag::cli
