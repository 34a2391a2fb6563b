// start() is all of steertag, the command: it reads the command line, runs the command that
// this names, and turns whatever goes wrong into one line and an exit status. Once a
// process: it handles signals from then on, and gives up rights. main() calls it, and what
// tests the command in processes of its own.
#pragma once

namespace steertag::cli {

int start(int argc, char** argv);

}  // namespace steertag::cli
