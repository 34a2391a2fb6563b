// check_json(): whether a line is one JSON object (RFC 8259) that any reader reads the
// same way: valid UTF-8, no control character, no key twice, numbers that doubles hold
// or that are whole. Null where it is; otherwise what is wrong with it.
#pragma once

#include <string_view>

namespace steertag::fuzz {

const char* check_json(std::string_view line);

// The same of characters alone: null where the text is UTF-8 that moves no cursor but to the next line.
const char* check_text(std::string_view text);

}  // namespace steertag::fuzz
