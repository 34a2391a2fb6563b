#include "report/fold.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace steertag::report {
namespace {

struct Width {
  uint32_t first, last;
  size_t columns;
};

// As terminals take them (Unicode's East Asian Width W and F, and what combines), without the rarest.
constexpr std::array<Width, 17> kWidths = {{{0x0300, 0x036F, 0},
                                            {0x1100, 0x115F, 2},
                                            {0x1AB0, 0x1AFF, 0},
                                            {0x200B, 0x200F, 0},
                                            {0x20D0, 0x20FF, 0},
                                            {0x2E80, 0x303E, 2},
                                            {0x3041, 0x33FF, 2},
                                            {0x3400, 0x4DBF, 2},
                                            {0x4E00, 0x9FFF, 2},
                                            {0xA000, 0xA4CF, 2},
                                            {0xAC00, 0xD7A3, 2},
                                            {0xF900, 0xFAFF, 2},
                                            {0xFE00, 0xFE0F, 0},
                                            {0xFE30, 0xFE6F, 2},
                                            {0xFF00, 0xFF60, 2},
                                            {0x1F300, 0x1FAFF, 2},
                                            {0x20000, 0x3FFFD, 2}}};

constexpr char kEscape = '\033';

// The next character, or escape sequence, of a text that is not empty: its bytes and its columns.
struct Glyph {
  std::string_view bytes;
  size_t columns = 1;
  bool escape() const { return bytes[0] == kEscape; }
  bool blank() const { return bytes[0] == ' '; }
};

Glyph next_glyph(std::string_view text) {
  if (text[0] == kEscape) {
    return {text.substr(0, std::min(text.find('m'), text.size() - 1) + 1), 0};
  }
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t wanted = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  const std::string_view bytes = text.substr(0, wanted);
  uint32_t code = wanted == 1 ? lead : lead & (0x7FU >> wanted);
  for (const char c : bytes.substr(1)) {
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3FU);
  }
  if (wanted > 1) {
    const auto wide =
        std::find_if(kWidths.begin(), kWidths.end(), [code](const Width& one) { return code <= one.last; });
    if (wide != kWidths.end() && code >= wide->first) {
      return {bytes, wide->columns};
    }
  }
  return {bytes, 1};
}

// Looks no further than it has to.
bool fits(std::string_view text, size_t room) {
  for (size_t columns = 0; !text.empty();) {
    const Glyph glyph = next_glyph(text);
    columns += glyph.columns;
    if (columns > room) {
      return false;
    }
    text.remove_prefix(glyph.bytes.size());
  }
  return true;
}

// Where a line may end, from best to worst.
enum class Break : uint8_t { field, clause, word, mark };

// One line on its way to several.
class Folding {
 public:
  Folding(Buffer& out, size_t width, std::string& colour) : out_(out), width_(width), colour_(colour) {}

  void line(std::string_view text) {
    std::optional<size_t> hang;
    if (text.size() >= 2 && text[0] == kHang) {
      hang = static_cast<size_t>(text[1] - ' ');
      text.remove_prefix(2);
    }
    if (!fits(text, width_)) {
      constexpr size_t kStep = 4;
      const size_t indent = std::min(text.find_first_not_of(' '), text.size());
      hang_ = std::min(hang.value_or(indent + kStep), width_ - std::min(width_, kLeastFold));
      clauses_ = !hang && text.find("  ", indent) != std::string_view::npos;
      text = first_lines(text);
    }
    put_piece(text);
    end_line();
  }

 private:
  // Puts all lines but the last, of which the text is returned.
  std::string_view first_lines(std::string_view text) {
    size_t used = 0;
    while (!fits(text, width_ - used)) {
      const std::string_view piece = text.substr(0, end_of_piece(text, used));
      put_piece(piece.substr(0, piece.find_last_not_of(' ') + 1));
      end_line();
      text.remove_prefix(piece.size());
      text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
      used = hang_;
      put(out_, std::string(text.empty() ? 0 : hang_, ' '));
      put(out_, colour_);
    }
    return text;
  }

  // Bytes of what still fits on a line, of which so many columns are in use.
  size_t end_of_piece(std::string_view text, size_t used) const {
    std::array<size_t, 4> ends{};  // the last of each kind
    const size_t begin = text.find_first_not_of(' ');
    size_t column = used;
    size_t at = 0;
    while (at < text.size()) {
      const Glyph glyph = next_glyph(text.substr(at));
      if (glyph.blank() && at > begin && column > hang_) {
        const bool field = at + 1 < text.size() && text[at + 1] == ' ';
        const bool clause = clauses_ && text[at - 1] == ',' && column > width_ / 2;
        ends[static_cast<size_t>(text[at - 1] == ' ' || field ? Break::field
                                 : clause                     ? Break::clause
                                                              : Break::word)] = at;
      }
      if (column + glyph.columns > width_) {
        break;
      }
      column += glyph.columns;
      at += glyph.bytes.size();
      if (std::string_view("/,;:|-").find(glyph.bytes) != std::string_view::npos && column > width_ / 2) {
        ends[static_cast<size_t>(Break::mark)] = at;
      }
    }
    for (const size_t end : ends) {
      if (end != 0) {
        return end;
      }
    }
    return std::max(at, next_glyph(text).bytes.size());
  }

  void put_piece(std::string_view text) {
    put(out_, text);
    for (size_t at = text.find(kEscape); at != std::string_view::npos; at = text.find(kEscape, at + 1)) {
      const std::string_view escape = next_glyph(text.substr(at)).bytes;
      colour_ = escape == kReset ? std::string_view() : escape;
    }
  }

  // Pagers end a colour with its line.
  void end_line() {
    put(out_, colour_.empty() ? std::string_view() : kReset);
    put(out_, '\n');
  }

  static constexpr std::string_view kReset = "\033[0m";
  Buffer& out_;
  const size_t width_;
  std::string& colour_;  // that is on
  size_t hang_ = 0;
  bool clauses_ = false;  // it is fields, and within one a comma is the better place
};

}  // namespace

size_t columns_of(std::string_view text) {
  size_t columns = 0;
  while (!text.empty()) {
    const Glyph glyph = next_glyph(text);
    columns += glyph.columns;
    text.remove_prefix(glyph.bytes.size());
  }
  return columns;
}

void fold(Buffer& out, std::string_view lines, size_t width) {
  std::string colour;
  Folding folding(out, std::max(width, kLeastFold), colour);
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    put(out, colour);  // that of the line before goes on
    folding.line(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

}  // namespace steertag::report
