#include "host/conflicts.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "host/failure.h"
#include "host/run_options.h"
#include "host/target.h"

namespace steertag::host {
namespace {

struct stat looked_at(const std::string& input) {
  struct stat found {};
  if ((input == "-" ? fstat(STDIN_FILENO, &found) : stat(input.c_str(), &found)) != 0) {
    throw Failure(shown(input) + ": " + reason(errno));
  }
  return found;
}

void refuse_input(const std::string& input, const std::vector<std::string>& outputs) {
  const struct stat in = looked_at(input);
  struct stat said {};
  if (fstat(STDERR_FILENO, &said) == 0 && S_ISREG(said.st_mode) && same_file(in, said)) {
    close(STDERR_FILENO);  // nothing can be said
    throw Failure("standard error: is an input, too");
  }
  for (const std::string& output : outputs) {
    struct stat out {};
    const int looked = is_standard(output) ? fstat(STDOUT_FILENO, &out) : stat(output.c_str(), &out);
    if (looked == 0 && S_ISREG(out.st_mode) && same_file(in, out)) {
      throw Failure((is_standard(output) ? "standard output" : output) +
                    ": is an input, too; writing to it would destroy it");
    }
  }
}

}  // namespace

void refuse_conflicts(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  for (const std::string& input : inputs) {
    refuse_input(input, outputs);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (size_t other = 0; other < i; ++other) {
      if (same_place(outputs[i], outputs[other])) {
        throw Failure((is_standard(outputs[i]) ? outputs[other] : outputs[i]) +
                      ": is the file of two outputs; each needs one of its own");
      }
    }
  }
}

void refuse_conflicts(const RunOptions& options) {
  std::vector<std::string> inputs;
  for (const report::PolicyFile& policy : options.told_by) {
    inputs.push_back(policy.file);
  }
  if (!options.live) {
    inputs.insert(inputs.end(), options.captures.begin(), options.captures.end());
  }
  refuse_conflicts(inputs, options.outputs());
}

}  // namespace steertag::host
