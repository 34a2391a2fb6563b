// steertag, the command: reads the command line, runs the command that it names,
// and turns whatever goes wrong into one line and an exit status.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "commands.h"
#include "failure.h"

namespace steertag::cli {
namespace {

constexpr int failed = 2;

// How many letters must be added, taken away or changed to turn one word into the other.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

// A command that does not exist gets a better answer than the parser's.
void check_command(const CLI::App& app, std::string_view word) {
  std::string nearest;
  size_t least = 3;  // further away than that is no slip of the finger
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string& name = command->get_name();
    if (name == word) {
      return;
    }
    const size_t d = name.starts_with(word) ? 1 : distance(word, name);
    if (d < least) {
      least = d;
      nearest = name;
    }
  }
  throw Failure(std::string(word) + ": no such command" +
                (nearest.empty() ? "; see steertag --help" : "; did you mean " + nearest + "?"));
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

int start(int argc, char** argv) {
  CLI::App app("Analyzer of RPC-over-RDMA (NFS/RDMA) captures.", "steertag");
  const std::string version = "steertag " STEERTAG_VERSION;
  app.set_version_flag("--version", version, "show the version and exit");
  app.set_help_flag("-h,--help", "show this help and exit");
  app.require_subcommand(1);
  app.get_formatter()->column_width(32);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.footer(
      "steertag COMMAND --help explains a command and shows examples.\n"
      "Exit status: 0 done, 1 audit found something, 2 could not do the work (one line on standard error "
      "says why).");
  Work work;
  add_audit(app, work);
  add_flows(app, work);
  add_decode(app, work);
  add_connections(app, work);
  add_rules(app, work);
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
    app.exit(asked);
    if (!std::cout.flush()) {
      throw Failure("standard output: could not be written");
    }
    return 0;
  } catch (const CLI::ParseError& error) {
    const auto used = app.get_subcommands();
    throw Failure(first_line(error.what()) + "; see steertag " +
                  (used.empty() ? "" : used[0]->get_name() + " ") + "--help");
  }
  return work();
}

}  // namespace
}  // namespace steertag::cli

int main(int argc, char** argv) {
  using namespace steertag::cli;
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error of write(), not the end of us
  try {
    return start(argc, argv);
  } catch (const ReaderGone&) {
    return 0;
  } catch (const Failure& failure) {
    complain(failure.what());
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& unexpected) {
    complain(std::string("internal error: ") + unexpected.what());
  }
  return failed;
}
