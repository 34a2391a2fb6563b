// Manual pages, section 1: one of the whole, steertag(1), and one of each command, as steertag-audit(1). A
// page has what --help has, in the order and under the headings that readers of manuals expect; what a help
// ends with becomes DESCRIPTION, EXIT STATUS and EXAMPLES.
#pragma once

#include <string>

#include "manual/walk.h"

namespace steertag::manual {

// steertag(1).
std::string page_of_all(const Description& all);
// steertag-NAME(1).
std::string page(const Description& all, const Command& command);

}  // namespace steertag::manual
