// Packed: records as a page holds them: gzip, in base64.
// No byte of them can end the element that they stand in, and a browser reads a tenth
// of the bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "report/buffer.h"

struct isal_zstream;

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

}  // namespace steertag::host
