// Table: columns for people, aligned, two blanks apart, and fitted to a width: where they do not all fit, the
// least important are left out, and at last the first column loses the middle of its text.
// Cells are text of one line, which may be UTF-8; how wide they are, fold.h knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/buffer.h"
#include "report/palette.h"

namespace steertag::report {

class Table {
 public:
  enum class Align : uint8_t { left, right };
  struct Column {
    std::string heading;
    Align align = Align::right;
    unsigned leaves = 0;  // where there is no room, the highest leaves first; 0: stays
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }  // one a column
  // One more column, behind the others: its cells, one a row.
  void add_column(const Column& column, const std::vector<std::string>& cells);
  // How wide it is where the columns are left out that do not fit into `width`.
  size_t width(size_t width) const;
  void print(Buffer& out, size_t width, const Palette& palette) const;

 private:
  std::vector<size_t> widths() const;
  std::vector<size_t> fitting(size_t width) const;  // places of the columns that stay

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Text of one line, as several of at most so many characters, broken at blanks; the first begins with
// `first`, the others with as many blanks.
void put_wrapped(Buffer& out, std::string_view first, std::string_view text, size_t width);

}  // namespace steertag::report
