#include "start.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "commands.h"
#include "descriptors.h"
#include "failure.h"
#include "help.h"
#include "interrupt.h"
#include "nearest.h"
#include "output.h"
#include "sandbox.h"
#include "target.h"

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
    const std::string meant = did_you_mean(word, names);
    throw Failure(std::string(word) + ": no such command" + (meant.empty() ? see_help(app) : meant));
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
    const std::string meant = did_you_mean(name, names);
    throw Failure(name + ": no such option" + (meant.empty() ? see_help(app) : meant));
  }
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

// --help, --version.
int print_help(const CLI::App& app, const CLI::Success& asked, const std::vector<std::string_view>& words) {
  Output output;
  output.open("");
  const bool plain = std::find(words.begin(), words.end(), "--no-pager") != words.end();
  output.show(Output::Form::text, plain ? Output::Paging::unwanted : Output::Paging::wanted);
  std::ostringstream text;
  app.exit(asked, text, text);
  report::put(output.buffer(), text.view());
  output.record_done();
  output.close();
  return 0;
}

int chosen(int argc, char** argv) {
  CLI::App app("Analyzer of RPC-over-RDMA (NFS/RDMA) captures.", "steertag");
  const std::string version = "steertag " STEERTAG_VERSION;
  app.set_version_flag("--version", version, "show the version and exit");
  app.set_help_flag("-h,--help", "show this help and exit");
  app.require_subcommand(1);
  app.formatter(std::make_shared<Help>());
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.footer([] {
    return "steertag COMMAND --help explains a command and shows examples.\n"
           "Exit status: 0 done, 1 audit or diff found something, 2 could not do the\n"
           "work (one line on standard error says why).\n"
           "Input is read in a sandbox, which is on this kernel: " +
           enter_sandbox({.read_again = {}, .pager = true}).text() + ".";  // entered to see what it has
  });
  Work work;
  add_audit(app, work);
  add_baseline(app, work);
  add_flows(app, work);
  add_stats(app, work);
  add_report(app, work);
  add_trace(app, work);
  add_decode(app, work);
  add_connections(app, work);
  add_diff(app, work);
  add_extract(app, work);
  add_annotate(app, work);
  add_sanitize(app, work);
  add_merge(app, work);
  add_rules(app, work);
  add_schema(app, work);
  add_synth(app, work);
  for (CLI::App* command : app.get_subcommands({})) {
    command->group("Commands");
    command->set_version_flag("--version", version, "show the version and exit");
  }
  if (argc > 1 && argv[1][0] != '-') {
    check_command(app, argv[1]);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return print_help(app, asked, {argv + 1, argv + argc});
  } catch (const CLI::ParseError& error) {
    check_options(app);
    throw Failure(first_line(error.what()) + see_help(app));
  }
  return work();
}

}  // namespace

int start(int argc, char** argv) {
  if (!fill_standard_descriptors()) {
    return failed;
  }
  end_on_interrupts();
  std::signal(SIGPIPE,
              SIG_IGN);  // a reader that went away is an error of write(), not the end of this process
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a file that may not grow further
  try {
    return chosen(argc, argv);
  } catch (const ReaderGone&) {
    return 0;
  } catch (const Failure& failure) {
    complain(failure.what() + given_up());
  } catch (const std::bad_alloc&) {
    complain("out of memory" + given_up());
  } catch (const std::exception& unexpected) {
    complain(std::string("internal error: ") + unexpected.what() + given_up());
  }
  return failed;
}

}  // namespace steertag::cli
