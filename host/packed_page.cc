#include "host/packed_page.h"

#include "host/page.h"

namespace steertag::host {

void PackedPage::begin(report::Buffer& out) {
  report::put(out, page_before_records());
  packed_.emplace();
}

void PackedPage::add(std::string_view records, report::Buffer& out) {
  packed_->add(records, out);
}

void PackedPage::finish(report::Buffer& out) {
  packed_->finish(out);
  report::put(out, page_behind_records());
}

}  // namespace steertag::host
