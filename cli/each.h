// steertag audit --each: every capture audited as if it were alone, several at a time, each on one thread;
// and what they all add up to.
// What is printed is in the order of the captures, whichever is finished first.
#pragma once

#include <functional>

#include "options.h"
#include "product/audit.h"
#include "product/each.h"
#include "report/buffer.h"

namespace steertag::cli {

using EachEnd = std::function<void(report::Buffer&, const product::EachTotals&)>;

// Returns the worst of the exit statuses. A capture that cannot be read does not keep the others from being
// audited.
// `end`: what else is written into the result, when all is known.
int audit_each(const product::AuditOptions& options, const ReadingOptions& reading,
               const EachEnd& end = nullptr);

}  // namespace steertag::cli
