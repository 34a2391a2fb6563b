// Markdown, as GitHub and GitLab read it: text that may be anything, where a table or a paragraph shows it.
// Nothing of it is taken for markup, nobody is notified by it, and no link is made of it.
// Pure functions of their argument.
#pragma once

#include <string>
#include <string_view>

namespace steertag::report {

std::string markdown(std::string_view text);

}  // namespace steertag::report
