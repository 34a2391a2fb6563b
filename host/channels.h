// Channels: where the records of a run go, each in every form that was asked for: channel
// 0 is the result, then come the reports beside it that are written as records come. One
// thread writes to them.
#pragma once

#include <cstddef>
#include <vector>

#include "product/product.h"
#include "report/merger.h"

namespace steertag::host {

class Channels final : public report::Merger::Sink {
 public:
  explicit Channels(const product::Context& context) : all_{&context.records} {
    for (size_t i = 0; i < context.reports.size(); ++i) {
      if (context.settings.reports[i].streams()) {
        all_.push_back(context.reports[i]);
      }
    }
  }

  size_t count() const { return all_.size(); }
  report::Buffer& buffer(size_t channel) override { return all_[channel]->buffer(); }
  void record_done(size_t channel) override { all_[channel]->record_done(); }

 private:
  std::vector<product::Records*> all_;
};

}  // namespace steertag::host
