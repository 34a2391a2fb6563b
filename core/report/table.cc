#include "report/table.h"

#include <algorithm>

#include "report/fold.h"

namespace steertag::report {
namespace {

constexpr size_t kBetween = 2;    // blanks between columns
constexpr size_t kLeastName = 8;  // characters that stay of the first column

size_t sum_of(const std::vector<size_t>& widths, const std::vector<size_t>& places) {
  size_t sum = places.empty() ? 0 : (places.size() - 1) * kBetween;
  for (const size_t place : places) {
    sum += widths[place];
  }
  return sum;
}

size_t next_character(std::string_view text, size_t at) {
  do {
    ++at;
  } while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  return at;
}

// What it begins and ends with, with ".." for what is between.
std::string shortened(const std::string& text, size_t most) {
  if (columns_of(text) <= most) {
    return text;
  }
  const size_t kept = most - 2;
  size_t begin = 0;
  while (begin < text.size() && columns_of(std::string_view(text).substr(0, begin)) < (kept + 1) / 2) {
    begin = next_character(text, begin);
  }
  size_t end = begin;
  while (end < text.size() && columns_of(std::string_view(text).substr(end)) > kept / 2) {
    end = next_character(text, end);
  }
  return text.substr(0, begin) + ".." + text.substr(end);
}

}  // namespace

void Table::add_column(const Column& column, const std::vector<std::string>& cells) {
  columns_.push_back(column);
  for (size_t i = 0; i < rows_.size(); ++i) {
    rows_[i].push_back(cells[i]);
  }
}

std::vector<size_t> Table::widths() const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); ++i) {
    widths.push_back(columns_of(columns_[i].heading));
    for (const auto& row : rows_) {
      widths[i] = std::max(widths[i], columns_of(row[i]));
    }
  }
  return widths;
}

std::vector<size_t> Table::fitting(size_t width) const {
  const std::vector<size_t> widths = this->widths();
  std::vector<size_t> places;
  for (size_t i = 0; i < columns_.size(); ++i) {
    places.push_back(i);
  }
  while (sum_of(widths, places) > width) {
    const auto least = std::max_element(places.begin(), places.end(), [&](size_t x, size_t y) {
      return columns_[x].leaves < columns_[y].leaves;
    });
    if (columns_[*least].leaves == 0) {
      break;
    }
    places.erase(least);
  }
  return places;
}

size_t Table::width(size_t width) const {
  return sum_of(widths(), fitting(width));
}

void Table::print(Buffer& out, size_t width, const Palette& palette) const {
  const std::vector<size_t> places = fitting(width);
  std::vector<size_t> widths = this->widths();
  if (const size_t sum = sum_of(widths, places); sum > width) {
    const size_t least = std::min(widths[0], kLeastName);
    widths[0] = std::max(least, widths[0] - std::min(widths[0], sum - width));
  }
  const auto line = [&](const auto& text_of) {
    std::string made;
    for (const size_t place : places) {
      const std::string text = place == 0 ? shortened(text_of(place), widths[0]) : text_of(place);
      const std::string blanks(widths[place] - columns_of(text), ' ');
      made += made.empty() ? "" : std::string(kBetween, ' ');
      made += columns_[place].align == Align::left ? text + blanks : blanks + text;
    }
    return made.substr(0, made.find_last_not_of(' ') + 1);
  };
  paint(out, palette, palette.dim, line([&](size_t place) { return columns_[place].heading; }));
  put(out, '\n');
  for (const auto& row : rows_) {
    put(out, line([&](size_t place) { return row[place]; }));
    put(out, '\n');
  }
}

void put_wrapped(Buffer& out, std::string_view first, std::string_view text, size_t width) {
  const size_t indent = columns_of(first);
  put(out, first);
  for (size_t used = indent; !text.empty();) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (used > indent && used + 1 + columns_of(word) > width) {
      put(out, '\n');
      print(out, "{:{}}", "", indent);
      used = indent;
    } else if (used > indent) {
      put(out, ' ');
      ++used;
    }
    put(out, word);
    used += columns_of(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  put(out, '\n');
}

}  // namespace steertag::report
