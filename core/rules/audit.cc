#include "rules/audit.h"

#include <algorithm>

namespace steertag::rules {
namespace {

Options with_rules(Options options) {
  options.for_rules = true;
  options.payload_limit = std::max(options.payload_limit, Audit::kPayload);
  return options;
}

}  // namespace

Audit::Audit(Observer* observer, Listener& listener, const Options& options, Settings settings)
    : observer_(observer),
      engine_(listener, std::move(settings), options.settle_ns),
      analyzer_(*this, with_rules(options)) {}

void Audit::finish() {
  analyzer_.finish();
  engine_.finish();
}

void Audit::on(const Event& event) {
  if (observer_ != nullptr) {
    observer_->on(event);
  }
  engine_.on(event);
}

}  // namespace steertag::rules
