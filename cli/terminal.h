// What is known of the terminal that results go to.
//
// Tables for people fit its width; where results go to a file or a pipe they take what they need.
#pragma once

namespace steertag::cli {

// Columns of the terminal that standard output is, or as COLUMNS says; 0 where it is none.
unsigned terminal_width();
// Whether more than ASCII may stand on it: LC_ALL, else LC_CTYPE, else LANG names a locale of UTF-8.
bool utf8_locale();

}  // namespace steertag::cli
