// interrupted(): whether somebody has pressed Ctrl-C, or asked us to end
// otherwise. What was read until then is still worth its end: the RPCs that are
// open, the summary, the tally. Who asks again ends the program at once.
#pragma once

namespace steertag::cli {

void watch_interrupts();  // SIGINT and SIGTERM, from now on
bool interrupted();

}  // namespace steertag::cli
