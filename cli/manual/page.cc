#include "manual/page.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <vector>

#include "help.h"
#include "manual/roff.h"
#include "version.h"

namespace steertag::manual {
namespace {

constexpr std::string_view kExitStatus = "Exit status: ", kExamples = "Examples:\n";

// What a help ends with, as the sections of a page.
struct Sections {
  std::vector<std::string> description;  // paragraphs
  std::string exit_status, examples;
};

Sections sections_of(std::string_view footer) {
  constexpr size_t kWidth = 72;  // within 80, beside the margins of a page
  Sections sections;
  while (!footer.empty()) {
    const size_t end = std::min(footer.find("\n\n"), footer.size());
    const std::string_view paragraph = footer.substr(0, end);
    footer.remove_prefix(std::min(end + 2, footer.size()));
    if (paragraph.starts_with(kExitStatus)) {
      sections.exit_status = paragraph.substr(kExitStatus.size());
    } else if (paragraph.starts_with(kExamples)) {
      sections.examples = cli::fitted_footer(paragraph.substr(kExamples.size()), kWidth);
    } else {
      sections.description.push_back(cli::fitted_footer(paragraph, kWidth));
    }
  }
  return sections;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// A sentence: "which rules exist" is "Which rules exist.".
std::string sentence(const std::string& text) {
  return text.empty() ? text : upper(text.substr(0, 1)) + text.substr(1) + (text.ends_with('.') ? "" : ".");
}

// "audit" is "steertag-audit", "" is "steertag".
std::string page_name(const std::string& command) {
  return command.empty() ? "steertag" : "steertag-" + command;
}

std::string heading(const std::string& name, const std::string& text) {
  std::string brief = text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
  return ".\\\" Made from the description of the command line: see cli/manual/.\n.TH \"" + roff(upper(name)) +
         "\" \"1\" \"" + std::string(cli::commit_date()) +
         "\" \"steertag " STEERTAG_VERSION
         "\" \"User Commands\"\n"
         ".SH NAME\n" +
         roff_line(name + " - " + brief);  // in one line: the index of pages reads no more
}

// Lines that are indented stay as they are, others are filled.
std::string body(std::string_view text) {
  std::string out;
  bool kept = false;
  for (const std::string_view line : cli::split(text, '\n')) {
    if (line.starts_with(' ') != kept) {
      kept = !kept;
      out += kept ? ".EX\n" : ".EE\n.PP\n";
    }
    out += kept ? roff_line(line) : roff_text(line);
  }
  return out + (kept ? ".EE\n" : "");
}

// "text|jsonl" are words to write, "FILE" stands for some; so does what is neither.
std::string styled(const std::string& value) {
  const bool literal =
      value.find('|') != std::string::npos &&
      std::any_of(value.begin(), value.end(), [](unsigned char c) { return std::islower(c) != 0; });
  return literal ? bold(value) : italic(value);
}

std::string list(const std::vector<Parameter>& options) {
  std::string out;
  for (const Parameter& option : options) {
    out += ".TP\n";
    for (const std::string& name : option.names) {
      out += (&name == &option.names.front() ? "" : ", ") + bold(name);
    }
    if (option.names.empty()) {
      out += italic(option.value.name);
    }
    if (!option.shown.empty()) {
      out += ' ' + styled(option.shown);
    }
    out += '\n' + roff_text(option.text);
  }
  return out;
}

std::string synopsis(const Command& command) {
  std::string line = bold("steertag " + command.name) + " [" + italic("OPTION") + "]...";
  for (const Parameter& word : command.words) {
    line += ' ' + italic(word.usage);
  }
  for (const Parameter& option : command.options) {
    if (option.required) {
      line += ' ' + bold(option.names.front()) + ' ' + styled(option.shown);
    }
  }
  return ".SH SYNOPSIS\n" + line + '\n';
}

// Whether the text speaks of that command: "steertag merge".
bool mentions(const Command& command, const std::string& other) {
  const auto in = [&](const std::string& text) {
    const std::string name = "steertag " + other;
    const size_t at = text.find(name);
    return at != std::string::npos && (at + name.size() == text.size() ||
                                       std::isalpha(static_cast<unsigned char>(text[at + name.size()])) == 0);
  };
  return in(command.footer) || std::any_of(command.options.begin(), command.options.end(),
                                           [&](const Parameter& option) { return in(option.text); });
}

std::string see_also(const std::vector<std::string>& pages) {
  std::string out = ".SH SEE ALSO\n";
  for (const std::string& one : pages) {
    out += ".BR " + roff(one) + " (1)" + (&one == &pages.back() ? "\n" : ",\n");
  }
  return out;
}

std::string section(const std::string& name, const std::string& text) {
  return text.empty() ? "" : ".SH " + name + '\n' + text;
}

std::string paragraphs(const std::vector<std::string>& all) {
  std::string out;
  for (const std::string& paragraph : all) {
    out += ".PP\n" + body(paragraph);
  }
  return out;
}

}  // namespace

std::string page_of_all(const Description& all) {
  const Sections sections = sections_of(all.whole.footer);
  std::string commands;
  std::vector<std::string> pages;
  for (const Command& command : all.commands) {
    commands += ".TP\n.BR " + roff(page_name(command.name)) + " (1)\n" + roff_text(sentence(command.text));
    pages.push_back(page_name(command.name));
  }
  std::sort(pages.begin(), pages.end());
  pages.insert(pages.end(), {"tcpdump", "tshark", "wireshark"});
  return heading("steertag", all.whole.text) + ".SH SYNOPSIS\n" + bold("steertag ") + italic("COMMAND") +
         " [" + italic("OPTION") + "]...\n.br\n" + bold("steertag --help") + "\n.br\n" +
         bold("steertag --version") + "\n.SH DESCRIPTION\n" + roff_text(all.whole.text) +
         paragraphs(sections.description) + section("COMMANDS", commands) +
         section("OPTIONS", list(all.whole.options)) + section("EXIT STATUS", body(sections.exit_status)) +
         see_also(pages);
}

std::string page(const Description& all, const Command& command) {
  const Sections sections = sections_of(command.footer);
  const std::string exit_status =
      sections.exit_status.empty() ? sections_of(all.whole.footer).exit_status : sections.exit_status;
  std::vector<std::string> pages{"steertag"};
  for (const Command& other : all.commands) {
    if (other.name != command.name && mentions(command, other.name)) {
      pages.push_back(page_name(other.name));
    }
  }
  std::sort(pages.begin() + 1, pages.end());
  return heading(page_name(command.name), command.text) + synopsis(command) + ".SH DESCRIPTION\n" +
         roff_text(sentence(command.text)) + paragraphs(sections.description) +
         section("OPTIONS", list(command.words) + list(command.options)) +
         section("EXIT STATUS", body(exit_status)) + section("EXAMPLES", body(sections.examples)) +
         see_also(pages);
}

}  // namespace steertag::manual
