// The text of --help, in at most 80 columns, whatever the descriptions are: they may have line breaks, which
// are not kept. Paragraphs and tables at the end of a help are folded where they are wider, examples so that
// a shell still takes them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace steertag::cli {

class Help final : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* app) const override;
};

std::string without_breaks(std::string text);
// What stands between such characters, without an empty end.
std::vector<std::string_view> split(std::string_view text, char at);

// The text of the file of that name in help/, which is compiled in; empty where there is none. The help of a
// command ends with COMMAND.txt, but that of schema, whose text lists the records.
std::string_view help_text(std::string_view name);

// What a help ends with, fitted into that many columns.
std::string fitted_footer(std::string_view text, size_t width);

}  // namespace steertag::cli
