#include "host/baseline_file.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "host/config.h"
#include "host/config_file.h"
#include "host/failure.h"
#include "host/toml.h"
#include "report/names.h"

namespace steertag::host {
namespace {

constexpr std::string_view kHeader =
    "# What is known and accepted, for steertag audit --baseline. Each entry is a behaviour that was found. "
    "Look\n"
    "# at it (steertag rules RULE says what is wrong with it); then either have it mended and delete the "
    "entry,\n"
    "# or say in `reason` why it is accepted: entries without a reason are refused. Of a behaviour `at_most` "
    "so\n"
    "# many findings are accepted (of what an end does all the time, connections); without `at_most`, any\n"
    "# number, and none. Where this file is named by -o again, steertag baseline keeps the reasons.\n";

}  // namespace

report::Known known_of(uint64_t fingerprint, const report::Alike& alike) {
  return {.fingerprint = fingerprint,
          .rule = std::string(alike.rule->id),
          .role = std::string(report::name(alike.blame)),
          .op = alike.rule->habit ? "" : alike.op,
          .shape = alike.shape,
          .version = alike.version,
          .at_most = alike.times,
          .reason = "",
          .file = "",
          .line = 0};
}

BaselineFile::BaselineFile(const std::string& path) : path_(path) {
  struct stat facts {};
  if (path.empty() || path == "-" || stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return;  // nothing that would be replaced
  }
  Config config;
  try {
    config = read_config(read_file(path, Named::by_file), path, Reasons::optional);
  } catch (const Failure& failure) {
    throw Failure(std::string(failure.what()) + "; it is no baseline, and stays as it is");
  }
  if (!config.baseline()) {
    throw Failure(path + ": is a configuration, not a baseline, and stays as it is");
  }
  held_ = std::move(config.known);
}

const report::Known* BaselineFile::entry(const std::vector<report::Known>& list, uint64_t fingerprint) {
  const auto found = std::find_if(
      list.begin(), list.end(), [&](const report::Known& known) { return known.fingerprint == fingerprint; });
  return found == list.end() ? nullptr : &*found;
}

std::vector<report::Known> BaselineFile::updated(std::vector<report::Known> found,
                                                 const Looked& looked) const {
  for (report::Known& known : found) {
    if (const report::Known* const held = entry(held_, known.fingerprint)) {
      known.reason = held->reason;
      if (!held->at_most) {
        known.at_most.reset();  // somebody decided that any number is fine
      } else if (!looked.at_all) {
        known.at_most = std::max(known.at_most, held->at_most);
      }
    }
  }
  for (const report::Known& held : held_) {
    const bool missed = held.at_most && looked.at_all && looked.at(held.rule);
    if (!missed && entry(found, held.fingerprint) == nullptr) {
      found.push_back(held);
    }
  }
  const auto order = [](const report::Known& known) {
    return std::tie(known.rule, known.role, known.version, known.op, known.shape, known.fingerprint);
  };
  std::sort(found.begin(), found.end(),
            [&](const report::Known& a, const report::Known& b) { return order(a) < order(b); });
  return found;
}

std::string BaselineFile::text(const std::vector<report::Known>& entries,
                               std::span<const report::PolicyFile> policies) {
  std::string text(kHeader);
  for (const report::PolicyFile& policy : policies) {
    text += "# " + report::policy_text(policy) + "\n";
  }
  for (const report::Known& known : entries) {
    text += "\n" + toml_known(known);
  }
  return text;
}

std::string BaselineFile::changes(const std::vector<report::Known>& entries) const {
  if (held_.empty()) {
    return {};
  }
  uint64_t added = 0, reasoned = 0;
  for (const report::Known& known : entries) {
    const report::Known* const held = entry(held_, known.fingerprint);
    added += held == nullptr ? 1 : 0;
    reasoned += held != nullptr && !held->reason.empty() ? 1 : 0;
  }
  return fmt::format("{}: {}: {} new, {} with the reason kept, {} dropped", path_,
                     entries.size() == 1 ? "1 entry" : fmt::format("{} entries", entries.size()), added,
                     reasoned, held_.size() - (entries.size() - added));
}

}  // namespace steertag::host
