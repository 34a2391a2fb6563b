// interrupted(): whether somebody has pressed Ctrl-C, or asked the program to end
// otherwise. What was read until then still gets its end: the RPCs that are open,
// the summary, the tally. A second request ends the program at once.
#pragma once

namespace steertag::cli {

void watch_interrupts();  // SIGINT and SIGTERM, from now on
bool interrupted();

}  // namespace steertag::cli
