// Text of any bytes in Markdown, as GitHub and GitLab have it: it is shown as it is, and is no HTML, no link,
// no mention of somebody, no number of an issue. Words that could be any of it are set as code, which is the
// one thing that none of these dialects looks into.
#pragma once

#include <string>
#include <string_view>

#include "report/buffer.h"

namespace steertag::report {

// A sentence, within a line that something else begins.
void put_markdown(Buffer& out, std::string_view text);
// All of it, as code within a line. Not for cells of tables, which a | would end.
void put_markdown_code(Buffer& out, std::string_view text);
// All of it, for a cell of a table, which is of one line: each mark behind a backslash.
std::string markdown_cell(std::string_view text);
// Lines, as a block of code.
void put_markdown_block(Buffer& out, std::string_view text);

}  // namespace steertag::report
