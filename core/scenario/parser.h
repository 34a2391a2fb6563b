// parse(): the lines of a scenario as a Script. Names, ranges and the places
// where a term may appear are checked here; whether the line makes sense
// (is there a Call to answer?) is the Stage's business.
// parser.cc reads lines and blocks; the other files read what they may contain.
#pragma once

#include "scenario/arguments.h"
#include "scenario/lexer.h"
#include "scenario/script.h"

namespace steertag::scenario {

std::optional<Error> parse(const std::vector<Line>& lines, const Choices& choices, Script& into);

// The rest of a line after its verb, which the caller has taken.
MessageLine parse_message(std::string_view verb, Arguments& arguments);
bool is_message(std::string_view verb);

// Their parts.
std::optional<Procedure> parse_procedure(Arguments& arguments);
void parse_rpc(Arguments& arguments, RpcSpec& rpc);
void parse_optional(std::string_view verb, Arguments& arguments, MessageLine& line);

OperationLine parse_operation(bool read, Arguments& arguments);
ComplaintLine parse_complaint_line(std::string_view verb, Arguments& arguments);

// The options of `connection` and `connect`.
void parse_connection(Arguments& arguments, ConnectionSpec& into);
IcmpLine parse_icmp(Arguments& arguments);

// Faults and overrides of a line's packets.
Handling parse_handling(Arguments& arguments);
std::optional<Complaint> parse_complaint(std::string_view name);
inline constexpr std::string_view kComplaints = "sequence, invalid, access, operational or rnr";

// A setting of the scenario as a whole; false where `verb` is not one.
bool parse_setting(std::string_view verb, Arguments& arguments, Script& script);
int64_t parse_time(std::string_view text, Problem& problem);  // ns

}  // namespace steertag::scenario
