// The JSON Schema of the records, whole or of one kind of record: made of the lists of members that the
// records are printed by (record/), and of schema.json, which is compiled in (base/embedded.h). tests/schema
// holds it to what the commands print. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace steertag::report {

// Under which every line of every command is valid; draft 2020-12.
std::string schema();

// The kinds of records, in the order in which the schema has them.
std::vector<std::string> schema_records();
// The schema of one kind alone, with the definitions that it refers to. Precondition: it is one of those.
std::string schema_of(std::string_view record);

}  // namespace steertag::report
