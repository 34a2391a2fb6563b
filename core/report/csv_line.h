// CsvLine: a line of comma-separated values (RFC 4180), one value after the other. Text with a comma, a quote
// or a line break in it is quoted, and its quotes are doubled. The caller ends each line, and sees to it that
// all have as many values.
#pragma once

#include <cstdint>
#include <string_view>

#include "report/buffer.h"

namespace steertag::report {

// Text as a value of a line.
void csv_value(Buffer& out, std::string_view value);

class CsvLine {
 public:
  explicit CsvLine(Buffer& out) : out_(out) {}
  void text(std::string_view value) {
    comma();
    csv_value(out_, value);
  }
  void number(uint64_t value) {
    comma();
    print(out_, "{}", value);
  }
  void nothing() { comma(); }
  void end() { put(out_, '\n'); }

 private:
  void comma() {
    if (!first_) {
      put(out_, ',');
    }
    first_ = false;
  }
  Buffer& out_;
  bool first_ = true;
};

}  // namespace steertag::report
