// refuse_conflicts(): what a run reads and what it writes are different files, whatever names, links or
// descriptors lead to them. An output that is an input would destroy it, and of two outputs that are one file
// the other would be lost. To be asked before the first file is opened.
#pragma once

#include <string>
#include <vector>

namespace steertag::host {

struct RunOptions;

// "-" is standard input; as an output it is standard output, and so is "". Throws Failure, also where an
// input cannot be looked at.
void refuse_conflicts(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

// Of a command that reads captures: these, and what has told it what to do; its result, and the reports
// beside it.
void refuse_conflicts(const RunOptions& options);

}  // namespace steertag::host
