// parse(): the lines of a scenario as a Script. Names, ranges and the places
// where a term may stand are checked here; whether what is said makes sense
// (is there a Call to answer?) is the Stage's business.
//
// parser.cc reads settings, blocks and what can be said of any line;
// parse_message.cc reads Sends, parse_setup.cc connections.
#pragma once

#include "scenario/arguments.h"
#include "scenario/lexer.h"
#include "scenario/script.h"

namespace steertag::scenario {

std::optional<Error> parse(const std::vector<Line>& lines, const Choices& choices, Script& into);

// The rest of a line behind its verb, which the caller has taken.
MessageLine parse_message(std::string_view verb, Arguments& arguments);
bool is_message(std::string_view verb);

// The options of `connection` and `connect`.
void parse_connection(Arguments& arguments, ConnectionSpec& into);

}  // namespace steertag::scenario
