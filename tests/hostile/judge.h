// Judge: what must hold of a run of the command, whatever it read: its status, what it says on
// standard error, and that its output is what programs and terminals can take.
#pragma once

#include <string>
#include <string_view>

#include "commands.h"
#include "run.h"

namespace steertag::hostile {

// What is wrong; empty: nothing. `size`: bytes that were read.
std::string judge(const Command& command, const Outcome& outcome, size_t size);
std::string judge_merged(const Outcome& outcome, size_t size);
// Of shares that no run has written, whose text it hands on as it is: how it ends.
std::string judge_damaged(const Outcome& outcome, size_t size);

// Text that acts upon no terminal, and hides nothing.
std::string judge_text(std::string_view text);

// Whether JSON Lines are records of this program: the first is a `stream`, the last a `summary`, which counts
// the others rightly; and each has the fields that its kind has, of the right type, and no others. `all`: the
// findings that it counts are among the records.
enum class Findings : uint8_t { all, none };
std::string judge_records(std::string_view text, Findings findings = Findings::all);

}  // namespace steertag::hostile
