#include "product/losses.h"

#include <vector>

#include "report/losses.h"

namespace steertag::product {

void LossesProduct::named(const track::Connection& connection) {
  if (context_.settings.jsonl()) {
    announce(connection);
  }
}

void LossesProduct::merge(const Share& share) {
  Product::merge(share);
  auto& other = static_cast<LossesProduct&>(share.product);
  ledger_.take_over(other.ledger_,
                    [&](track::ConnectionNumber theirs) { return share.merger.number(share.place, theirs); });
}

void LossesProduct::finish(const Ended& ended) {
  const std::vector<loss::Entry> entries = ledger_.entries();
  report::Buffer& out = context_.out();
  if (context_.settings.jsonl()) {
    for (const loss::Entry& entry : entries) {
      report::json_loss(out, entry, context_.style.files);
      context_.records.record_done();
    }
    return;
  }
  if (context_.settings.format == "csv") {
    report::csv_loss_heading(out, context_.style.files);
    for (const loss::Entry& entry : entries) {
      report::csv_loss(out, entry, context_.style.files);
    }
    context_.records.record_done();
    return;
  }
  if (ended.counters.messages == 0) {
    return;
  }
  report::text_files(out, context_.style);
  if (entries.empty()) {
    const bool perhaps = !ledger_.sums().empty() || ledger_.one_direction();
    report::put(out, perhaps ? "No packet is known to be lost.\n" : "Nothing was lost or sent again.\n");
  } else {
    report::text_losses(out, entries, context_.style);
    report::put(out, "\n");
  }
  report::text_loss_sums(out, ledger_, entries.size(), context_.style);
  context_.records.record_done();
}

}  // namespace steertag::product
