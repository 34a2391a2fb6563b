// What must hold of a trace for Perfetto, whatever was read: whole packets of known fields, of the right
// types, and text that acts upon no terminal.
#pragma once

#include <string>
#include <string_view>

namespace steertag::hostile {

// What is wrong with it; empty: nothing.
std::string judge_packets(std::string_view trace);

}  // namespace steertag::hostile
