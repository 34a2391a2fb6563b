// The whole library: records of what is in a capture (analysis.h), what the command prints (report.h), and
// the frames of a capture file (capture.h).
// README.md beside these headers says what is stable.
#pragma once

#include <steertag/analysis.h>
#include <steertag/capture.h>
#include <steertag/report.h>
#include <steertag/version.h>
