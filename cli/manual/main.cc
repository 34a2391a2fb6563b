// Writes the manual pages and the completions of shells, when steertag is built; it is not installed.
// usage: steertag_manual FOLDER
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "commands.h"
#include "manual/page.h"
#include "manual/shells.h"
#include "manual/walk.h"

namespace steertag::manual {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    throw std::runtime_error("cannot write " + path.string());
  }
}

void write_all(const std::filesystem::path& folder) {
  CLI::App app;
  cli::Work none;
  cli::describe(app, none);
  const Description all = walk(app);
  std::filesystem::remove_all(folder / "man1");  // also of commands that there are no longer
  write(folder / "man1/steertag.1", page_of_all(all));
  for (const Command& command : all.commands) {
    write(folder / ("man1/steertag-" + command.name + ".1"), page(all, command));
  }
  write(folder / "bash/steertag", for_bash(all));
  write(folder / "zsh/_steertag", for_zsh(all));
  write(folder / "fish/steertag.fish", for_fish(all));
}

}  // namespace
}  // namespace steertag::manual

int main(int argc, char** argv) {
  try {
    if (argc != 2) {
      throw std::runtime_error("usage: steertag_manual FOLDER");
    }
    steertag::manual::write_all(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "steertag_manual: %s\n", error.what());
    return 2;
  }
}
