// STEERTAG_CHECK(condition): what a class promises itself, whatever the capture holds.
// It is tried in builds for developers (debug, asan, fuzz), where what does not hold ends
// the program. A release has nothing of it.
#pragma once

#include <cassert>

#ifdef NDEBUG
#define STEERTAG_CHECK(condition) static_cast<void>(0)
#else
#define STEERTAG_CHECK(condition) assert(condition)
#endif
