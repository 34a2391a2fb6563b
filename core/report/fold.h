// Folding: lines that are wider than the terminal, as several that are not, so that the terminal never breaks
// one in the middle of a word. Output does it with what it shows (host/output.h), when all numbers are in
// their places; who prints may say where the other lines begin. What is read by programs is never folded.
//
// A line breaks between two fields (two blanks or more), or else between words, and only what fits nowhere is
// cut. Escape sequences (palette.h) take no room; a colour goes on behind the break.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "report/buffer.h"

namespace steertag::report {

// Columns that a text takes on a terminal: none for marks that combine with what precedes them and for escape
// sequences, two for wide characters. Of valid UTF-8; of anything else some number.
size_t columns_of(std::string_view text);

// A mark in front of a line, for fold() alone: should it be too long, the others begin at this column, and
// the first breaks behind it. Where nothing is said, they are indented by four more than the first. At
// most 90.
inline constexpr char kHang = '\x02';
inline void put_hang(Buffer& out, size_t column) {
  put(out, kHang);
  put(out, static_cast<char>(' ' + std::min<size_t>(column, 90)));
}

// Appends whole lines so that none is wider than `width`, at least kLeastFold, and without the marks.
inline constexpr size_t kLeastFold = 20;
void fold(Buffer& out, std::string_view lines, size_t width);

}  // namespace steertag::report
