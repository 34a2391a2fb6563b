#include "inspector.h"

namespace steertag::cli {

Inspector::Inspector(const Context& context, const MakeReporter& make_reporter)
    : context_(context), reporter_(make_reporter(context_)), audit_(reporter_->audit()) {
  if (audit_ == nullptr) {
    Options options = context_.analyzer();
    options.for_reports = reporter_->for_reports();
    options.for_rules = reporter_->for_rules();
    analyzer_.emplace(*reporter_, options);
  }
}

}  // namespace steertag::cli
