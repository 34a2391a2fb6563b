// What is known of the terminal that results go to.
//
// Tables for people fit its width; where results go to a file or a pipe they take what they need.
#pragma once

namespace steertag::host {

// Of the terminal that standard output is; 0 where it is none. To be asked before the sandbox, in which
// nobody knows a terminal.
struct Screen {
  unsigned rows = 0, columns = 0;
};
Screen terminal_screen();
// Columns of it, or as COLUMNS says, also where it is none.
unsigned terminal_width();
// Whether more than ASCII may stand on it: LC_ALL, else LC_CTYPE, else LANG names a locale of UTF-8.
bool utf8_locale();

}  // namespace steertag::host
