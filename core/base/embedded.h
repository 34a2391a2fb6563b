// Texts that are compiled in: the pages of the rules, the ledger of requirements, the schema of the records.
// embed.py writes them into a table when the library is built; core/CMakeLists.txt
// says which. A pure function.
#pragma once

#include <string_view>

namespace steertag::base {

// The text of the file of this name, without its folder: "INV-03.md"; empty where there is none.
std::string_view embedded(std::string_view name);

}  // namespace steertag::base
