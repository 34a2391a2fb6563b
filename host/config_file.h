// Files of configuration: reading one whole, and finding a profile by its name; found_config.h finds the one
// that nobody named. None of them is large, and all are read before the sandbox is entered. Profiles are
// installed into share/steertag/profiles beside the program's bin; a program that is in no bin, as in a build
// tree, has them beside it.
#pragma once

#include <cstdint>
#include <string>

namespace steertag::host {

class Descriptor;

// Who named a file: the command line, where it may be a pipe, too; or another file that the command line
// names.
enum class Named : uint8_t { by_user, by_file };

// Throws Failure, also where it is longer than kMostToml (toml.h).
std::string read_file(const std::string& path, Named named);
// The same of one that is open.
std::string read_file(const Descriptor& file, const std::string& name);

// What --config and --baseline name: a profile ("linux-6.1"), or a path; relative ones are relative to
// `folder` (empty: the current one). Throws Failure where there is neither.
struct PolicyPath {
  std::string path;
  bool profile = false;  // it comes with steertag
};
PolicyPath resolved(const std::string& name, const std::string& folder);

// That the command was run in; empty where it has been removed, or may not be looked at.
std::string current_folder();
// With all of its folders, for whoever reads it from elsewhere.
std::string absolute(const std::string& path);
std::string home_of(const std::string& path);

}  // namespace steertag::host
