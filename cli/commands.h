// The commands, one file each. add_*() describes a command to the parser: its
// options, its help; where the user asks for it, `chosen` becomes the function
// that does the work and returns the exit status. start() calls it. describe() is all of
// them: start() reads what the user wrote by it; the manual pages and the completions
// of shells are made from it (manual/), so that what they say is what the command takes.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace steertag::cli {

using Work = std::function<int()>;

void describe(CLI::App& app, Work& chosen);

void add_annotate(CLI::App& app, Work& chosen);
void add_audit(CLI::App& app, Work& chosen);
void add_baseline(CLI::App& app, Work& chosen);
void add_decode(CLI::App& app, Work& chosen);
void add_flows(CLI::App& app, Work& chosen);
void add_stats(CLI::App& app, Work& chosen);
void add_connections(CLI::App& app, Work& chosen);
void add_diff(CLI::App& app, Work& chosen);
void add_extract(CLI::App& app, Work& chosen);
void add_losses(CLI::App& app, Work& chosen);
void add_merge(CLI::App& app, Work& chosen);
void add_report(CLI::App& app, Work& chosen);
void add_rules(CLI::App& app, Work& chosen);
void add_sanitize(CLI::App& app, Work& chosen);
void add_schema(CLI::App& app, Work& chosen);
void add_summary(CLI::App& app, Work& chosen);
void add_synth(CLI::App& app, Work& chosen);
void add_trace(CLI::App& app, Work& chosen);

}  // namespace steertag::cli
