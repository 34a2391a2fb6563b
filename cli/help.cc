#include "help.h"

#include <algorithm>

#include "report/buffer.h"
#include "report/table.h"

namespace steertag::cli {
namespace {

constexpr size_t kHelpWidth = 80;
constexpr size_t kOptions = 26, kCommands = 15;  // columns before what is said of them

std::string wrapped(const std::string& first, std::string_view text, size_t width = kHelpWidth) {
  report::Buffer out;
  report::put_wrapped(out, first, text, width);
  return std::string(report::view(out));
}

// "  --port PORT               another port ...", below where the names are long.
std::string described(const std::string& names, const std::string& description, size_t column) {
  const std::string blanks(column, ' ');
  std::string first = "  " + names;
  if (description.empty()) {
    return first + '\n';
  }
  if (first.size() + 2 > column) {
    return first + '\n' + wrapped(blanks, description);
  }
  return wrapped(first + blanks.substr(first.size()), description);
}

bool any_too_wide(const std::vector<std::string_view>& lines, size_t width) {
  return std::any_of(lines.begin(), lines.end(), [&](std::string_view line) { return line.size() > width; });
}

// A pipeline goes on behind a "|", any other command behind a backslash.
std::string fitted_command(std::string_view line, size_t width) {
  constexpr std::string_view kMore = "      ";
  if (line.size() <= width) {
    return std::string(line) + '\n';
  }
  const size_t quoted = std::min(line.find('\''), line.size());
  size_t end = line.substr(0, std::min(quoted, width)).rfind(" | ");
  if (end != std::string_view::npos) {
    return std::string(line.substr(0, end + 2)) + '\n' +
           fitted_command(std::string(kMore) + std::string(line.substr(end + 3)), width);
  }
  const std::string_view room = line.substr(0, std::min(quoted, width - 1));
  end = room.rfind(" --");
  end = end == std::string_view::npos || end < width / 2 ? room.rfind(' ') : end;
  if (end == std::string_view::npos || end < kMore.size() + 2) {
    return std::string(line) + '\n';
  }
  return std::string(line.substr(0, end)) + " \\\n" +
         fitted_command(std::string(kMore) + std::string(line.substr(end + 1)), width);
}

// Lines that are indented: what stands to the left, and what is said of it to the right.
std::string fitted_table(const std::vector<std::string_view>& lines, size_t width) {
  constexpr size_t kContinued = 10;  // so far to the right only what is said goes on
  struct Row {
    std::string_view left;
    std::string right;
  };
  std::vector<Row> rows;
  size_t column = 0;
  for (const std::string_view line : lines) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin >= kContinued && !rows.empty()) {
      rows.back().right += (rows.back().right.empty() ? "" : " ") + std::string(line.substr(begin));
      continue;
    }
    const size_t gap = line.find("  ", begin);
    rows.push_back({line.substr(0, gap), ""});
    if (gap != std::string_view::npos) {
      rows.back().right = line.substr(line.find_first_not_of(' ', gap));
    }
    column = rows.back().right.empty() ? column : std::max(column, rows.back().left.size() + 2);
  }
  constexpr size_t kMostColumn = 44;
  std::string text;
  for (const Row& row : rows) {
    if (row.right.empty()) {
      text += fitted_command(row.left, width);
    } else if (column <= kMostColumn) {
      text += wrapped(std::string(row.left) + std::string(column - row.left.size(), ' '), row.right, width);
    } else {
      text += fitted_command(row.left, width) + wrapped("      ", row.right, width);
    }
  }
  return text;
}

// A line as long as that was broken only because it was.
std::string fitted_paragraph(const std::vector<std::string_view>& lines, size_t width) {
  constexpr size_t kFull = 70;
  std::string text, paragraph;
  for (size_t i = 0; i < lines.size(); ++i) {
    paragraph += (paragraph.empty() ? "" : " ") + std::string(lines[i]);
    if (lines[i].size() < kFull || i + 1 == lines.size()) {
      text += wrapped("", paragraph, width);
      paragraph.clear();
    }
  }
  return text;
}

}  // namespace

std::string Help::make_option(const CLI::Option* option, bool is_positional) const {
  std::string names = make_option_name(option, is_positional) + make_option_opts(option);
  for (size_t mark = names.find("{false}"); mark != std::string::npos; mark = names.find("{false}")) {
    names.erase(mark, std::string_view("{false}").size());
  }
  return described(names, without_breaks(make_option_desc(option)), kOptions);
}

std::string Help::make_subcommand(const CLI::App* command) const {
  return described(command->get_name(), without_breaks(command->get_description()), kCommands);
}

std::string Help::make_footer(const CLI::App* app) const {
  const std::string footer = app->get_footer();
  return footer.empty() ? footer : fitted_footer(footer, kHelpWidth);
}

std::string without_breaks(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(at), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string fitted_footer(std::string_view text, size_t width) {
  const std::vector<std::string_view> lines = split(text, '\n');
  std::string fitted;
  for (size_t i = 0; i < lines.size();) {
    const auto kind = [&](size_t at) { return lines[at].empty() ? 0 : lines[at][0] == ' ' ? 1 : 2; };
    std::vector<std::string_view> alike;
    for (const int first = kind(i); i < lines.size() && kind(i) == first; ++i) {
      alike.push_back(lines[i]);
    }
    if (!any_too_wide(alike, width)) {
      for (const std::string_view line : alike) {
        fitted += std::string(line) + '\n';
      }
    } else {
      fitted += alike[0][0] == ' ' ? fitted_table(alike, width) : fitted_paragraph(alike, width);
    }
  }
  return fitted;
}

}  // namespace steertag::cli
