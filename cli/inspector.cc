#include "inspector.h"

namespace steertag::cli {

Inspector::Inspector(const Context& context, const MakeReporter& make_reporter)
    : context_(context), reporter_(make_reporter(context_)), audit_(reporter_->audit()) {
  if (audit_ == nullptr) {
    analyzer_.emplace(*reporter_, context_.analyzer());
  }
}

}  // namespace steertag::cli
