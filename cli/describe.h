// The command line as a whole: all commands with their options and their help. start() reads what the user
// wrote by it; the manual pages and the completions of shells are made from it (manual/), so that what they
// say is what the command takes.
#pragma once

#include "commands.h"

namespace steertag::cli {

// Where the user asks for a command, `chosen` becomes its work.
void describe(CLI::App& app, Work& chosen);

}  // namespace steertag::cli
