// What is known of the terminal that results go to.
//
// Tables for people fit its width; where results go to a file or a pipe they take what they need.
#pragma once

namespace steertag::cli {

// Columns of the terminal that standard output is, or as COLUMNS says; 0 where it is none.
unsigned terminal_width();

}  // namespace steertag::cli
