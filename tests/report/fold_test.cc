// Lines of a report, folded to the width of a terminal.
#include "report/fold.h"

#include <catch2/catch.hpp>
#include <string>

namespace steertag::report {
namespace {

std::string folded(std::string_view lines, size_t width) {
  Buffer out;
  fold(out, lines, width);
  return std::string(view(out));
}

// With the mark in front.
std::string hung(std::string_view line, size_t column, size_t width) {
  Buffer marked;
  put_hang(marked, column);
  put(marked, line);
  return folded(view(marked), width);
}

TEST_CASE("fold: what fits stays as it is, without its mark") {
  CHECK(folded("", 20).empty());
  CHECK(folded("\n", 20) == "\n");
  CHECK(folded("12345678901234567890\nab\n", 20) == "12345678901234567890\nab\n");
  CHECK(hung("ab cd", 3, 20) == "ab cd\n");
}

TEST_CASE("fold: a line that does not fit goes on at a word, indented by four more") {
  CHECK(folded("one two three four five six seven eight\n", 30) ==
        "one two three four five six\n    seven eight\n");
  CHECK(folded("  one two three four five six seven eight nine ten eleven\n", 30) ==
        "  one two three four five six\n      seven eight nine ten\n      eleven\n");
  // No line is wider, to the column.
  CHECK(folded("one two three four five six 78\n", 30) == "one two three four five six 78\n");
  CHECK(folded("one two three four five six 789\n", 30) == "one two three four five six\n    789\n");
}

TEST_CASE("fold: or where its mark says, and the first breaks behind that") {
  CHECK(hung("frame    one two three four five", 9, 30) == "frame    one two three four\n         five\n");
  CHECK(hung("a b c d  onetwothreefourfivesixseven", 9, 30) ==
        "a b c d  onetwothreefourfivesi\n         xseven\n");
}

TEST_CASE("fold: what goes on leaves room for a line of the least width") {
  CHECK(hung("one two three four five six seven", 90, 30) ==
        "one two three four five six\n          seven\n");
  CHECK(folded("            one two three four five six\n", 25) ==
        "            one two three\n     four five six\n");
  CHECK(folded("one two three four five six\n", 20) == "one two three four\nfive six\n");
  CHECK(folded("one two three four five\n", 1) == folded("one two three four five\n", kLeastFold));
}

TEST_CASE("fold: fields stay together, then clauses of them, then words") {
  CHECK(folded("one two  three  four five six seven\n", 30) == "one two  three\n    four five six seven\n");
  CHECK(folded("one  two three four, five six seven\n", 30) == "one  two three four,\n    five six seven\n");
  // Not so far to the left, and not where a mark says that it is a sentence.
  CHECK(folded("one  two, three four five six seven\n", 30) == "one  two, three four five six\n    seven\n");
  CHECK(hung("one  two three four, five six seven", 4, 30) == "one  two three four, five six\n    seven\n");
}

TEST_CASE("fold: a word that is too long breaks at a mark of its second half, or wherever it must") {
  CHECK(folded("/a/path/to/captures/of/today's.pcap\n", 30) == "/a/path/to/captures/of/\n    today's.pcap\n");
  CHECK(folded("/apath/tocapturesoftodayandmore.pcap\n", 30) ==
        "/apath/tocapturesoftodayandmor\n    e.pcap\n");
}

TEST_CASE("fold: a colour ends with each line and goes on in the next") {
  CHECK(folded("\033[31mone two three four five six seven eight\033[0m\nplain\n", 30) ==
        "\033[31mone two three four five six\033[0m\n    \033[31mseven eight\033[0m\nplain\n");
  CHECK(folded("\033[31mred\ngoes on\033[0m\n", 20) == "\033[31mred\033[0m\n\033[31mgoes on\033[0m\n");
}

TEST_CASE("fold: columns are what a terminal shows") {
  CHECK(columns_of("abc") == 3);
  CHECK(columns_of("\033[31mabc\033[0m") == 3);
  CHECK(columns_of("\u00fc\u20ac") == 2);
  CHECK(columns_of("e\u0301") == 1);
  CHECK(columns_of("\u65e5\u672c") == 4);
  CHECK(columns_of("\U0001f41f") == 2);
  const std::string three = "\u65e5\u672c\u8a9e";
  CHECK(folded(three + three + three + three + three + three + "\n", 30) ==
        three + three + three + three + three + "\n    " + three + "\n");
}

TEST_CASE("bounds: columns at which a mark has lines go on") {
  const std::string line = std::string(100, 'a') + " " + std::string(60, 'b');
  const auto column = [&](size_t wanted) {
    const std::string text = hung(line, wanted, 120);
    return text.find('b') - text.find('\n') - 1;
  };
  CHECK(column(89) == 89);
  CHECK(column(90) == 90);
  CHECK(column(91) == 90);
}

}  // namespace
}  // namespace steertag::report
