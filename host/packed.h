// Packed: records as a page holds them: gzip, in base64.
// No byte of them can end the element that they stand in, and a browser reads a tenth
// of the bytes.
#pragma once

struct isal_zstream;

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "product/page.h"
#include "report/buffer.h"

namespace steertag::host {

// Appends `bytes` in base64, without a pad at the end where their number is a multiple of 3.
void put_base64(std::string_view bytes, report::Buffer& out);

class Packed {
 public:
  Packed();
  ~Packed();
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;

  // Each appends to `out` what is complete.
  void add(std::string_view records, report::Buffer& out);
  void finish(report::Buffer& out);  // no more is added

 private:
  void deflate(report::Buffer& out, bool last);

  std::unique_ptr<isal_zstream> stream_;
  std::vector<uint8_t> level_;  // working memory
  std::string input_;           // a copy, as the library's input is not const
  std::string waiting_;         // deflated, not yet a whole line
};

// PackedPage: the HTML page of `steertag report` around the records of a PageProduct, or of two, one behind
// the other: they stand in it as Packed writes them. TakingTurns lets the threads that follow connections add
// to what the page keeps, one at a time.
class PackedPage final : public product::Wrapping {
 public:
  explicit PackedPage(uint32_t products) : products_(products) {}
  void begin(report::Buffer& out) override;
  void add(std::string_view records, report::Buffer& out) override;
  void finish(report::Buffer& out) override;

 private:
  uint32_t products_;  // that are not finished
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
