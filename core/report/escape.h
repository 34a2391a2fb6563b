// Text of any bytes, for forms that others read: whatever a capture or the name of a file holds, the form
// stays whole, nobody's terminal or browser acts upon it, and nothing is left out without a trace: what
// cannot be written is spelled out, as \x1b or \u202e. JSON has its own (json_writer.h). Functions of the
// text and of nothing else.
#pragma once

#include <string>
#include <string_view>

#include "report/buffer.h"

namespace steertag::report {

// UTF-8 that is seen, in lines: control characters other than \n and \t, bytes that are not UTF-8 and
// characters that nobody would see are spelled out.
std::string spelled(std::string_view text);

// As the text of an XML 1.0 element, and as the value of an attribute in double quotes.
void put_xml(Buffer& out, std::string_view text);
void put_xml_value(Buffer& out, std::string_view text);

}  // namespace steertag::report
