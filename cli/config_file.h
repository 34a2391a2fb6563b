// Files of configuration: reading one whole, finding the one that is for a capture, and finding a profile by
// its name. None of them is large, and all are read before the sandbox is entered. Profiles are installed
// into share/steertag/profiles beside the program's bin; in a build tree they are beside the program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace steertag::cli {

// Who named a file: the command line, where it may be a pipe, too; or another file, or nobody, since it was
// found.
enum class Named : uint8_t { by_user, by_file };

// Throws Failure, also where it is longer than kMostToml (toml.h).
std::string read_file(const std::string& path, Named named);

// steertag.toml beside these captures (in them, where they are folders), or in the nearest folder above;
// throws Failure where they have different ones. Standard input lies in the current folder.
std::optional<std::string> found_config(const std::vector<std::string>& captures);

// The path of what --config and --baseline name: a profile's name ("linux-6.1"), or a path; relative ones are
// relative to `folder` (empty: the current one). Throws Failure where there is neither.
std::string resolved(const std::string& name, const std::string& folder);

// That the command was run in; empty where it has been removed, or may not be looked at.
std::string current_folder();
// With all of its folders, for whoever reads it from elsewhere.
std::string absolute(const std::string& path);
std::string home_of(const std::string& path);

}  // namespace steertag::cli
