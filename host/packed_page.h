// PackedPage: the HTML page of `steertag report` around the records of a PageProduct: they stand in it as
// Packed writes them. TakingTurns lets the threads that follow connections add to what the page keeps, one at
// a time.
#pragma once

#include <mutex>
#include <optional>
#include <string_view>

#include "host/packed.h"
#include "product/page.h"
#include "report/buffer.h"

namespace steertag::host {

class PackedPage final : public product::Wrapping {
 public:
  void begin(report::Buffer& out) override;
  void add(std::string_view records, report::Buffer& out) override;
  void finish(report::Buffer& out) override;

 private:
  std::optional<Packed> packed_;
};

class TakingTurns final : public product::Gate {
 public:
  void enter() override { mutex_.lock(); }
  void leave() override { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

}  // namespace steertag::host
