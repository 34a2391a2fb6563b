// EachOutputs: where the records of captures that are audited apart go: the result, and the reports of
// --report beside it.
// All of them are open before the first capture is read.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "host/output.h"
#include "options.h"

namespace steertag::cli {

struct EachOutputs {
  explicit EachOutputs(const ReadingOptions& chosen) : options(chosen) {
    result.open(options.output);
    host::show(result, options);
    for (const ReadingOptions::Report& report : options.reports) {
      reports.emplace_back().open(report.path, host::Output::Role::report);
    }
    if (!reports.empty()) {
      each([](host::Output& output, const std::string&) { output.not_alone(); });
    }
  }

  // Calls what(output, form) for all of them.
  template <typename What>
  void each(const What& what) {
    what(result, options.format);
    for (size_t i = 0; i < reports.size(); ++i) {
      what(reports[i], options.reports[i].format);
    }
  }
  // By its number among cli::Channels.
  host::Output& channel(size_t number) {
    size_t place = 0;
    for (; number != 0; ++place) {
      number -= options.reports[place].streams() ? 1 : 0;
    }
    return place == 0 ? result : reports[place - 1];
  }
  std::vector<int> folders() {
    std::vector<int> all;
    each([&](const host::Output& output, const std::string&) {
      const std::vector<int> more = output.folders();
      all.insert(all.end(), more.begin(), more.end());
    });
    return all;
  }

  const ReadingOptions& options;
  host::Output result;
  std::deque<host::Output> reports;  // as ReadingOptions::reports
};

}  // namespace steertag::cli
