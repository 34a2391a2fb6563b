// Failure: the command cannot do its work. Thrown where that is discovered,
// caught in main(), which prints "steertag: MESSAGE" and exits with status 2.
// The message names the file or the option, then the reason, on one line.
#pragma once

#include <stdexcept>
#include <string>

#include "base/printable.h"

namespace steertag::host {

struct Failure : std::runtime_error {
  explicit Failure(const std::string& message) : std::runtime_error(base::printable(message)) {}
};

// The reader of the only output is gone (EPIPE): end quietly, with the status that was reached.
struct ReaderGone {};

std::string shown(const std::string& path);  // as messages name it: "-" is "standard input"

// "No such file or directory" for an errno.
std::string reason(int error);

// Prints "steertag: MESSAGE" on standard error, on one line of at most 4 KB whatever the message holds.
void complain(const std::string& message);
// While a pager has the terminal that complaints go to, they wait until it is gone.
void hold_complaints();
void release_complaints() noexcept;

}  // namespace steertag::host
