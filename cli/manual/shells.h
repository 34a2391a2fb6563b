// Completion for bash, zsh and fish: which commands there are, which options each of them has, and which
// values an option takes where these are words, files or network interfaces. A shell is told everything at
// once, so that it need not run the command to complete one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "manual/walk.h"

namespace steertag::manual {

std::string for_bash(const Description& all);
std::string for_zsh(const Description& all);
std::string for_fish(const Description& all);

// What of a description stands beside a suggestion: up to where it goes into details.
std::string brief(const std::string& text);
std::string joined(const std::vector<std::string>& words, std::string_view between);
std::string replaced(std::string text, std::string_view what, std::string_view by);

}  // namespace steertag::manual
