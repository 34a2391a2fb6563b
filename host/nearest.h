// nearest(): what a misspelt word was probably meant to be: the name of a command,
// of an option, of a procedure. For messages that refuse the word and help whoever
// typed it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace steertag::host {

// "; did you mean flows?", or nothing where no name is near. Case is ignored.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

}  // namespace steertag::host
