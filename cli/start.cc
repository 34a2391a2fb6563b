#include "start.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "commands.h"
#include "host/clerk.h"
#include "host/descriptors.h"
#include "host/failure.h"
#include "host/interrupt.h"
#include "host/nearest.h"
#include "host/output.h"
#include "host/sandbox.h"
#include "host/target.h"

namespace steertag::cli {
namespace {

constexpr int failed = 2;

std::string see_help(const CLI::App& app) {
  const auto used = app.get_subcommands();
  return "; see steertag " + (used.empty() ? "" : used[0]->get_name() + " ") + "--help";
}

// A command that does not exist gets a better message than the parser's.
void check_command(const CLI::App& app, std::string_view word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  if (std::find(names.begin(), names.end(), word) == names.end()) {
    const std::string meant = host::did_you_mean(word, names);
    throw host::Failure(std::string(word) + ": no such command" + (meant.empty() ? see_help(app) : meant));
  }
}

// So does an option that does not exist, also where something else is missing.
void check_options(const CLI::App& app) {
  const auto used = app.get_subcommands();
  const CLI::App& command = used.empty() ? app : *used[0];
  for (const std::string& word : app.remaining(true)) {
    if (word.size() < 2 || word[0] != '-' || word == "--") {
      continue;
    }
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        names.push_back("--" + name);
      }
    }
    const std::string name = word.substr(0, word.find('='));
    const std::string meant = host::did_you_mean(name, names);
    throw host::Failure(name + ": no such option" + (meant.empty() ? see_help(app) : meant));
  }
}

// A flag may be said to be true or false, against a configuration; the parser would take other words, and
// numbers, too.
void check_flags(const CLI::App& command, const std::vector<std::string_view>& words) {
  for (const std::string_view word : words) {
    const size_t equals = word.find('=');
    if (word == "--") {
      return;
    }
    if (!word.starts_with("--") || equals == word.npos) {
      continue;
    }
    const std::string name(word.substr(0, equals));
    const std::string_view value = word.substr(equals + 1);
    const CLI::Option* const option = command.get_option_no_throw(name);
    if (option != nullptr && option->get_items_expected_max() == 0 && value != "true" && value != "false") {
      throw host::Failure(fmt::format("{}: is true or false, not {}", name, value));
    }
  }
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

// --help, --version.
int print_help(const CLI::App& app, const CLI::Success& asked, const std::vector<std::string_view>& words) {
  host::Output output;
  output.open("");
  const bool plain = std::find(words.begin(), words.end(), "--no-pager") != words.end();
  output.show(host::Output::Form::text,
              plain ? host::Output::Paging::unwanted : host::Output::Paging::wanted);
  std::ostringstream text;
  app.exit(asked, text, text);
  report::put(output.buffer(), text.view());
  output.record_done();
  output.close();
  return 0;
}

// A capture, and no command: "-", a file that exists, or what only a file is called.
bool names_capture(std::string_view word) {
  std::error_code error;
  return word == "-" || (!word.starts_with('-') &&
                         (word.find_first_of("./") != word.npos || std::filesystem::exists(word, error)));
}

// What the user wrote, with the command that is meant where there is none.
std::vector<const char*> with_command(const CLI::App& app, std::span<char* const> arguments) {
  std::vector<const char*> words(arguments.begin(), arguments.end());
  const std::vector<const CLI::App*> commands = app.get_subcommands({});
  const auto is_command = [&](std::string_view word) {
    return std::any_of(commands.begin(), commands.end(),
                       [&](const CLI::App* command) { return command->get_name() == word; });
  };
  for (size_t i = 1; i < words.size() && !is_command(words[i]); ++i) {
    if (names_capture(words[i])) {
      words.insert(words.begin() + 1, "summary");
      break;
    }
  }
  return words;
}

int chosen(std::span<char* const> arguments) {
  CLI::App app;
  Work work;
  describe(app, work);
  const std::vector<const char*> words = with_command(app, arguments);
  const int argc = static_cast<int>(words.size());
  const char* const* const argv = words.data();
  app.footer([general = app.get_footer()] {
    return general + "\nInput is read in a sandbox, which is on this kernel: " +
           host::enter_sandbox({.read_again = {}, .pager = true}).text() + ".";  // entered to see what it has
  });
  app.footer("");
  if (argc > 1 && argv[1][0] != '-') {
    check_command(app, argv[1]);
    check_flags(*app.get_subcommand(argv[1]), {argv + 2, argv + argc});
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return print_help(app, asked, {argv + 1, argv + argc});
  } catch (const CLI::ParseError& error) {
    check_options(app);
    throw host::Failure(first_line(error.what()) + see_help(app));
  }
  return work();
}

}  // namespace

namespace {

// No process is left behind.
struct Leaving {
  Leaving() = default;
  ~Leaving() { host::dismiss_clerk(); }
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;
};

}  // namespace

int start(int argc, char** argv) {
  const Leaving leaving;
  if (!host::fill_standard_descriptors()) {
    return failed;
  }
  host::note_inherited_descriptors();
  host::end_on_interrupts();
  std::signal(SIGPIPE,
              SIG_IGN);  // a reader that went away is an error of write(), not the end of this process
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a file that may not grow further
  try {
    return chosen({argv, static_cast<size_t>(argc)});
  } catch (const host::ReaderGone&) {
    return 0;
  } catch (const host::Failure& failure) {
    host::complain(failure.what() + host::given_up());
  } catch (const std::bad_alloc&) {
    host::complain("out of memory" + host::given_up());
  } catch (const std::exception& unexpected) {
    host::complain(std::string("internal error: ") + unexpected.what() + host::given_up());
  }
  return failed;
}

}  // namespace steertag::cli
